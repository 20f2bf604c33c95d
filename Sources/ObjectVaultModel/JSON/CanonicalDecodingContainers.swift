/// Decodes the members of an object.
struct CanonicalKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let members: [JSONValue.Member]
  private let place: CodingPath?
  /// The positions of the names, only for objects that are too large for a linear search.
  private let index: [String: Int]?

  var codingPath: [any CodingKey] { place.keys }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

  init(_ value: JSONValue, at place: CodingPath?) throws {
    guard case .object(let members) = value else {
      throw CanonicalDecoder.mismatch(value, [String: Any].self, at: place)
    }
    self.members = members
    self.place = place
    index =
      members.count > 16
      ? Dictionary(
        members.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { $1 }) : nil
  }

  private func find(_ key: any CodingKey) -> JSONValue? {
    if let index { return index[key.stringValue].map { members[$0].value } }
    return members.last { $0.key == key.stringValue }?.value
  }

  private func member(_ key: any CodingKey) throws -> JSONValue {
    guard let value = find(key) else {
      throw DecodingError.keyNotFound(
        key, CanonicalDecoder.context("has no member '\(key.stringValue)'", at: place))
    }
    return value
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key) == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try value(of: key) }

  // Separate overloads, because the default implementations in the standard library throw.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(of: key) }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(of: key) }

  private func value<T: Decodable>(of key: Key) throws -> T {
    try CanonicalDecoder.decode(T.self, from: member(key), at: .step(key, from: place))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(
      try CanonicalKeyedDecoding<Nested>(member(key), at: .step(key, from: place)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try CanonicalUnkeyedDecoding(member(key), at: .step(key, from: place))
  }

  func superDecoder() throws -> any Decoder { superDecoder(for: PlaceKey.superclass) }

  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(for: key) }

  private func superDecoder(for key: any CodingKey) -> any Decoder {
    CanonicalDecoder(value: find(key) ?? .null, place: .step(key, from: place))
  }
}

/// Decodes the elements of an array in order.
struct CanonicalUnkeyedDecoding: UnkeyedDecodingContainer {
  private let elements: [JSONValue]
  private let place: CodingPath?
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { place.keys }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(_ value: JSONValue, at place: CodingPath?) throws {
    guard case .array(let elements) = value else {
      throw CanonicalDecoder.mismatch(value, [Any].self, at: place)
    }
    self.elements = elements
    self.place = place
  }

  private var step: CodingPath { .step(PlaceKey(index: currentIndex), from: place) }

  private func current(_ type: Any.Type) throws -> JSONValue {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, CanonicalDecoder.context("has no more elements", at: step))
    }
    return elements[currentIndex]
  }

  mutating func decodeNil() throws -> Bool {
    guard try current(Never.self) == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next() }

  // Separate overloads, because the default implementations in the standard library throw.
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next() }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next() }

  private mutating func next<T: Decodable>() throws -> T {
    let value = try CanonicalDecoder.decode(T.self, from: current(T.self), at: step)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let nested = try CanonicalKeyedDecoding<Nested>(current([String: Any].self), at: step)
    currentIndex += 1
    return KeyedDecodingContainer(nested)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let nested = try CanonicalUnkeyedDecoding(current([Any].self), at: step)
    currentIndex += 1
    return nested
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = CanonicalDecoder(value: try current((any Decoder).self), place: step)
    currentIndex += 1
    return decoder
  }
}
