import Foundation
import ObjectVaultDriver
import ObjectVaultModel

extension FixtureValue {
  /// The Swift value that a user would pass as the argument of a condition.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if no Swift value corresponds to it.
  package var argument: Any? {
    get throws {
      switch self {
      case .null: return nil
      case .bool(let value): return value
      case .integer(let value): return value
      case .double(let value): return value
      case .text(let value): return value
      case .data(let bytes): return Data(bytes)
      case .date(let seconds): return Date(timeIntervalSince1970: seconds)
      case .decimal(let text):
        return try Self.made("Decimal", Decimal(plainDigits: text))
      case .uuid(let text): return try Self.made("UUID", UUID(uuidString: text))
      case .url(let text): return try Self.made("URL", URL(storedText: text))
      case .json(let text):
        guard let value = try? JSONParser.parse(text) else {
          throw VaultError(.invalidValue, "The text of the composite argument is not JSON.")
        }
        return JSONComposite(value)
      case .list(let elements): return try elements.map { try $0.argument }
      case .object: throw RequestProblem("An object cannot be the argument of a condition.")
      }
    }
  }

  private static func made<T>(_ type: String, _ value: T?) throws -> T {
    guard let value else {
      throw VaultError(.invalidValue, "The text of the argument is not a valid \(type).")
    }
    return value
  }
}

/// A composite defined by its JSON alone.
struct JSONComposite: Encodable {
  private let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(JSONComposite(element)) }
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for member in members {
        try container.encode(JSONComposite(member.value), forKey: Name(stringValue: member.key))
      }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(in: &container)
    }
  }

  private func encodeScalar(in container: inout any SingleValueEncodingContainer) throws {
    switch value {
    case .bool(let bool): try container.encode(bool)
    case .string(let text): try container.encode(text)
    case .number(let digits):
      if let integer = Int128(digits) {
        try Self.encode(integer, in: &container)
      } else {
        try container.encode(Double(digits) ?? .nan)
      }
    default: try container.encodeNil()
    }
  }

  /// Encodes a value through the generic method.
  ///
  /// The container's own overloads for the widest integers throw errors.
  private static func encode<T: Encodable>(
    _ value: T, in container: inout any SingleValueEncodingContainer
  ) throws {
    try container.encode(value)
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
