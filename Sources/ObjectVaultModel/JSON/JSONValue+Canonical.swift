extension JSONValue {
  /// The value as canonical JSON, as composites are stored.
  ///
  /// Members are sorted by the UTF-8 bytes of their names, doubles have their shortest form, and
  /// there is no white space.
  var canonicalText: String { canonical.compactText }

  private var canonical: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.canonical))
    case .object(let members):
      .object(
        members.map { Member($0.key, $0.value.canonical) }
          .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    case .number(let digits) where digits.contains { ".eE".contains($0) }:
      Double(digits).flatMap(JSONValue.real) ?? self
    case .number("-0"): .number("0")
    default: self
    }
  }
}
