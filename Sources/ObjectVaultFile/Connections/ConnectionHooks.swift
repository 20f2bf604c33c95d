import ObjectVaultDriver
import ObjectVaultSession

/// The closures that a vault calls as its connections open and close.
///
/// A vault has one writer connection and opens reader connections on demand; the hooks are called
/// for each. The order for each connection is `didOpen`, `didReady`, `willClose`, `didClose`.
/// Upgrades of the vault's schema happen between the first and the second, so code in ``didReady``
/// sees the program's schema. Classes whose stores are requested later are upgraded at that time.
///
/// The hooks run on the thread that needs the connection and must be quick. They must not use the
/// vault itself. Handles on one file share its connections, and the hooks of the handle that opened
/// it.
///
/// ```swift
/// configuration.hooks.didOpen = { connection in
///   if connection.path.hasSuffix("archive.vault") { try connection.set(.cacheSize, to: 4) }
/// }
/// ```
public struct ConnectionHooks: Sendable {
  /// The hook for a connection that was opened with a verified key.
  ///
  /// If it throws, the connection closes, and the operation that needed it fails with
  /// `.hookFailed`.
  public var didOpen: (@Sendable (ConnectionHandle) throws -> Void)?
  /// The hook for a connection about to be used, after the vault has the program's schema.
  ///
  /// If it throws, the connection closes, and the operation that needed it fails with
  /// `.hookFailed`. If that was the opening of the vault, the vault is closed.
  public var didReady: (@Sendable (ConnectionHandle) throws -> Void)?
  /// The hook for a connection that is about to close and can still be queried.
  ///
  /// It may run while a vault is deallocated.
  public var willClose: (@Sendable (ConnectionHandle) -> Void)?
  /// The hook for a closed connection, called with the path of its file.
  public var didClose: (@Sendable (String) -> Void)?

  /// Creates an empty set of hooks.
  public init() {}

  /// Whether no hook is set.
  var isEmpty: Bool {
    didOpen == nil && didReady == nil && willClose == nil && didClose == nil
  }
}

/// The hooks of one connection, with a record of the calls made so far.
final class HookedConnection: SessionObserver {
  private let hooks: ConnectionHooks
  private let path: String
  private let role: ConnectionHandle.Role
  private var isReady = false
  private var isClosed = false

  /// Creates the hooks of a connection; `nil` if the settings have none.
  init?(_ settings: VaultConfiguration, path: String, role: ConnectionHandle.Role) {
    if settings.hooks.isEmpty { return nil }
    hooks = settings.hooks
    self.path = path
    self.role = role
  }

  func opened(_ session: Session) throws {
    try tell("didOpen", hooks.didOpen, session)
  }

  /// Calls `didReady` the first time that the connection may be used.
  func ready(_ session: Session) throws {
    if isReady { return }
    // Only once, even if the hook fails or queries the connection.
    isReady = true
    try tell("didReady", hooks.didReady, session)
  }

  func willClose(_ session: Session) {
    guard !isClosed, let hook = hooks.willClose else { return }
    ConnectionHandle.lend(session, path: path, role: role, to: hook)
  }

  func didClose() {
    if isClosed { return }
    isClosed = true
    hooks.didClose?(path)
  }

  private func tell(
    _ name: String, _ hook: ((ConnectionHandle) throws -> Void)?, _ session: Session
  ) throws {
    guard let hook else { return }
    do {
      try ConnectionHandle.lend(session, path: path, role: role, to: hook)
    } catch {
      throw VaultError(
        .hookFailed,
        "The hook '\(name)' of the configuration rejected a connection to '\(path)'. Correct the "
          + "hook, or remove it.",
        underlying: error)
    }
  }
}
