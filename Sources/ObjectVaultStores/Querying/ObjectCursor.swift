import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
public import ObjectVaultSession

/// A lazy iteration over the objects of a query.
///
/// The cursor holds a reading connection and a snapshot of the file, from the time when it is
/// created. It releases both after the last object or when the cursor is deallocated. Inside a
/// transaction or a read scope of the thread, the cursor reads through its connection and ends with
/// it. Use a cursor only on the thread that created it.
///
/// If the class has owned objects, the cursor reads up to 256 objects with their owned objects at a
/// time. After a change inside the same transaction, it reads each of them again.
///
/// ```swift
/// let cursor = try students.where("age >= 18").cursor()
/// while let student = try cursor.next() { print(student.name) }
/// ```
public final class ObjectCursor<T: VaultObject>: ExpiringCursor {
  /// The origin of the connection.
  private enum Source {
    case lease, scope, transaction
  }

  private let query: Query<T>
  private let opened: any OpenDatabase
  private let source: Source
  /// The SQL of the query, once it is written.
  private var sql: QuerySQL?
  // Both are released before the file, which must outlive its connections.
  private var session: Session?
  private var statement: Statement?
  /// The objects of the class that the enclosing read scope retains.
  private var kept: KeptObjects<T>?
  /// The identity map of these objects, which must outlive them.
  private var map: IdentityMap?
  /// Objects that were read ahead with their owned objects, in reverse order.
  private var ready: [T] = []
  /// The number of rows that the connection had changed when it read these objects.
  private var changeCount = 0
  /// Whether there is a first row, which was read for the snapshot; `nil` once it was used.
  private var hasFirstRow: Bool?
  /// The time spent in the engine so far; `nil` if no one measures it.
  private var timing: QueryTiming?
  /// Whether the statement returned its last row; another step would restart it.
  private var isAtEnd = false
  /// The number of objects read at a time if they own other objects.
  private let chunk: Int
  private var isWatching = false
  /// Whether the cursor began a read transaction on its session.
  private var hasTransaction = false
  private var isExpired = false

  /// The number of objects with owned objects that a cursor reads at a time.
  static var chunk: Int { 256 }

  init(_ query: Query<T>, chunk: Int = ObjectCursor.chunk) throws {
    let opened = try query.store.database.opened()
    try query.store.table.checkValid()
    self.query = query
    self.chunk = chunk
    self.opened = opened
    let session: Session
    if opened.sessions.isInTransaction {
      source = .transaction
      session = try opened.join { $0 }
    } else if let scope = opened.sessions.currentScope {
      source = .scope
      session = try query.store.read { _ in scope.session }
      kept = try query.store.keptObjects()
      map = kept?.retainedMap
    } else {
      source = .lease
      session = try opened.lease()
    }
    self.session = session
    timing = QueryTiming(query.store.access)
    isWatching = session.watch()
    do {
      if source == .lease, query.store.mustLoadOwned {
        // Objects and their owned objects are read by several statements.
        try session.execute(session.connection.catalog.beginReading)
        hasTransaction = true
        try session.execute(session.connection.catalog.firstRead)
      }
      let sql = try QuerySQL(query, firstList: session.nextList)
      self.sql = sql
      try session.fill(sql.lists)
      // A separate statement: others may run during the iteration.
      let statement = try session.connection.prepare(sql.select.text, persistent: false)
      sql.bind(to: statement.binder)
      self.statement = statement
      switch source {
      case .lease where !hasTransaction: hasFirstRow = try step(statement)
      case .lease: break
      case .scope: opened.sessions.currentScope?.add(self)
      case .transaction: opened.sessions.add(self)
      }
    } catch {
      let error = failure(error)
      finish()
      throw error
    }
  }

  /// Returns the next object, or `nil` after the last.
  ///
  /// - Throws: ``VaultError``, which ends the iteration: `.invalidated` if the table or the vault
  ///   was removed, `.invalidArgument` if the transaction or read scope of the iteration has ended.
  public func next() throws -> T? {
    if isExpired {
      throw VaultError(
        .invalidArgument,
        "The iteration began inside a transaction or read scope and cannot continue after it. End "
          + "it inside, or begin it outside.")
    }
    guard let statement else { return nil }
    do {
      try Cancellation.check()
      while let object = ready.popLast() {
        if let object = try current(object) { return object }
      }
      try opened.sessions.checkUsable()
      try query.store.table.checkValid()
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
    if let hasFirstRow = hasFirstRow.take() { return hasFirstRow }
    guard timing != nil else { return try statement.step() }
    return try timing?.measuring { try statement.step() } ?? false
  }

  /// Reads a chunk of objects, and all their owned objects with one query.
  private func nextWithOwned(_ statement: Statement) throws -> T? {
    guard let session, !isAtEnd else { return nil }
    var objects: [T] = []
    while objects.count < chunk, !isAtEnd {
      if try step(statement) {
        objects.append(try query.store.object(statement))
      } else {
        isAtEnd = true
      }
    }
    try query.store.loadOwned(&objects, on: session)
    kept?.merge(&objects)
    ready = objects.reversed()
    changeCount = session.changeCount
    return ready.popLast()
  }

  /// Returns an object that was read ahead as it is stored now, or `nil` if it was removed.
  private func current(_ object: T) throws -> T? {
    guard source == .transaction, let session, session.changeCount != changeCount,
      let id = object.storedObjectID
    else { return object }
    return try query.store.find(id)
  }

  private func failure(_ error: any Error) -> any Error {
    if source == .transaction { opened.sessions.noteFailure() }
    if isWatching, Cancellation.current?.isCancelled == true { return VaultError.cancelled }
    let error = opened.describe(error)
    guard let refusal = error as? VaultError, refusal.code == .engineRefused else { return error }
    return (try? query.store.access.meaning(of: refusal, in: opened)) ?? refusal
  }

  /// Makes the thread's current operation able to cancel the reads of the cursor.
  ///
  /// Several operations can use the cursor in turn.
  package func beginWatching() {
    if let session, !isWatching { isWatching = session.watch() }
  }

  /// Ends the effect of ``beginWatching()``.
  package func endWatching() {
    if isWatching { session?.endWatch() }
    isWatching = false
  }

  package func expire() {
    isExpired = statement != nil
    finish()
  }

  private func finish() {
    guard let session else { return }
    if let sql { timing?.report(sql.select.text) }
    // Other holders release the statement later, when another thread may use the connection.
    statement?.finalize()
    statement = nil
    (kept, map) = (nil, nil)
    if let sql { session.empty(sql.lists) }
    if isWatching { session.endWatch() }
    isWatching = false
    if hasTransaction { try? session.execute("COMMIT") }
    hasTransaction = false
    self.session = nil
    if source == .lease { opened.endLease(session) }
  }

  deinit { finish() }
}
