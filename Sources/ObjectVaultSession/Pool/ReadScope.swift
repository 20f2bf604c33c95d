import ObjectVaultDriver

/// The reads of one thread that see the same snapshot of the file.
package final class ReadScope {
  package let session: Session
  /// The enclosing scope of the thread on another pool.
  let outer: ReadScope?
  /// The pool outlives the call that the scope lasts for.
  private unowned(unsafe) let pool: SessionPool
  /// The objects that the scope caches, if it does.
  package var objects: AnyObject?
  /// The iterations that began inside and hold the connection's snapshot.
  private var cursors = OpenCursors()

  init(_ session: Session, of pool: SessionPool, inside outer: ReadScope?) {
    self.session = session
    self.pool = pool
    self.outer = outer
  }

  @inline(__always)
  func isOf(_ pool: SessionPool) -> Bool { self.pool === pool }

  /// The ``SessionPool/mark`` of the pool.
  var mark: UInt { pool.mark }

  package func add(_ cursor: any ExpiringCursor) { cursors.add(cursor) }

  /// Ends the iterations, because another thread will use the connection.
  package func end() { cursors.expire() }
}
