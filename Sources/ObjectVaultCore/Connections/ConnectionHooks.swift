/// What an application is told of the connections of a vault, and what it may set there.
///
/// A vault has one connection that writes, and opens some that read as they are needed; each is told of.
/// For each the order is `didOpen`, `didReady`, `willClose`, `didClose`. Upgrades of the vault's schema
/// come between the first and the second: what is done in ``didReady`` finds the vault as the program
/// wants it. Classes whose stores are asked for later are upgraded then.
///
/// The hooks run on whatever thread needs the connection, and are quick. They must not use the vault
/// itself. Handles on one file share its connections, and the hooks of the one that opened it.
///
/// ```swift
/// configuration.hooks.didOpen = { connection in
///   if connection.path.hasSuffix("archive.vault") { try connection.set(.cacheSize, to: 4) }
/// }
/// ```
public struct ConnectionHooks: Sendable {
  /// A connection was opened, and its key was proved. Where the hook throws, the connection closes, and
  /// what needed it fails with `.hookFailed`.
  public var didOpen: (@Sendable (ConnectionHandle) throws -> Void)?
  /// The vault is as the program's schema wants it, and the connection about to be used. Where the hook
  /// throws, what needed the connection fails with `.hookFailed`; where that was the opening of the
  /// vault, it is closed.
  public var didReady: (@Sendable (ConnectionHandle) throws -> Void)?
  /// A connection is about to close; it can still be asked. It may be while a vault is released.
  public var willClose: (@Sendable (ConnectionHandle) -> Void)?
  /// A connection was closed; the path of its file is given.
  public var didClose: (@Sendable (String) -> Void)?

  /// No hooks.
  public init() {}

  /// Whether nobody wants to be told anything.
  var isEmpty: Bool {
    didOpen == nil && didReady == nil && willClose == nil && didClose == nil
  }
}

/// One connection among those that hooks are told of: its hooks, and what it was told so far.
final class HookedConnection {
  private let hooks: ConnectionHooks
  private let path: String
  private let role: ConnectionHandle.Role
  private var isReady = false
  private var isClosed = false

  /// - Returns: `nil` where there are no hooks.
  init?(_ settings: VaultConfiguration, path: String, role: ConnectionHandle.Role) {
    if settings.hooks.isEmpty { return nil }
    hooks = settings.hooks
    self.path = path
    self.role = role
  }

  func opened(_ connection: VaultConnection) throws {
    try tell("didOpen", hooks.didOpen, connection)
  }

  /// Tells that the connection may be used now, the first time that it may.
  func ready(_ connection: VaultConnection) throws {
    if isReady { return }
    // Not twice, where the hook itself fails or asks.
    isReady = true
    try tell("didReady", hooks.didReady, connection)
  }

  func willClose(_ connection: VaultConnection) {
    guard !isClosed, let hook = hooks.willClose else { return }
    ConnectionHandle.lend(connection, path: path, role: role, to: hook)
  }

  func closed() {
    if isClosed { return }
    isClosed = true
    hooks.didClose?(path)
  }

  private func tell(
    _ name: String, _ hook: ((ConnectionHandle) throws -> Void)?, _ connection: VaultConnection
  ) throws {
    guard let hook else { return }
    do {
      try ConnectionHandle.lend(connection, path: path, role: role, to: hook)
    } catch {
      throw VaultError(
        .hookFailed,
        "The hook '\(name)' of the configuration refused a connection to '\(path)'. Correct what it "
          + "does, or leave it out.", underlying: error)
    }
  }
}
