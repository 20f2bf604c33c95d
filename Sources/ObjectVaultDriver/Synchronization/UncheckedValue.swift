/// A value in memory of its own, without exclusivity checks.
///
/// The owner ensures that accesses do not overlap, for example by a lock.
@usableFromInline
package struct UncheckedValue<Value>: ~Copyable {
  @usableFromInline let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  @inlinable
  package init(_ value: Value) { pointer.initialize(to: value) }

  @inlinable
  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// The value.
  @inlinable
  package var value: Value {
    @inline(__always) _read { yield pointer.pointee }
    @inline(__always) nonmutating _modify { yield &pointer.pointee }
  }
}
