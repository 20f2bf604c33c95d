/// The Swift type of a property, which is no part of its description: all are equal.
package struct ValueType: Sendable, Hashable {
  private let type: Any.Type?

  package init(_ type: Any.Type? = nil) { self.type = type }

  /// The number of cases of an enumeration that lists them; `nil` for any other type.
  var caseCount: Int? {
    func count<T: CaseIterable>(_ type: T.Type) -> Int { type.allCases.count }
    let wrapped = (type as? any OptionalType.Type)?.wrapped ?? type
    return (wrapped as? any CaseIterable.Type).map { count($0) }
  }

  package static func == (a: ValueType, b: ValueType) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

/// An optional type and its wrapped type.
private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
