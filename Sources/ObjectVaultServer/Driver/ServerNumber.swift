import ObjectVaultCondition

/// A `numeric` of PostgreSQL: digits of base 10,000 with a weight (`numeric_send`).
struct ServerNumber {
  private let digits: [Int]
  private let weight: Int
  private let isNegative: Bool

  /// Reads a number; `nil` for NaN, an infinity, and other bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    func short(_ index: Int) -> UInt16? {
      guard 2 * index + 2 <= bytes.count else { return nil }
      return UInt16(bytes[2 * index]) << 8 | UInt16(bytes[2 * index + 1])
    }
    guard let count = short(0), let weight = short(1), let sign = short(2),
      sign == 0 || sign == 0x4000
    else { return nil }
    var digits: [Int] = []
    for index in 0..<Int(count) {
      guard let digit = short(4 + index), digit < 10_000 else { return nil }
      digits.append(Int(digit))
    }
    self.digits = digits
    self.weight = Int(Int16(bitPattern: weight))
    isNegative = sign == 0x4000
  }

  /// The number as an integer; `nil` if it has a fraction or does not fit.
  private var integer: Int64? {
    var value: Int64 = 0
    for place in 0...max(weight, digits.count - 1, 0) {
      let digit = Int64(place < digits.count ? digits[place] : 0)
      if place > weight {
        if digit != 0 { return nil }
        continue
      }
      let (scaled, overflow) = value.multipliedReportingOverflow(by: 10_000)
      let (sum, carry) = scaled.subtractingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
    }
    // The value was built below zero, where there is one number more.
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The number in decimal digits.
  private var text: String {
    let whole = (0...max(weight, 0)).map { place -> String in
      let digit = weight >= 0 && place < digits.count ? digits[place] : 0
      let text = String(digit)
      return String(repeating: "0", count: 4 - text.count) + text
    }
    var fraction = ""
    if weight < -1 { fraction = String(repeating: "0000", count: -1 - weight) }
    for place in max(weight + 1, 0)..<max(digits.count, weight + 1, 0) {
      let text = String(digits[place])
      fraction += String(repeating: "0", count: 4 - text.count) + text
    }
    return (isNegative ? "-" : "") + whole.joined() + "." + (fraction.isEmpty ? "0" : fraction)
  }

  /// The number as it is stored: an integer if it is one and fits, otherwise rounded to a double.
  var storedValue: StoredValue {
    if let integer { return .integer(integer) }
    return Double(text).map(StoredValue.real) ?? .null
  }
}
