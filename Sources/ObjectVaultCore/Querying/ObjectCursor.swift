import ObjectVaultEngine

/// A lazy iteration over the objects of a query.
///
/// It holds a reading connection, and sees the file as it was when the iteration began, until the
/// last object was given or the cursor is released. Inside a transaction of the thread it reads
/// through the transaction, and must end before it. It belongs to the thread that made it.
public final class ObjectCursor<T: VaultObject> {
  private let query: Query<T>
  private let file: VaultFile
  private let connection: VaultConnection
  private let isLeased: Bool
  private let sql: QuerySQL
  private var statement: Statement?

  init(_ query: Query<T>) throws {
    self.query = query
    file = try query.store.vault.file()
    try query.store.state.checkValid()
    isLeased = !file.isInTransaction
    let connection =
      try isLeased ? file.leaseReader() : query.store.write { $0 }
    self.connection = connection
    sql = QuerySQL(query, firstList: connection.listsInUse)
    do {
      try connection.fillLists(of: sql)
      // A statement of its own: others may run while the iteration lasts.
      let statement = try connection.engine.prepare(sql.select, persistent: false)
      sql.bind(to: statement)
      self.statement = statement
    } catch {
      let error = VaultError.from(error, path: file.path)
      finish()
      throw error
    }
  }

  /// The next object, or `nil` after the last.
  ///
  /// - Throws: ``VaultError``; the iteration is over then.
  public func next() throws -> T? {
    guard let statement else { return nil }
    do {
      if try statement.step() { return try query.store.object(statement) }
    } catch {
      finish()
      throw VaultError.from(error, path: file.path)
    }
    finish()
    return nil
  }

  private var isFinished = false

  private func finish() {
    guard !isFinished else { return }
    isFinished = true
    statement = nil
    connection.emptyLists(of: sql)
    if isLeased { file.endLease(connection) }
  }

  deinit { finish() }
}
