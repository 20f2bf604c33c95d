import Foundation
import ObjectVaultCore

/// Stored values as the tool writes them, in every format.
///
/// What it gives is read back by ``ValueReader`` as the same value.
enum ValueText {
  /// A value as JSON: integers as digits, bytes as base64, dates as ISO 8601, decimals as text,
  /// composites as the JSON they are.
  static func json(_ value: StoredValue, _ type: PropertyType) -> JSONValue {
    switch (type.family, value) {
    case (_, .null): return .null
    case (.boolean, .integer(0)): return .bool(false)
    case (.boolean, .integer(1)): return .bool(true)
    case (.date, .real(let seconds)): return date(seconds)
    case (.date, .integer(let seconds)): return date(Double(seconds))
    case (.composite, .text(let text)):
      return (try? JSONParser.parse(text)) ?? .string(text)
    case (_, .integer(let number)): return .integer(number)
    case (_, .real(let number)): return real(number, type)
    case (_, .text(let text)): return .string(text)
    case (_, .blob(let bytes)): return .string(Data(bytes).base64EncodedString())
    }
  }

  /// A value as text without quotes; `nil` for nil.
  static func plain(_ value: StoredValue, _ type: PropertyType) -> String? {
    if type == .json, case .text(let text) = value { return text }
    switch json(value, type) {
    case .null: return nil
    case .bool(let flag): return flag ? "true" : "false"
    case .number(let digits): return digits
    case .string(let text): return text
    case let composite: return composite.compactText
    }
  }

  /// JSON has no infinities: they are text, as in `"-inf"`.
  private static func real(_ number: Double, _ type: PropertyType) -> JSONValue {
    if type == .float, let digits = JSONText.number(Float(number)) { return .number(digits) }
    return JSONValue.real(number) ?? .string(number > 0 ? "inf" : "-inf")
  }

  /// A date that ISO 8601 cannot say exactly, as one far from today, is its seconds since 1970.
  private static func date(_ seconds: Double) -> JSONValue {
    let text = ISODate.text(seconds)
    if let text, StoredDate.seconds(iso8601: text) == seconds { return .string(text) }
    return real(seconds, .double)
  }
}

/// Dates in UTC as ISO 8601.
enum ISODate {
  /// `2026-03-01T12:30:00.25Z`, or `nil` outside the years 0 to 9999.
  static func text(_ seconds: Double) -> String? {
    // 0000-01-01 to 9999-12-31.
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

  /// The date so many days after 1970-01-01 in the proleptic Gregorian calendar: eras of 400 years
  /// (146,097 days) that begin on the 1st of March, so that a leap day is the last of its year.
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
