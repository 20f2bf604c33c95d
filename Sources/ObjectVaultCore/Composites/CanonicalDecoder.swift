/// Reads a value from canonical JSON, or from any JSON that says the same.
///
/// - Throws: ``VaultError`` with code `.invalidValue` where the text is no JSON or not one of `type`,
///   naming the place and not the value.
package func decodeCanonicalJSON<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
  try decodeJSON(type, from: Result { () throws(JSONError) in try JSONParser.parse(text) })
}

/// Reads a value from canonical JSON given as UTF-8.
///
/// - Throws: as the form for text.
package func decodeCanonicalJSON<T: Decodable>(
  _ type: T.Type, from utf8: UnsafeRawBufferPointer
) throws -> T {
  try decodeJSON(type, from: Result { () throws(JSONError) in try JSONParser.parse(utf8) })
}

private func decodeJSON<T: Decodable>(
  _ type: T.Type, from parsed: Result<JSONValue, JSONError>
) throws -> T {
  let value: JSONValue
  do {
    value = try parsed.get()
  } catch {
    throw VaultError(
      .invalidValue, "The text to be read as \(T.self) is not JSON. \(error)", underlying: error)
  }
  do {
    return try CanonicalDecoder.decode(T.self, from: value, at: nil)
  } catch {
    throw VaultError.composite(error, of: T.self, writing: false)
  }
}

/// The decoder given to one value's `init(from:)`.
struct CanonicalDecoder: Decoder {
  let value: JSONValue
  let place: CodingPath?

  var codingPath: [any CodingKey] { place.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Reads a value of any type.
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

  /// The value is of another kind than `type` is written as.
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

  // Named, since the standard library has forms of its own for these two, which refuse.
  func decode(_ type: Int128.Type) throws -> Int128 { try single() }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try single() }

  private func single<T: Decodable>() throws -> T {
    // One level further in, or a type that decodes itself by itself would never end.
    try Self.decode(T.self, from: value, at: .step(PlaceKey.value, from: place))
  }
}
