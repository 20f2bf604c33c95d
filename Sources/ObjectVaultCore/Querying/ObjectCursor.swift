import ObjectVaultEngine

/// A lazy iteration over the objects of a query.
///
/// It holds a reading connection, and sees the file as it was when the iteration began, until the
/// last object was given or the cursor is released. Inside a transaction or a read scope of the
/// thread it reads through that and ends with it. It belongs to the thread that made it.
public final class ObjectCursor<T: VaultObject>: ExpiringCursor {
  /// Where the connection comes from.
  private enum Source {
    case lease, scope, transaction
  }

  private let query: Query<T>
  private let file: VaultFile
  private let source: Source
  private let sql: QuerySQL
  // Both are given up before the file is, which must outlive its connections.
  private var connection: VaultConnection?
  private var statement: Statement?
  private var isWatching = false
  private var isExpired = false

  init(_ query: Query<T>) throws {
    let file = try query.store.vault.file()
    try query.store.state.checkValid()
    self.query = query
    self.file = file
    let connection: VaultConnection
    if file.isInTransaction {
      source = .transaction
      connection = try query.store.write { $0 }
    } else if let scope = file.currentScope {
      source = .scope
      connection = try query.store.read { _ in scope.connection }
    } else {
      source = .lease
      connection = try file.leaseReader()
    }
    self.connection = connection
    sql = QuerySQL(query, firstList: connection.listsInUse)
    isWatching = file.watch(connection)
    do {
      try connection.fillLists(of: sql)
      // A statement of its own: others may run while the iteration lasts.
      let statement = try connection.engine.prepare(sql.select, persistent: false)
      sql.bind(to: statement)
      self.statement = statement
      switch source {
      case .lease: break
      case .scope: file.currentScope?.add(self)
      case .transaction: file.addCursor(self)
      }
    } catch {
      let error = failure(error)
      finish()
      throw error
    }
  }

  /// The next object, or `nil` after the last.
  ///
  /// - Throws: ``VaultError``; the iteration is over then. `.invalidated` when the table or the
  ///   vault was removed, `.invalidArgument` when the transaction or read scope that the iteration
  ///   was begun in is over.
  public func next() throws -> T? {
    if isExpired {
      throw VaultError(
        .invalidArgument,
        "The iteration was begun inside a transaction or read scope and cannot go on after it. "
          + "End it inside, or begin it outside.")
    }
    guard let statement else { return nil }
    do {
      try Cancellation.check()
      try file.checkUsable()
      try query.store.state.checkValid()
      if try statement.step() { return try query.store.object(statement) }
    } catch {
      let error = failure(error)
      finish()
      throw error
    }
    finish()
    return nil
  }

  private func failure(_ error: any Error) -> any Error {
    if source == .transaction { file.noteFailure() }
    if isWatching, Cancellation.current?.isCancelled == true { return VaultError.cancelled }
    return VaultError.from(error, path: file.path)
  }

  func expire() {
    isExpired = statement != nil
    finish()
  }

  private func finish() {
    guard let connection else { return }
    statement = nil
    connection.emptyLists(of: sql)
    if isWatching { connection.watched = nil }
    isWatching = false
    self.connection = nil
    if source == .lease { file.endLease(connection) }
  }

  deinit { finish() }
}
