import Foundation
package import ObjectVaultCondition
package import ObjectVaultDriver
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
    case (.real, .integer(let number)):
      // Columns without a type store 2.0 as 2.
      return Double(exactly: number).map { real($0, type) } ?? .integer(number)
    case (_, .integer(let number)): return .integer(number)
    case (_, .real(let number)): return real(number, type)
    case (_, .text(let text)): return .string(text)
    case (_, .blob(let bytes)): return .string(Data(bytes).base64EncodedString())
    }
  }

  /// Appends the JSON form of a column, which ``json(_:_:)`` returns for its value.
  ///
  /// Common values are written without a copy.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  ///   - type: The type of the value.
  ///   - output: The text in UTF-8.
  package static func append(
    _ row: Row, at position: Int, _ type: PropertyType, to output: inout [UInt8]
  ) {
    switch (row.storage(at: position), type.family) {
    case (.real, .date):
      let seconds = row.real(at: position)
      output.append(UInt8(ascii: "\""))
      if ISODate.append(seconds, exactly: true, to: &output) {
        output.append(UInt8(ascii: "\""))
      } else {
        output.removeLast()
        real(seconds, .double).write(to: &output)
      }
    case (.text, .text):
      // Only ASCII is known to be valid UTF-8.
      let isDone = row.withText(at: position) { utf8 in
        guard utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        JSONText.append(utf8: utf8, to: &output)
        return true
      }
      if !isDone { JSONText.append(row.text(at: position) ?? "", to: &output) }
    case (.blob, .data):
      output.append(UInt8(ascii: "\""))
      output.append(contentsOf: row.withBytes(at: position) { Data($0).base64EncodedString().utf8 })
      output.append(UInt8(ascii: "\""))
    default: json(row.storedValue(at: position), type).write(to: &output)
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
    ISODate.text(seconds, exactly: true).map(JSONValue.string) ?? real(seconds, .double)
  }
}
