import Foundation
package import ObjectVaultCondition
package import ObjectVaultModel

/// Conversions of values to and from JSON and plain text, as in CSV.
///
/// A written value is read back as the same value.
package enum ExchangedValue {
  /// The reason why a value does not fit a type, in words that follow "is Int, and".
  package struct Refusal: Error {
    package var reason: String
  }
}

extension ExchangedValue {
  /// Returns the stored form of a JSON value for a type; the property checks the range.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - type: The type.
  ///   - isOptional: Whether the property is optional. If it is not, the JSON value null of a
  ///     composite is a value instead of `nil`.
  /// - Returns: The stored form.
  /// - Throws: ``Refusal``.
  package static func stored(
    _ value: JSONValue, as type: PropertyType, isOptional: Bool
  ) throws -> StoredValue {
    if value == .null, isOptional || type != .json { return .null }
    if type == .json { return .text(value.compactText) }
    switch (type.family, value) {
    case (.boolean, .bool(let flag)): return .integer(flag ? 1 : 0)
    case (.integer, .number(let digits)): return try integer(digits)
    case (.real, .number(let digits)), (.date, .number(let digits)):
      return try real(digits, as: type)
    case (.real, .string(let text)): return try infinity(text, found: value.kind)
    case (.text, .string(let text)), (.uuid, .string(let text)), (.url, .string(let text)):
      return .text(text)
    case (.decimal, .string(let text)), (.decimal, .number(let text)): return .text(text)
    case (.data, .string(let text)): return try base64(text)
    case (.date, .string(let text)): return try date(text)
    default: throw Refusal(reason: "the value is \(value.kind)")
    }
  }

  /// Returns the stored form of plain text for a type.
  ///
  /// - Throws: ``Refusal``.
  package static func stored(text: String, as type: PropertyType) throws -> StoredValue {
    switch type.family {
    case .boolean:
      switch text.lowercased() {
      case "true", "1": return .integer(1)
      case "false", "0": return .integer(0)
      default: throw Refusal(reason: "the text is neither true nor false")
      }
    case .integer: return try integer(text)
    case .real:
      return NumberText(text) == nil
        ? try infinity(text, found: "text that is not a number") : try real(text, as: type)
    case .date: return NumberText(text) == nil ? try date(text) : try real(text, as: type)
    case .data: return try base64(text)
    case .text, .uuid, .url, .decimal, .composite: return .text(text)
    }
  }

  private static func integer(_ text: String) throws -> StoredValue {
    if let number = Int64(text) { return .integer(number) }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isInteger = !digits.isEmpty && digits.utf8.allSatisfy { $0 &- 0x30 < 10 }
    throw Refusal(
      reason: isInteger
        ? "the number is outside the range of a signed 64-bit integer (use Decimal)"
        : "the value is not an integer")
  }

  private static func real(_ text: String, as type: PropertyType) throws -> StoredValue {
    if NumberText(text)?.isInteger == true {
      // Integers must be exact: 2^53 + 1 has no Double.
      guard let integer = Int64(text), let number = Double(exactly: integer) else {
        throw Refusal(
          reason: "the integer has no exact floating-point form (use Decimal)")
      }
      if type == .float, Float(exactly: number) == nil {
        throw Refusal(reason: "the integer needs more precision than Float has")
      }
      return .real(number)
    }
    let number = type == .float ? Float(text).map(Double.init) : Double(text)
    guard let number, number.isFinite else {
      throw Refusal(reason: "the number is too large")
    }
    return .real(number)
  }

  private static func infinity(_ text: String, found: String) throws -> StoredValue {
    switch text {
    case "inf": return .real(.infinity)
    case "-inf": return .real(-.infinity)
    default: throw Refusal(reason: "the value is \(found)")
    }
  }

  private static func date(_ text: String) throws -> StoredValue {
    if let seconds = StoredDate.seconds(iso8601: text) { return .real(seconds) }
    switch text {
    case "inf": return .real(.infinity)
    case "-inf": return .real(-.infinity)
    default:
      throw Refusal(
        reason: "the text is not a date in ISO 8601 with a time zone, such as 2026-03-01T12:30:00Z")
    }
  }

  private static func base64(_ text: String) throws -> StoredValue {
    guard let data = Data(base64Encoded: text) else {
      throw Refusal(reason: "the text is not base64")
    }
    return .blob([UInt8](data))
  }
}
