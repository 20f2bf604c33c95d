import ObjectVaultDriver

/// The position of an encoder or decoder within a value, as a chain toward the root.
final class CodingPath {
  let parent: CodingPath?
  let key: any CodingKey
  let depth: Int

  private init(parent: CodingPath?, key: any CodingKey) {
    self.parent = parent
    self.key = key
    depth = (parent?.depth ?? 0) + 1
  }

  /// Returns the path one level deeper.
  ///
  /// Its depth is limited by the callers, so that deep values can't overflow the stack.
  static func step(_ key: any CodingKey, from parent: CodingPath?) -> CodingPath {
    CodingPath(parent: parent, key: key)
  }
}

extension CodingPath? {
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var place = self
    while let step = place {
      keys.append(step.key)
      place = step.parent
    }
    return keys.reversed()
  }

  var depth: Int { self?.depth ?? 0 }
}

/// A key that no type declares: an index, an entry of a dictionary, or `super`.
struct PlaceKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(index: Int) {
    stringValue = "\(index)"
    intValue = index
  }

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init?(intValue: Int) { self.init(index: intValue) }

  /// The single value of a type that is encoded as another type.
  static let value = PlaceKey(stringValue: "value")
  /// A member of a set, which has no index.
  static let member = PlaceKey(stringValue: "<member>")
  static let superclass = PlaceKey(stringValue: "super")
  /// An entry of a dictionary; its key is a stored value and must not be in an error.
  static let dictionaryEntry = PlaceKey(stringValue: "<entry>")
}

extension VaultError {
  /// Returns the error of a `Codable` type without the values that it may contain.
  static func composite(_ error: any Error, of type: Any.Type, writing: Bool) -> any Error {
    switch error {
    case let error as EncodingError:
      guard case .invalidValue(_, let context) = error else { break }
      return VaultError(
        .invalidValue,
        "\(place(context.codingPath, in: type)) cannot be stored: \(reason(context)). Correct the "
          + "value.")
    case let error as DecodingError:
      let what: String
      let path: [any CodingKey]
      switch error {
      case .keyNotFound(let key, let context):
        what = "has no member '\(key.stringValue)'"
        path = context.codingPath
      case .typeMismatch(let expected, let context):
        what = "is not a value of \(expected)"
        path = context.codingPath
      case .valueNotFound(let expected, let context):
        what = "is null, but \(expected) is expected"
        path = context.codingPath
      case .dataCorrupted(let context):
        what = reason(context)
        path = context.codingPath
      @unknown default:
        what = "cannot be read"
        path = []
      }
      return VaultError(
        .invalidValue,
        "The JSON of \(place(path, in: type)) \(what). Correct the row, or change the type so that "
          + "it can read the stored form.")
    default: break
    }
    return error
  }

  private static func place(_ path: [any CodingKey], in type: Any.Type) -> String {
    path.reduce("\(type)") { text, key in
      if let index = key.intValue { return "\(text)[\(index)]" }
      return "\(text).\(key.stringValue)"
    }
  }

  private static func reason(_ context: EncodingError.Context) -> String {
    (context.underlyingError as? CompositeRefusal)?.reason ?? "its type cannot be encoded"
  }

  private static func reason(_ context: DecodingError.Context) -> String {
    (context.underlyingError as? CompositeRefusal)?.reason ?? "is not a value of its type"
  }
}

/// The library's own reason within an encoding or decoding error.
///
/// The debug descriptions of other errors may contain values.
struct CompositeRefusal: Error {
  let reason: String
}
