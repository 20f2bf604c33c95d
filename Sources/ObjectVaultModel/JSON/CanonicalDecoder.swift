import ObjectVaultDriver

/// Returns a value decoded from canonical JSON, or from any equivalent JSON.
///
/// - Throws: ``VaultError`` with code `.invalidValue` if the text is not JSON or not a value of
///   `type`. The message contains the coding path and never the value.
package func decodeCanonicalJSON<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
  let value: JSONValue
  do {
    value = try JSONParser.parse(text)
  } catch {
    throw VaultError(
      .invalidValue, "The text for \(T.self) is not JSON. \(error)", underlying: error)
  }
  do {
    return try CanonicalDecoder.decode(T.self, from: value, at: nil)
  } catch {
    throw VaultError.composite(error, of: T.self, writing: false)
  }
}

/// The decoder passed to the `init(from:)` of one value.
struct CanonicalDecoder: Decoder {
  let value: JSONValue
  let place: CodingPath?

  var codingPath: [any CodingKey] { place.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns a decoded value of any type.
  static func decode<T: Decodable>(
    _ type: T.Type, from value: JSONValue, at place: CodingPath?
  ) throws -> T {
    guard place.depth <= JSONValue.depthLimit else {
      throw DecodingError.dataCorrupted(
        context("is more than \(JSONValue.depthLimit) levels deep", at: place))
    }
    if let known = T.self as? any CanonicallyDecodable.Type,
      let decoded = try known.init(canonical: value, at: place) as? T
    {
      return decoded
    }
    return try T(from: CanonicalDecoder(value: value, place: place))
  }

  static func context(_ reason: String, at place: CodingPath?) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: place.keys, debugDescription: reason,
      underlyingError: CompositeRefusal(reason: reason))
  }

  /// Returns the error for a value of a different kind than the JSON form of `type`.
  static func mismatch(_ value: JSONValue, _ type: Any.Type, at place: CodingPath?) -> DecodingError
  {
    if case .null = value { return .valueNotFound(type, context("is null", at: place)) }
    return .typeMismatch(type, context("is \(value.kind)", at: place))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try CanonicalKeyedDecoding<Key>(value, at: place))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try CanonicalUnkeyedDecoding(value, at: place)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension CanonicalDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null = value { true } else { false }
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try single() }

  // Separate overloads, because the default implementations in the standard library throw.
  func decode(_ type: Int128.Type) throws -> Int128 { try single() }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try single() }

  private func single<T: Decodable>() throws -> T {
    // One level deeper, so that a type that decodes itself with its own decoder reaches the limit.
    try Self.decode(T.self, from: value, at: .step(PlaceKey.value, from: place))
  }
}
