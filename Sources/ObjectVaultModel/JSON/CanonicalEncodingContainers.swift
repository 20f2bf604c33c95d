/// Encodes the members of an object.
struct CanonicalKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let container: CanonicalContainer
  private let place: CodingPath?

  var codingPath: [any CodingKey] { place.keys }

  init(_ container: CanonicalContainer, at place: CodingPath?) {
    self.container = container
    self.place = place
  }

  func encodeNil(forKey key: Key) throws { container.set(.null, for: key.stringValue) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try set(value, for: key) }

  // Separate overloads, because the default implementations in the standard library throw.
  func encode(_ value: Int128, forKey key: Key) throws { try set(value, for: key) }

  func encode(_ value: UInt128, forKey key: Key) throws { try set(value, for: key) }

  private func set<T: Encodable>(_ value: T, for key: Key) throws {
    let step = CodingPath.step(key, from: place)
    container.set(try CanonicalEncoder.piece(of: value, at: step), for: key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let step = CodingPath.step(key, from: place)
    let nested = CanonicalContainer(.object, at: step)
    container.set(.container(nested), for: key.stringValue)
    return KeyedEncodingContainer(CanonicalKeyedEncoding<Nested>(nested, at: step))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let step = CodingPath.step(key, from: place)
    let nested = CanonicalContainer(.array, at: step)
    container.set(.container(nested), for: key.stringValue)
    return CanonicalUnkeyedEncoding(nested, at: step)
  }

  func superEncoder() -> any Encoder { superEncoder(for: PlaceKey.superclass) }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(for: key) }

  private func superEncoder(for key: any CodingKey) -> any Encoder {
    let container = container
    container.set(.text("{}"), for: key.stringValue)
    return CanonicalEncoder(at: .step(key, from: place)) { piece in
      container.set(piece, for: key.stringValue)
    }
  }
}

/// Encodes the elements of an array.
struct CanonicalUnkeyedEncoding: UnkeyedEncodingContainer {
  private let container: CanonicalContainer
  private let place: CodingPath?

  var codingPath: [any CodingKey] { place.keys }
  var count: Int { container.elements.count }

  init(_ container: CanonicalContainer, at place: CodingPath?) {
    self.container = container
    self.place = place
  }

  private var step: CodingPath { .step(PlaceKey(index: count), from: place) }

  func encodeNil() throws { container.append(.null) }

  func encode<T: Encodable>(_ value: T) throws { try append(value) }

  // Separate overloads, because the default implementations in the standard library throw.
  func encode(_ value: Int128) throws { try append(value) }

  func encode(_ value: UInt128) throws { try append(value) }

  private func append<T: Encodable>(_ value: T) throws {
    container.append(try CanonicalEncoder.piece(of: value, at: step))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let step = step
    let nested = CanonicalContainer(.object, at: step)
    container.append(.container(nested))
    return KeyedEncodingContainer(CanonicalKeyedEncoding<Nested>(nested, at: step))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let step = step
    let nested = CanonicalContainer(.array, at: step)
    container.append(.container(nested))
    return CanonicalUnkeyedEncoding(nested, at: step)
  }

  func superEncoder() -> any Encoder {
    let container = container
    let index = count
    let step = step
    container.append(.text("{}"))
    return CanonicalEncoder(at: step) { container.replace(at: index, with: $0) }
  }
}
