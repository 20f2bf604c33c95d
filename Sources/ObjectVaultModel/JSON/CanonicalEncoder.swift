import ObjectVaultDriver

/// Returns the canonical JSON of a value: equal values produce equal bytes in every process.
///
/// - Object members are sorted by the bytes of their encoded keys, including the quotes. If a type
///   encodes a key twice, the last value is used. A `nil` member is omitted or `null`, according to
///   the type's own `encode(to:)`.
/// - Sets and dictionaries are recognized by type at any depth. A set is an array sorted by the
///   bytes of its encoded members. A dictionary with `String` keys is an object. A dictionary with
///   other keys is an array of `[key,value]`, sorted by bytes.
/// - Integers are digits. `Float` and `Double` have their shortest form, with a point or an
///   exponent (`1.0`, `1e+20`), and -0.0 is `0.0`. NaN and infinities are rejected.
/// - `Data` is base64 text, `Date` the seconds since 1970 rounded to microseconds, `UUID`
///   upper-case text, `URL` its absolute text, `Decimal` text in plain digits, and `nil` is `null`.
/// - There is no white space. Strings are escaped as in ``JSONText``. The depth is at most
///   ``JSONValue/depthLimit``.
///
/// A type that passes its encoder to the `encode(to:)` of a set, instead of passing the set to a
/// container, hides the set, which is then encoded in hash order.
///
/// - Throws: ``VaultError`` with code `.invalidValue`. The message contains the coding path and
///   never the value.
package func canonicalJSON<T: Encodable>(_ value: T) throws -> String {
  do {
    return try CanonicalEncoder.piece(of: value, at: nil).text
  } catch {
    throw VaultError.composite(error, of: T.self, writing: true)
  }
}

/// Returns the canonical JSON of a value whose type is known only at run time.
package func canonicalJSON(erasing value: any Encodable) throws -> String {
  try canonicalJSON(value)
}

/// A part of the output: finished text, or a container that may still change.
enum CanonicalPiece {
  case text(String)
  case container(CanonicalContainer)

  static var null: CanonicalPiece { .text("null") }

  func append(to output: inout [UInt8]) throws {
    switch self {
    case .text(let text): output.append(contentsOf: text.utf8)
    case .container(let container): try container.append(to: &output)
    }
  }

  var text: String {
    get throws {
      if case .text(let text) = self { return text }
      var output: [UInt8] = []
      try append(to: &output)
      return String(decoding: output, as: UTF8.self)
    }
  }
}

/// An array or object under construction.
///
/// Encoders and containers may outlive the call that created them (`superEncoder`). They share the
/// container, which is written when the complete value is encoded.
final class CanonicalContainer {
  enum Kind { case array, object }

  /// A violation of the rules of `Encoder`, thrown when the complete value is written.
  var breach: EncodingError?
  let kind: Kind
  private(set) var elements: [CanonicalPiece] = []
  private(set) var keys: [String] = []

  /// Creates an empty container; one below the depth limit cannot be written.
  init(_ kind: Kind, at place: CodingPath?) {
    self.kind = kind
    if place.depth >= JSONValue.depthLimit { breach = CanonicalEncoder.tooDeep(kind, at: place) }
  }

  func append(_ piece: CanonicalPiece) { elements.append(piece) }

  func set(_ piece: CanonicalPiece, for key: String) {
    keys.append(JSONText.quoted(key))
    elements.append(piece)
  }

  func replace(at index: Int, with piece: CanonicalPiece) { elements[index] = piece }

  func append(to output: inout [UInt8]) throws {
    if let breach { throw breach }
    switch kind {
    case .array:
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        try element.append(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object:
      // By key, then by age, so that the last of equal keys is used.
      let order = keys.indices.sorted { left, right in
        if keys[left].hasSameBytes(as: keys[right]) { return left < right }
        return keys[left].utf8.lexicographicallyPrecedes(keys[right].utf8)
      }
      output.append(UInt8(ascii: "{"))
      var isFirst = true
      for (place, index) in order.enumerated() {
        let next = place + 1 < order.count ? keys[order[place + 1]] : nil
        if let next, next.hasSameBytes(as: keys[index]) { continue }
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        output.append(contentsOf: keys[index].utf8)
        output.append(UInt8(ascii: ":"))
        try elements[index].append(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }
}

/// The encoder passed to the `encode(to:)` of one value.
final class CanonicalEncoder: Encoder {
  let place: CodingPath?
  /// The container or value that the type has requested so far.
  var piece: CanonicalPiece?
  /// The destination of the piece, for an encoder returned by a container.
  private let destination: ((CanonicalPiece) -> Void)?

  var codingPath: [any CodingKey] { place.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(at place: CodingPath?, destination: ((CanonicalPiece) -> Void)? = nil) {
    self.place = place
    self.destination = destination
  }

  /// Returns the encoded form of a value of any type.
  static func piece<T: Encodable>(of value: T, at place: CodingPath?) throws -> CanonicalPiece {
    guard place.depth <= JSONValue.depthLimit else {
      throw tooDeep(value, at: place)
    }
    if let value = value as? any CanonicallyEncodable {
      return try value.canonicalPiece(at: place)
    }
    let encoder = CanonicalEncoder(at: place)
    try value.encode(to: encoder)
    // A type without content requests no container.
    return encoder.piece ?? .text("{}")
  }

  static func tooDeep<T>(_ value: T, at place: CodingPath?) -> EncodingError {
    refusal(of: value, "it is more than \(JSONValue.depthLimit) levels deep", at: place)
  }

  static func refusal<T>(of value: T, _ reason: String, at place: CodingPath?) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: place.keys, debugDescription: reason,
        underlyingError: CompositeRefusal(reason: reason)))
  }

  func take(_ piece: CanonicalPiece) {
    self.piece = piece
    destination?(piece)
  }

  func container(_ kind: CanonicalContainer.Kind) -> CanonicalContainer {
    if case .container(let container) = piece, container.kind == kind { return container }
    let container = CanonicalContainer(kind, at: place)
    if piece != nil {
      container.breach = Self.refusal(of: kind, "its type requests two containers", at: place)
    }
    take(.container(container))
    return container
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(CanonicalKeyedEncoding(container(.object), at: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    CanonicalUnkeyedEncoding(container(.array), at: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension CanonicalEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { take(.null) }

  func encode<T: Encodable>(_ value: T) throws { try takePiece(of: value) }

  // Separate overloads, because the default implementations in the standard library throw.
  func encode(_ value: Int128) throws { try takePiece(of: value) }

  func encode(_ value: UInt128) throws { try takePiece(of: value) }

  private func takePiece<T: Encodable>(of value: T) throws {
    // One level deeper, so that a type that encodes itself with its own encoder reaches the limit.
    let step = CodingPath.step(PlaceKey.value, from: place)
    take(try Self.piece(of: value, at: step))
  }
}
