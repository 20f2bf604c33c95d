public import Synchronization
public import ObjectVaultDriver

/// A reference to an object that any thread may use without counting references to it.
///
/// Threads that read at once would otherwise all update one count. Three rules make it safe:
///
/// - The object is retained from its publication until the end of this value, which the user of the
///   reference must retain.
/// - Only one object is ever published. It can be withdrawn and published again.
/// - What the object refers to may be gone after it was withdrawn, so its user asks ``mark`` before
///   it relies on that.
@usableFromInline
package struct PublishedReference<Value: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let address = Atomic<UInt>(0)
  private let kept = MadeOnce<Value>()

  package init() {}

  /// The address of the object; 0 while none is published.
  @inlinable @inline(__always)
  package var mark: UInt { address.load(ordering: .acquiring) }

  /// Publishes the object for all threads.
  package func publish(_ value: Value) {
    let kept = kept.value(orMake: value)
    address.store(UInt(bitPattern: ObjectIdentifier(kept)), ordering: .releasing)
  }

  /// Withdraws the object. Threads that use it continue to.
  package func withdraw() { address.store(0, ordering: .releasing) }

  /// Calls `body` with the object.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`; `nil` while no object is published.
  /// - Throws: The error of `body`.
  @inlinable @inline(__always)
  package func withBorrowed<R>(_ body: (Value) throws -> R) rethrows -> R? {
    guard let object = UnsafeRawPointer(bitPattern: mark) else { return nil }
    return try Unmanaged<Value>.fromOpaque(object).borrowed(body)
  }
}
