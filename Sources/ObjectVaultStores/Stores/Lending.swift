/// Calls `body` with one of the values in place.
///
/// This makes no copy, which would count references to everything that an object holds: the
/// compiler does not copy values of a type that may be noncopyable.
@inlinable
@inline(__always)
func lend<Value: ~Copyable, R>(
  _ values: UnsafeBufferPointer<Value>, at position: Int,
  to body: (borrowing Value) throws -> R
) rethrows -> R {
  try body(values[position])
}
