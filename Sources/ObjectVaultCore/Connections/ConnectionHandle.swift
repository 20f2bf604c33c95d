public import ObjectVaultCondition
import ObjectVaultEngine

/// A connection of a vault, as its hooks see it: they may look into the file, and set what cannot weaken
/// the vault. It is of use only while the hook runs.
public final class ConnectionHandle {
  /// What a connection is for.
  public enum Role: Sendable, Hashable {
    /// The one connection that writes.
    case writer
    /// One of those that read.
    case reader
  }

  /// What a hook can set on a connection.
  public enum Setting: String, Sendable, Hashable, CaseIterable {
    /// Memory for decrypted pages, in MiB: 1 to 65,536.
    case cacheSize
    /// Whether the engine may make an index for one statement by itself: 0 or 1.
    case automaticIndexes
    /// To how many bytes the log is cut when it is empty: 0 to 1 GiB, or -1 for no limit.
    case logSizeLimit
  }

  /// The absolute path of the file.
  public let path: String
  /// What the connection is for.
  public let role: Role
  private var connection: VaultConnection?

  private init(_ connection: VaultConnection, path: String, role: Role) {
    self.connection = connection
    self.path = path
    self.role = role
  }

  /// Calls `body` with a handle that is of no use afterwards.
  static func lend<R>(
    _ connection: VaultConnection, path: String, role: Role,
    to body: (ConnectionHandle) throws -> R
  ) rethrows -> R {
    let handle = ConnectionHandle(connection, path: path, role: role)
    defer { handle.connection = nil }
    return try body(handle)
  }

  /// Changes a setting of this connection alone.
  ///
  /// - Throws: ``VaultError``: `.invalidArgument` for a value out of range, and after the hook ended.
  public func set(_ setting: Setting, to value: Int) throws {
    let engine = try current().engine
    switch setting {
    case .cacheSize:
      try check(setting, value, 1...65_536)
      try engine.setPragma("cache_size", to: "\(-value * 1024)", expecting: "\(-value * 1024)")
    case .automaticIndexes:
      try check(setting, value, 0...1)
      try engine.setPragma("automatic_index", to: "\(value)", expecting: "\(value)")
    case .logSizeLimit:
      try check(setting, value, -1...1_073_741_824)
      try engine.setPragma("journal_size_limit", to: "\(value)", expecting: "\(value)")
    }
  }

  /// The rows that one statement gives which changes nothing.
  ///
  /// - Parameters:
  ///   - sql: The statement, with `?` where a value is to be. Values are never part of the text.
  ///   - arguments: The values.
  /// - Throws: ``VaultError``: `.invalidArgument` for what changes something, for another number of
  ///   arguments than the statement has, and after the hook ended; `.engineRefused` for what is no
  ///   statement.
  public func rows(_ sql: String, _ arguments: any StorableValue...) throws -> [[StoredValue]] {
    let connection = try current()
    do {
      let run = try SQLRun(
        SQLStatement(unchecked: sql, values: arguments.map { try $0.storedValue }), on: connection)
      guard run.isReadOnly else {
        throw VaultError(
          .invalidArgument,
          "A hook cannot change what is in the vault. Do that with its schema, or once it is open.")
      }
      return try run.rows().map(\.values)
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  private func current() throws(VaultError) -> VaultConnection {
    if let connection { return connection }
    throw VaultError(
      .invalidArgument,
      "The hook that this connection was given to is over. Use it only inside the call.")
  }

  private func check(
    _ setting: Setting, _ value: Int, _ range: ClosedRange<Int>
  ) throws(VaultError) {
    guard !range.contains(value) else { return }
    throw VaultError(
      .invalidArgument,
      "The setting '\(setting.rawValue)' of a connection must be from \(range.lowerBound) to "
        + "\(range.upperBound).")
  }
}
