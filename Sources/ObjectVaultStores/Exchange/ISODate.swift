/// A formatter of dates in UTC as ISO 8601.
package enum ISODate {
  /// Returns a text such as `2026-03-01T12:30:00.25Z`, or `nil` outside the years 0 to 9999.
  ///
  /// - Parameters:
  ///   - seconds: The seconds since 1970-01-01 00:00 UTC.
  ///   - exactly: Whether to return `nil` if the seconds have parts of microseconds too.
  /// - Returns: The text, rounded to the microsecond.
  package static func text(_ seconds: Double, exactly: Bool = false) -> String? {
    var output: [UInt8] = []
    guard append(seconds, exactly: exactly, to: &output) else { return nil }
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends the text that ``text(_:exactly:)`` returns.
  ///
  /// - Returns: Whether there is one.
  static func append(_ seconds: Double, exactly: Bool, to output: inout [UInt8]) -> Bool {
    // From 0000-01-01 to 9999-12-31.
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return false }
    let total = Int64((seconds * 1_000_000).rounded())
    // The division with which `StoredDate` reads the text.
    if exactly, Double(total) / 1_000_000 != seconds { return false }
    let (days, microseconds) = total.quotientAndRemainder(roundedDownBy: 86_400_000_000)
    let (year, month, day) = civil(days)
    guard (0...9999).contains(year) else { return false }
    let second = microseconds / 1_000_000
    append(year, 4, then: "-", to: &output)
    append(month, 2, then: "-", to: &output)
    append(day, 2, then: "T", to: &output)
    append(second / 3600, 2, then: ":", to: &output)
    append(second / 60 % 60, 2, then: ":", to: &output)
    let fraction = microseconds % 1_000_000
    append(second % 60, 2, then: fraction == 0 ? "Z" : ".", to: &output)
    if fraction > 0 {
      let (digits, width) = fraction.withoutTrailingZeros(6)
      append(digits, width, then: "Z", to: &output)
    }
    return true
  }

  /// Appends the last digits of a number, with leading zeros, and a separator.
  private static func append(
    _ number: Int64, _ width: Int, then separator: Unicode.Scalar, to output: inout [UInt8]
  ) {
    var divisor: Int64 = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      output.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
    output.append(UInt8(ascii: separator))
  }

  /// Returns the date a number of days after 1970-01-01 in the proleptic Gregorian calendar.
  ///
  /// The algorithm uses eras of 400 years (146,097 days) with years that begin on the 1st of March,
  /// so that a leap day is the last day of its year.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  /// Returns a quotient rounded towards negative infinity, with a remainder that is not negative.
  fileprivate func quotientAndRemainder(roundedDownBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// Returns the number and its number of digits without the zeros at its end.
  fileprivate func withoutTrailingZeros(_ width: Int) -> (Int64, Int) {
    var (number, width) = (self, width)
    while number.isMultiple(of: 10) {
      number /= 10
      width -= 1
    }
    return (number, width)
  }
}
