import ObjectVaultDriver
package import ObjectVaultSession

/// A database of objects: each class is a table, and a store inserts and finds the objects of one.
///
/// ``Vault`` is a database in an encrypted file. Stores, queries and transactions need nothing
/// of a file, so they are operations of every database.
///
/// ```swift
/// func register(_ student: Student, in database: any Database) throws {
///   try database.transaction { try database.store(of: Student.self).insert(student) }
/// }
/// ```
///
/// Only types of this library can conform, because only they can create a ``DatabaseHandle``.
public protocol Database: AnyObject, Sendable {
  /// The state of the database in this process.
  var handle: DatabaseHandle { get }
}

/// A database that can open itself, which every database of this library is.
package protocol DatabaseProvider: Database {
  /// Opens the database, unless it is open.
  ///
  /// - Returns: The open database.
  /// - Throws: The errors of opening it.
  func openNow() throws -> any OpenDatabase

  /// Prepares for a change of stored classes by the transaction of a session.
  ///
  /// - Parameter session: The session of the transaction.
  /// - Throws: An error, if the classes must not be changed.
  func willUpgrade(on session: Session) throws
}

extension Database {
  /// The database that can open itself.
  private var provider: any DatabaseProvider {
    get throws(VaultError) {
      if let provider = self as? any DatabaseProvider { return provider }
      throw VaultError(
        .invalidArgument,
        "The type \(Self.self) conforms to Database but cannot open one. Use a vault.")
    }
  }

  /// Returns the open database; opens it on first use.
  package func opened() throws -> any OpenDatabase {
    if let open = try handle.current() { return open }
    return try provider.openNow()
  }

  /// Returns the open database; opens it off the caller's thread, because a key derivation can take
  /// long.
  func openedOffThread() async throws -> any OpenDatabase {
    if let open = try handle.current() { return open }
    return try await Executors.runAlone { try self.opened() }
  }

  /// Prepares for a change of stored classes, see ``DatabaseProvider/willUpgrade(on:)``.
  func willUpgrade(on session: Session) throws { try provider.willUpgrade(on: session) }

  /// Opens the database now instead of at the first use, so that a wrong key is reported here.
  ///
  /// - Throws: ``VaultError``: `.wrongKey`, `.noSuchFile`, `.notEncrypted`, `.truncated`,
  ///   `.damaged`, `.newerCipherFormat`, `.cannotOpen` and similar codes.
  @available(*, noasync, message: "Call it with 'await'.")
  public func open() throws {
    _ = try opened()
  }

  /// Opens the database without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError``: `.wrongKey`, `.noSuchFile`, `.notEncrypted` and similar codes.
  public func open() async throws {
    _ = try await openedOffThread()
  }

  /// Returns the result of `body`, which runs on an executor of the database.
  ///
  /// - Parameters:
  ///   - direction: Whether `body` reads or writes.
  ///   - sharing: Whether the commit may be shared with the next operations, if the configuration
  ///     allows it.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of opening the database.
  package func onExecutor<R: Sendable>(
    _ direction: Executors.Direction, sharing: Bool = false,
    _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    let opened = try await openedOffThread()
    return try await opened.sessions.executors.run(
      direction, of: opened.sessions, sharing: sharing && opened.options.groupsCommits, body)
  }
}
