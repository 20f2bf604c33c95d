/// Calls `body` with one of some values where it lies.
///
/// No copy is made, which would count the references to all that an object holds: the compiler makes none
/// of values that it does not know to be copyable.
@inlinable
@inline(__always)
func lend<Value: ~Copyable, R>(
  _ values: UnsafeBufferPointer<Value>, at position: Int,
  to body: (borrowing Value) throws -> R
) rethrows -> R {
  try body(values[position])
}
