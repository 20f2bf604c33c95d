public import Synchronization

/// A lazily created object; concurrent first uses get the same object.
///
/// `Synchronization.AtomicLazyReference` is not used because it is not specialised for the object's
/// type: checking for the object takes hundreds of instructions.
@usableFromInline
package struct MadeOnce<Value: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, or 0 before its creation.
  @usableFromInline let address = Atomic<UInt>(0)

  @inlinable
  package init() {}

  @inlinable
  deinit { Self.object(address.load(ordering: .acquiring))?.release() }

  /// The object, if it was created.
  @inlinable
  package var present: Value? {
    Self.object(address.load(ordering: .acquiring))?.takeUnretainedValue()
  }

  /// Returns the object; creates it on first use.
  ///
  /// - Parameter make: Creates the object. If another thread creates one first, that one is used.
  /// - Returns: The object.
  @inlinable
  package func value(orMake make: @autoclosure () -> Value) -> Value {
    if let present { return present }
    let made = Unmanaged.passRetained(make())
    let (isFirst, other) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let first = Self.object(other) else { return made.takeUnretainedValue() }
    made.release()
    return first.takeUnretainedValue()
  }

  @inlinable
  static func object(_ address: UInt) -> Unmanaged<Value>? {
    UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
  }
}
