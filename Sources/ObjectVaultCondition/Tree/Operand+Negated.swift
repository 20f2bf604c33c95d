extension Operand {
  /// Returns the operand with the opposite sign: another literal, or a subtraction from zero.
  func negated(at place: TextPlace) -> Operand {
    let negative: Literal
    switch kind {
    case .literal(.integer(let value)) where value != .min: negative = .integer(-value)
    case .literal(.number(let written)): negative = .number(Self.negated(written))
    case .literal(.interval(let written, let unit)):
      negative = .interval(Self.negated(written), unit)
    default:
      return Operand(
        .arithmetic(.subtract, Operand(.literal(.integer(0)), at: place), self), at: place)
    }
    return Operand(.literal(negative), at: place)
  }

  private static func negated(_ number: String) -> String {
    number.hasPrefix("-") ? String(number.dropFirst()) : "-" + number
  }
}
