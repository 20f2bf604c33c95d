import ObjectVaultCondition
import ObjectVaultDriver

/// The Swift type of a property, which is no part of its description: all are equal.
package struct ValueType: Sendable, Hashable {
  private let type: Any.Type?

  package init(_ type: Any.Type? = nil) { self.type = type }

  /// The number of cases of an enumeration that lists them; `nil` for any other type.
  var caseCount: Int? {
    func count<T: CaseIterable>(_ type: T.Type) -> Int { type.allCases.count }
    return (wrapped as? any CaseIterable.Type).map { count($0) }
  }

  /// Whether the type has a raw value, so that not every stored value may be one of the type.
  package var hasRawValue: Bool { wrapped is any RawRepresentable.Type }

  /// Whether the type is a ``Ref`` or an optional ``Ref``.
  var isReference: Bool { type is any ReferenceValue.Type }

  /// Reads a column of a row as the type, if known.
  ///
  /// - Throws: An error if the type does not have the value.
  func read(_ row: Row, at position: Int, storedAs form: PropertyType) throws {
    func readRawValue<T: RawRepresentable>(_ type: T.Type) throws {
      guard let raw = T.RawValue.self as? any StorableValue.Type else { return }
      guard let raw = try raw.read(from: row, at: position) as? T.RawValue, T(rawValue: raw) != nil
      else { throw VaultError.unreadable("an unknown raw value", at: position, reading: T.self) }
    }
    if let type = type as? any StorableValue.Type {
      _ = try type.read(from: row, at: position)
    } else if form == .json, let type = type as? any Decodable.Type {
      _ = try decodeCanonicalJSON(type, from: row.text(at: position) ?? "")
    } else if let type = type as? any RawRepresentable.Type {
      try readRawValue(type)
    }
  }

  /// Returns whether the type has only some values of its stored form, and `other` may have others.
  func isNarrower(than other: ValueType, storedAs form: PropertyType) -> Bool {
    guard let type = wrapped, let other = other.wrapped else { return false }
    return type != other && (form == .json || type is any RawRepresentable.Type)
  }

  /// The type, or the wrapped type of an optional.
  var wrapped: Any.Type? { (type as? any OptionalType.Type)?.wrapped ?? type }

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
