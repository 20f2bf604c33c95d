/// Calls `body` with one of some values where it lies.
///
/// Taken for one that cannot be copied it is not, which would count the references to all that an object
/// holds.
@inlinable
@inline(__always)
func lend<Value: ~Copyable, R>(
  _ values: UnsafeBufferPointer<Value>, at position: Int,
  to body: (borrowing Value) throws -> R
) rethrows -> R {
  try body(values[position])
}
