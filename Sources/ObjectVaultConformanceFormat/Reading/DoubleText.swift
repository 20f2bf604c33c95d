/// The text of a double in fixtures: C's hexadecimal form, decimal digits, `inf`, `-inf`, `nan`.
package enum DoubleText {
  /// Returns the double that a text represents, or `nil` if the text is invalid.
  ///
  /// A hexadecimal text is invalid if no double has exactly its value.
  package static func parse(_ text: String) -> Double? {
    switch text {
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "nan": return .nan
    default: break
    }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let magnitude = isNegative ? text.dropFirst() : text[...]
    let value = magnitude.hasPrefix("0x") ? hexadecimal(magnitude.dropFirst(2)) : decimal(magnitude)
    return value.map { isNegative ? -$0 : $0 }
  }

  /// Returns the shortest decimal digits that represent the double.
  package static func shortest(_ value: Double) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    return value.description
  }

  private static func decimal(_ text: Substring) -> Double? {
    guard text.wholeMatch(of: #/[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/#) != nil,
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  private static func hexadecimal(_ text: Substring) -> Double? {
    guard
      let match = text.wholeMatch(of: #/([0-9a-fA-F]+)(?:\.([0-9a-fA-F]+))?p([-+]?[0-9]{1,5})/#),
      let power = Int(match.3)
    else { return nil }
    let fraction = match.2 ?? ""
    var digits = Substring(match.1 + fraction)
    var exponent = power - 4 * fraction.count
    while digits.count > 1, digits.last == "0" {
      digits.removeLast()
      exponent += 4
    }
    digits = digits.drop { $0 == "0" }
    if digits.isEmpty { return 0 }
    guard let integer = UInt64(digits, radix: 16), let significand = Double(exactly: integer)
    else { return nil }
    let value = Double(sign: .plus, exponent: exponent, significand: significand)
    guard value.isFinite, value.isNormal || value.isSubnormal,
      Double(sign: .plus, exponent: -exponent, significand: value) == significand
    else { return nil }
    return value
  }
}
