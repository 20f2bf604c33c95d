import ObjectVaultCondition

extension JSONValue {
  /// The value as canonical JSON, as composites are stored.
  ///
  /// Members are sorted by the UTF-8 bytes of their names as written, in quotes and with escapes,
  /// as ``canonicalJSON(_:)`` sorts them. Numbers with a point or an exponent have the shortest form
  /// of a double, and there is no white space.
  package var canonicalText: String { canonical.compactText }

  /// Whether each number in ``canonicalText`` equals the original one.
  package var retainsNumbers: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy(\.retainsNumbers)
    case .object(let members): members.allSatisfy(\.value.retainsNumbers)
    case .number(let digits):
      if case .number(let stored) = canonical {
        DecimalText.canonical(stored) == DecimalText.canonical(digits)
      } else {
        false
      }
    default: true
    }
  }

  private var canonical: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.canonical))
    case .object(let members):
      .object(
        members.map { (JSONText.quoted($0.key), Member($0.key, $0.value.canonical)) }
          .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
          .map { $0.1 })
    case .number(let digits) where digits.contains { ".eE".contains($0) }:
      Double(digits).flatMap(JSONValue.real) ?? self
    case .number("-0"): .number("0")
    default: self
    }
  }
}
