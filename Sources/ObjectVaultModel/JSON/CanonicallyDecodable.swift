import Foundation
import ObjectVaultCondition

/// A type with a fixed canonical JSON form, for decoding; the counterpart of
/// ``CanonicallyEncodable``.
protocol CanonicallyDecodable {
  init(canonical value: JSONValue, at place: CodingPath?) throws
}

extension CanonicallyDecodable where Self: FixedWidthInteger {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    guard case .number(let digits) = value else {
      throw CanonicalDecoder.mismatch(value, Self.self, at: place)
    }
    if let number = Self(digits) {
      self = number
    } else if !digits.isPlainInteger, let plain = DecimalText.canonical(digits),
      let number = Self(plain)
    {
      self = number  // 1.0 or 1e3, which other encoders write for integers
    } else {
      throw DecodingError.dataCorrupted(
        CanonicalDecoder.context("is a number outside the range of \(Self.self)", at: place))
    }
  }
}

extension String {
  /// Whether the number's text has neither a point nor an exponent.
  fileprivate var isPlainInteger: Bool { utf8.allSatisfy { $0 < 0x3A && $0 != 0x2E } }
}

extension Int: CanonicallyDecodable {}
extension Int8: CanonicallyDecodable {}
extension Int16: CanonicallyDecodable {}
extension Int32: CanonicallyDecodable {}
extension Int64: CanonicallyDecodable {}
extension Int128: CanonicallyDecodable {}
extension UInt: CanonicallyDecodable {}
extension UInt8: CanonicallyDecodable {}
extension UInt16: CanonicallyDecodable {}
extension UInt32: CanonicallyDecodable {}
extension UInt64: CanonicallyDecodable {}
extension UInt128: CanonicallyDecodable {}

extension CanonicallyDecodable where Self: BinaryFloatingPoint & LosslessStringConvertible {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    guard case .number(let digits) = value else {
      throw CanonicalDecoder.mismatch(value, Self.self, at: place)
    }
    guard let number = Self(digits), number.isFinite else {
      throw DecodingError.dataCorrupted(
        CanonicalDecoder.context("is a number outside the range of \(Self.self)", at: place))
    }
    self = number
  }
}

extension Double: CanonicallyDecodable {}
extension Float: CanonicallyDecodable {}

extension Bool: CanonicallyDecodable {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    guard case .bool(let flag) = value else {
      throw CanonicalDecoder.mismatch(value, Bool.self, at: place)
    }
    self = flag
  }
}

extension String: CanonicallyDecodable {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    guard case .string(let text) = value else {
      throw CanonicalDecoder.mismatch(value, String.self, at: place)
    }
    self = text
  }
}

extension Date: CanonicallyDecodable {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    self.init(timeIntervalSince1970: try Double(canonical: value, at: place))
  }
}

/// A type with a text form in canonical JSON.
protocol CanonicalText: CanonicallyDecodable {
  static var form: String { get }
  static func parse(_ text: String) -> Self?
}

extension CanonicalText {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    guard case .string(let text) = value else {
      throw CanonicalDecoder.mismatch(value, Self.self, at: place)
    }
    guard let parsed = Self.parse(text) else {
      throw DecodingError.dataCorrupted(CanonicalDecoder.context("is not \(Self.form)", at: place))
    }
    self = parsed
  }
}

extension Data: CanonicalText {
  static var form: String { "base64" }
  static func parse(_ text: String) -> Data? { Data(base64Encoded: text) }
}

extension UUID: CanonicalText {
  static var form: String { "a UUID" }
  static func parse(_ text: String) -> UUID? { UUID(uuidString: text) }
}

extension URL: CanonicalText {
  static var form: String { "a URL" }
  static func parse(_ text: String) -> URL? { URL(storedText: text) }
}

extension Decimal: CanonicalText {
  static var form: String { "a decimal number in plain digits" }
  static func parse(_ text: String) -> Decimal? { Decimal(plainDigits: text) }
}

extension Optional: CanonicallyDecodable where Wrapped: Decodable {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    if case .null = value {
      self = nil
    } else {
      self = try CanonicalDecoder.decode(Wrapped.self, from: value, at: place)
    }
  }
}

extension Array: CanonicallyDecodable where Element: Decodable {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    guard case .array(let elements) = value else {
      throw CanonicalDecoder.mismatch(value, [Element].self, at: place)
    }
    self = []
    reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      let step = CodingPath.step(PlaceKey(index: index), from: place)
      append(try CanonicalDecoder.decode(Element.self, from: element, at: step))
    }
  }
}

extension Set: CanonicallyDecodable where Element: Decodable {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    self.init(try [Element](canonical: value, at: place))
  }
}

extension Dictionary: CanonicallyDecodable where Key: Decodable, Value: Decodable {
  init(canonical value: JSONValue, at place: CodingPath?) throws {
    let step = CodingPath.step(PlaceKey.dictionaryEntry, from: place)
    self = [:]
    switch value {
    case .object(let members) where Key.self == String.self:
      for member in members {
        guard let key = member.key as? Key else { continue }
        let value = try CanonicalDecoder.decode(Value.self, from: member.value, at: step)
        guard updateValue(value, forKey: key) == nil else { throw Self.twice(at: place) }
      }
    case .array(let entries) where Key.self != String.self:
      for entry in entries {
        guard case .array(let pair) = entry, pair.count == 2 else {
          throw DecodingError.dataCorrupted(
            CanonicalDecoder.context("is not an array of keys and values", at: step))
        }
        let key = try CanonicalDecoder.decode(Key.self, from: pair[0], at: step)
        let value = try CanonicalDecoder.decode(Value.self, from: pair[1], at: step)
        guard updateValue(value, forKey: key) == nil else { throw Self.twice(at: place) }
      }
    default: throw CanonicalDecoder.mismatch(value, Self.self, at: place)
    }
  }

  private static func twice(at place: CodingPath?) -> DecodingError {
    .dataCorrupted(CanonicalDecoder.context("has a duplicate key", at: place))
  }
}
