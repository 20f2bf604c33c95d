import Synchronization

/// An object that is made when it is first asked for; where threads ask at once, they get the same.
///
/// Not `Synchronization.AtomicLazyReference`, which is not compiled for the object's type: to look whether
/// there is one takes hundreds of instructions.
struct MadeOnce<Value: AnyObject & Sendable>: ~Copyable, Sendable {
  /// 0 while there is none.
  private let address = Atomic<UInt>(0)

  deinit { Self.object(address.load(ordering: .acquiring))?.release() }

  /// The object, where it was made.
  var present: Value? { Self.object(address.load(ordering: .acquiring))?.takeUnretainedValue() }

  /// The object.
  ///
  /// - Parameter make: Makes it; where another thread did meanwhile, that one is taken.
  func value(orMake make: @autoclosure () -> Value) -> Value {
    if let present { return present }
    let made = Unmanaged.passRetained(make())
    let (isFirst, other) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let first = Self.object(other) else { return made.takeUnretainedValue() }
    made.release()
    return first.takeUnretainedValue()
  }

  private static func object(_ address: UInt) -> Unmanaged<Value>? {
    UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
  }
}
