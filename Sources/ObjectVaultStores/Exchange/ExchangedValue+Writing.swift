import Foundation
package import ObjectVaultCondition
package import ObjectVaultModel

extension ExchangedValue {
  /// Returns the JSON form of a value.
  ///
  /// Integers are digits, bytes base64, dates ISO 8601, decimals text, and composites JSON.
  package static func json(_ value: StoredValue, _ type: PropertyType) -> JSONValue {
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

  /// Returns a value as text without quotes; `nil` for nil.
  package static func plain(_ value: StoredValue, _ type: PropertyType) -> String? {
    if type == .json, case .text(let text) = value { return text }
    switch json(value, type) {
    case .null: return nil
    case .bool(let flag): return flag ? "true" : "false"
    case .number(let digits): return digits
    case .string(let text): return text
    case let composite: return composite.compactText
    }
  }

  /// Returns a number as JSON; infinities are text, as in `"-inf"`, because JSON has none.
  private static func real(_ number: Double, _ type: PropertyType) -> JSONValue {
    if type == .float, let digits = JSONText.number(Float(number)) { return .number(digits) }
    return JSONValue.real(number) ?? .string(number > 0 ? "inf" : "-inf")
  }

  /// Returns a date as ISO 8601 text, or as seconds since 1970 if the text would not be exact.
  private static func date(_ seconds: Double) -> JSONValue {
    let text = ISODate.text(seconds)
    if let text, StoredDate.seconds(iso8601: text) == seconds { return .string(text) }
    return real(seconds, .double)
  }
}
