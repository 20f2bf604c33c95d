public import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultEngine
public import ObjectVaultModel
import ObjectVaultSession
import ObjectVaultStores

/// A connection of a vault as it is passed to hooks.
///
/// Hooks can query the file, and change settings that cannot weaken the vault. A handle is valid
/// only while the hook runs.
///
/// ```swift
/// configuration.hooks.didOpen = { connection in
///   if connection.role == .reader { try connection.set(.cacheSize, to: 8) }
/// }
/// ```
public final class ConnectionHandle {
  /// The role of a connection.
  public enum Role: Sendable, Hashable {
    /// The single writer connection.
    case writer
    /// One of the reader connections.
    case reader
  }

  /// A setting that a hook can change on a connection.
  public enum Setting: String, Sendable, Hashable, CaseIterable {
    /// The cache for decrypted pages, in MiB: 1 to 65,536.
    case cacheSize
    /// Whether the engine may create an automatic index for a statement: 0 or 1.
    case automaticIndexes
    /// The size in bytes to which an empty log is truncated: 0 to 1 GiB, or -1 for no limit.
    case logSizeLimit
  }

  /// The absolute path of the file.
  public let path: String
  /// The role of the connection.
  public let role: Role
  private var session: Session?

  private init(_ session: Session, path: String, role: Role) {
    self.session = session
    self.path = path
    self.role = role
  }

  /// Calls `body` with a handle that is invalid afterwards.
  static func lend<R>(
    _ session: Session, path: String, role: Role,
    to body: (ConnectionHandle) throws -> R
  ) rethrows -> R {
    let handle = ConnectionHandle(session, path: path, role: role)
    defer { handle.session = nil }
    return try body(handle)
  }

  /// Changes a setting of this connection only.
  ///
  /// - Parameters:
  ///   - setting: The setting.
  ///   - value: The new value.
  /// - Throws: ``VaultError`` `.invalidArgument` for a value out of range, and after the hook
  ///   ended.
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

  /// Returns the rows of one read-only statement.
  ///
  /// - Parameters:
  ///   - sql: The statement, with `?` for each value. Never put values into the text.
  ///   - arguments: The values.
  /// - Returns: The values of each row.
  /// - Throws: ``VaultError``: `.invalidArgument` for a statement that changes the file, for a
  ///   wrong number of arguments, and after the hook ended; `.engineRefused` for an invalid
  ///   statement.
  public func rows(_ sql: String, _ arguments: any StorableValue...) throws -> [[StoredValue]] {
    let session = try current()
    do {
      let run = try SQLRun(
        SQLStatement(unchecked: sql, values: arguments.map { try $0.storedValue }), on: session)
      guard run.isReadOnly else {
        throw VaultError(
          .invalidArgument,
          "A hook cannot change the contents of the vault. Change them with the vault's schema, or "
            + "after the vault is open.")
      }
      return try run.allValues()
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  private func current() throws(VaultError) -> Session {
    if let session { return session }
    throw VaultError(
      .invalidArgument,
      "The connection was used after its hook returned. Use it only inside the call.")
  }

  private func check(
    _ setting: Setting, _ value: Int, _ range: ClosedRange<Int>
  ) throws(VaultError) {
    guard !range.contains(value) else { return }
    throw VaultError(
      .invalidArgument,
      "The value of the connection's setting '\(setting.rawValue)' is out of range. Use a value "
        + "from \(range.lowerBound) to \(range.upperBound).")
  }
}
