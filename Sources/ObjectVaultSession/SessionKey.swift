import Synchronization

/// A key under which a feature keeps an object with each session.
///
/// ```swift
/// extension Session {
///   private static let referencesKey = SessionKey { References() }
///   var references: References { self[Self.referencesKey] }
/// }
/// ```
@usableFromInline
package struct SessionKey<Value: AnyObject>: Sendable {
  @usableFromInline let index: Int
  @usableFromInline let make: @Sendable () -> Value

  /// Creates a key; keep it in a static constant.
  ///
  /// - Parameter make: Creates the object of a session on first use.
  package init(_ make: @escaping @Sendable () -> Value) {
    index = SessionKeys.count.wrappingAdd(1, ordering: .relaxed).oldValue
    self.make = make
  }
}

private enum SessionKeys {
  static let count = Atomic<Int>(0)
}

extension Session {
  /// The object that a feature keeps with the session.
  @inlinable
  package subscript<Value>(key: SessionKey<Value>) -> Value {
    if key.index < kept.count, let value = kept[key.index] {
      // Only this key has the index.
      return unsafeDowncast(value, to: Value.self)
    }
    let value = key.make()
    keep(value, at: key.index)
    return value
  }

  @usableFromInline
  func keep(_ value: AnyObject, at index: Int) {
    if index >= kept.count {
      kept.append(contentsOf: repeatElement(nil, count: index + 1 - kept.count))
    }
    kept[index] = value
  }
}
