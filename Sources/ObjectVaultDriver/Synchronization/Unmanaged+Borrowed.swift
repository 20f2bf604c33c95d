// The only place at which an object is used without counting a reference to it. Others must retain
// the object until the closure returns: see PublishedReference for the objects of a pool and RowValues
// for those of a row. The engine retains the object of an aggregate until the last row.
extension Unmanaged {
  /// Calls `body` with the object, which someone else retains until `body` returns.
  ///
  /// Threads that read at the same time would otherwise count references to one object.
  @inlinable @inline(__always)
  package func borrowed<R>(_ body: (Instance) throws -> R) rethrows -> R {
    try _withUnsafeGuaranteedRef { try body($0) }
  }
}
