/// A formatter of dates in UTC as ISO 8601.
package enum ISODate {
  /// Returns a text such as `2026-03-01T12:30:00.25Z`, or `nil` outside the years 0 to 9999.
  package static func text(_ seconds: Double) -> String? {
    // From 0000-01-01 to 9999-12-31.
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
    var microseconds = Int64((seconds * 1_000_000).rounded())
    let perDay: Int64 = 86_400_000_000
    var days = microseconds / perDay
    microseconds %= perDay
    if microseconds < 0 {
      microseconds += perDay
      days -= 1
    }
    let (year, month, day) = civil(days)
    guard (0...9999).contains(year) else { return nil }
    let second = microseconds / 1_000_000
    var text =
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    var fraction = padded(microseconds % 1_000_000, 6)
    while fraction.last == "0" { fraction.removeLast() }
    if !fraction.isEmpty { text += "." + fraction }
    return text + "Z"
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

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
