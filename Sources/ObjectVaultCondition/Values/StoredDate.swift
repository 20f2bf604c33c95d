/// The stored form of dates: seconds since 1970-01-01 00:00 UTC, rounded to the microsecond.
@usableFromInline
package enum StoredDate {
  /// Returns seconds in the stored form of a date: rounded to the microsecond and never -0.0.
  ///
  /// Foundation counts a date from 2001 in a double. Outside 1865...2106 its precision is about a
  /// microsecond. Rounding there would move it to a neighboring value and back, so the value is not
  /// rounded.
  @inlinable
  package static func rounded(_ seconds: Double) -> Double {
    // The limits are 2^32 seconds before 2001 and 2^32 seconds after 1970.
    guard seconds > -3_316_660_096, seconds < 4_294_967_296 else { return seconds }
    return (seconds * 1_000_000).rounded() / 1_000_000 + 0
  }

  /// Returns the seconds of an ISO 8601 date and time with a zone, or `nil` for any other text.
  ///
  /// An example is `2026-03-01T12:30:00.25+01:00`. Seconds and their fraction are optional, and a
  /// space may replace the `T`.
  package static func seconds(iso8601 text: String) -> Double? {
    seconds(text, isComplete: true)
  }

  /// Returns the seconds of an ISO 8601 date in a condition, or `nil` for any other text.
  ///
  /// The zone can be missing, which is UTC, and so can the time, which is midnight UTC.
  package static func seconds(written text: String) -> Double? {
    seconds(text, isComplete: false)
  }

  private static func seconds(_ text: String, isComplete: Bool) -> Double? {
    var reader = Reader(bytes: Array(text.utf8)[...])
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      (1...12).contains(month), reader.take("-"), let day = reader.number(2),
      (1...daysInMonth(month, of: year)).contains(day)
    else { return nil }
    if !isComplete, reader.bytes.isEmpty { return Double(days(year, month, day)) * 86_400 }
    guard reader.take("T") || reader.take("t") || reader.take(" "),
      let hour = reader.number(2), hour < 24, reader.take(":"), let minute = reader.number(2),
      minute < 60
    else { return nil }
    var microseconds = 0
    if reader.take(":") {
      guard let second = reader.number(2), second < 60 else { return nil }
      microseconds = second * 1_000_000
      if reader.take(".") || reader.take(",") {
        guard let fraction = reader.fraction() else { return nil }
        microseconds += fraction
      }
    }
    let isUTC = !isComplete && reader.bytes.isEmpty
    guard let zone = isUTC ? 0 : reader.zone(), reader.bytes.isEmpty else { return nil }
    let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - zone
    return Double(minutes * 60_000_000 + microseconds) / 1_000_000
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days from 1970-01-01 in the proleptic Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let previous = year - 1
    var days = 365 * year + previous / 4 - previous / 100 + previous / 400
    // Year 0 was a leap year and the formula does not count it.
    if year > 0 { days += 1 }
    for earlier in 1..<month { days += daysInMonth(earlier, of: year) }
    return days + day - 1 - 719_528
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func take(_ symbol: Unicode.Scalar) -> Bool {
      guard let byte = bytes.first, Unicode.Scalar(byte) == symbol else { return false }
      bytes.removeFirst()
      return true
    }

    mutating func number(_ count: Int) -> Int? {
      guard bytes.count >= count else { return nil }
      var value = 0
      for byte in bytes.prefix(count) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      bytes = bytes.dropFirst(count)
      return value
    }

    /// Reads the digits after the point and returns them as microseconds.
    mutating func fraction() -> Int? {
      var value = 0
      var count = 0
      while let digit = number(1) {
        if count < 6 { value = value * 10 + digit }
        if count == 6, digit >= 5 { value += 1 }
        count += 1
      }
      guard count > 0 else { return nil }
      while count < 6 {
        value *= 10
        count += 1
      }
      return value
    }

    /// Reads the zone and returns its offset from UTC in minutes.
    mutating func zone() -> Int? {
      if take("Z") || take("z") { return 0 }
      let isWest = take("-")
      guard isWest || take("+"), let hours = number(2), hours < 24 else { return nil }
      var minutes = 0
      if !bytes.isEmpty {
        _ = take(":")
        guard let written = number(2), written < 60 else { return nil }
        minutes = written
      }
      return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
  }
}
