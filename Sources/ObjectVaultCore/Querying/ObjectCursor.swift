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
  /// What the read scope that it was begun in keeps of the class.
  private var kept: KeptObjects<T>?
  /// Objects that were read with those that belong to them, last first.
  private var ready: [T] = []
  /// How long the engine took so far, where anybody wants to know.
  private var timing: QueryTiming?
  /// Whether the statement gave its last row: asked for another, it would begin again.
  private var isAtEnd = false
  /// How many objects are read at a time where others belong to them.
  private static var chunk: Int { 256 }
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
      connection = try file.write { $0 }
    } else if let scope = file.currentScope {
      source = .scope
      connection = try query.store.read { _ in scope.connection }
      kept = try query.store.keptObjects()
    } else {
      source = .lease
      connection = try file.leaseReader()
    }
    self.connection = connection
    sql = QuerySQL(query, firstList: connection.nextList)
    timing = QueryTiming(query.store.access)
    isWatching = file.watch(connection)
    do {
      try connection.fill(sql.lists)
      // A statement of its own: others may run while the iteration lasts.
      let statement = try connection.engine.prepare(sql.select.text, persistent: false)
      sql.bind(to: statement.binder)
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
    if let object = ready.popLast() {
      try Cancellation.check()
      return object
    }
    guard let statement else { return nil }
    do {
      try Cancellation.check()
      try file.checkUsable()
      try query.store.state.checkValid()
      if query.store.mustLoadOwned {
        if let object = try nextWithOwned(statement) { return object }
      } else if try step(statement) {
        return try query.store.object(statement, kept)
      }
    } catch {
      let error = failure(error)
      finish()
      throw error
    }
    finish()
    return nil
  }

  private func step(_ statement: Statement) throws -> Bool {
    guard timing != nil else { return try statement.step() }
    return try timing?.measuring { try statement.step() } ?? false
  }

  /// Reads some objects ahead: one query for those that belong to all of them.
  private func nextWithOwned(_ statement: Statement) throws -> T? {
    guard let connection, !isAtEnd else { return nil }
    var objects: [T] = []
    while objects.count < Self.chunk, !isAtEnd {
      if try step(statement) {
        objects.append(try query.store.object(statement))
      } else {
        isAtEnd = true
      }
    }
    try query.store.loadOwned(&objects, on: connection)
    kept?.merge(&objects)
    ready = objects.reversed()
    return ready.popLast()
  }

  private func failure(_ error: any Error) -> any Error {
    if source == .transaction { file.noteFailure() }
    if isWatching, Cancellation.current?.isCancelled == true { return VaultError.cancelled }
    let error = VaultError.from(error, path: file.path)
    guard let refusal = error as? VaultError, refusal.code == .engineRefused else { return error }
    return (try? query.store.access.meaning(of: refusal, in: file)) ?? refusal
  }

  /// Lets the operation that the thread runs now be cancelled while the cursor reads for it: one
  /// after another, several can.
  func beginWatching() {
    if let connection, !isWatching { isWatching = file.watch(connection) }
  }

  /// Ends what ``beginWatching()`` began.
  func endWatching() {
    if isWatching { connection?.watched = nil }
    isWatching = false
  }

  func expire() {
    isExpired = statement != nil
    finish()
  }

  private func finish() {
    guard let connection else { return }
    timing?.report(sql.select.text)
    // Whoever still holds it lets go of it when the connection is another thread's already.
    statement?.finalize()
    statement = nil
    kept = nil
    connection.empty(sql.lists)
    if isWatching { connection.watched = nil }
    isWatching = false
    self.connection = nil
    if source == .lease { file.endLease(connection) }
  }

  deinit { finish() }
}
