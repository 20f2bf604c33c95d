import ObjectVaultCondition

extension PropertyDescription {
  /// A stored value as one of this property, where nothing of it is lost.
  ///
  /// Numbers become others that are equal, texts and numbers each other where one can be told from the
  /// other, texts what they are the text of. A number does not become a date: what it counted is not
  /// known. Nor does anything become what a converter reads: which values it has, only that knows.
  ///
  /// - Parameter oldType: What the value was, where that is known.
  /// - Returns: `nil` where something would be lost, or the property has no such value.
  func converted(
    _ value: StoredValue, from oldType: PropertyType?, in description: ClassDescription,
    at position: Int
  ) -> StoredValue? {
    if converter != nil, let oldType, oldType.family != type.family, value != .null { return nil }
    if type == .date, let oldType, oldType != .date, value != .null { return nil }
    guard let candidate = Self.candidate(value, for: type) else { return nil }
    do throws(VaultError) {
      return try checked(candidate, in: description, at: position)
    } catch {
      return nil
    }
  }

  private static func candidate(_ value: StoredValue, for type: PropertyType) -> StoredValue? {
    switch (value, type.family) {
    case (.integer(let number), .text): return .text(String(number))
    case (.real(let number), .text): return .text("\(number)")
    case (.real(let number), .integer), (.real(let number), .boolean):
      return Int64(exactly: number).map { .integer($0) }
    case (.real(let number), .decimal): return .text("\(number)")
    case (.text(let text), .integer):
      // No other text stands for the number.
      return Int64(text).flatMap { String($0) == text ? .integer($0) : nil }
    case (.text(let text), .real):
      if let integer = Int64(text), String(integer) == text { return .integer(integer) }
      return Double(text).flatMap { "\($0)" == text ? .real($0) : nil }
    default: return value
    }
  }
}
