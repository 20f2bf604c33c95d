import Foundation

/// A type with a fixed canonical JSON form, which is used instead of its `encode(to:)`.
protocol CanonicallyEncodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece
}

extension CanonicallyEncodable where Self: BinaryInteger {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece { .text("\(self)") }
}

extension Int: CanonicallyEncodable {}
extension Int8: CanonicallyEncodable {}
extension Int16: CanonicallyEncodable {}
extension Int32: CanonicallyEncodable {}
extension Int64: CanonicallyEncodable {}
extension Int128: CanonicallyEncodable {}
extension UInt: CanonicallyEncodable {}
extension UInt8: CanonicallyEncodable {}
extension UInt16: CanonicallyEncodable {}
extension UInt32: CanonicallyEncodable {}
extension UInt64: CanonicallyEncodable {}
extension UInt128: CanonicallyEncodable {}

extension CanonicallyEncodable where Self: BinaryFloatingPoint & CustomStringConvertible {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    guard let text = JSONText.number(self) else {
      throw CanonicalEncoder.refusal(of: self, "JSON does not support NaN or infinity", at: place)
    }
    return .text(text)
  }
}

extension Double: CanonicallyEncodable {}
extension Float: CanonicallyEncodable {}

extension Bool: CanonicallyEncodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    .text(self ? "true" : "false")
  }
}

extension String: CanonicallyEncodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    .text(JSONText.quoted(self))
  }
}

extension Data: CanonicallyEncodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    .text("\"\(base64EncodedString())\"")
  }
}

extension Date: CanonicallyEncodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    try storedSeconds.canonicalPiece(at: place)
  }
}

extension UUID: CanonicallyEncodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece { .text("\"\(uuidString)\"") }
}

extension URL: CanonicallyEncodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    do {
      return .text(JSONText.quoted(try storedText))
    } catch {
      throw CanonicalEncoder.refusal(
        of: self, "a URL must be absolute and created from valid text", at: place)
    }
  }
}

extension Decimal: CanonicallyEncodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    if isNaN { throw CanonicalEncoder.refusal(of: self, "it is NaN", at: place) }
    return .text("\"\(plainDigits)\"")
  }
}

extension Optional: CanonicallyEncodable where Wrapped: Encodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    guard let value = self else { return .null }
    let piece = try CanonicalEncoder.piece(of: value, at: place)
    if case .text("null") = piece {
      throw CanonicalEncoder.refusal(
        of: value, "a nil inside an optional would be read as nil", at: place)
    }
    return piece
  }
}

extension Array: CanonicallyEncodable where Element: Encodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    let container = CanonicalContainer(.array, at: place)
    for (index, element) in enumerated() {
      let step = CodingPath.step(PlaceKey(index: index), from: place)
      container.append(try CanonicalEncoder.piece(of: element, at: step))
    }
    return .container(container)
  }
}

extension Set: CanonicallyEncodable where Element: Encodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    let step = CodingPath.step(PlaceKey.member, from: place)
    return try .sorted(map { try CanonicalEncoder.piece(of: $0, at: step).text }, at: place)
  }
}

extension Dictionary: CanonicallyEncodable where Key: Encodable, Value: Encodable {
  func canonicalPiece(at place: CodingPath?) throws -> CanonicalPiece {
    let step = CodingPath.step(PlaceKey.dictionaryEntry, from: place)
    if Key.self == String.self {
      let container = CanonicalContainer(.object, at: place)
      for (key, value) in self {
        guard let key = key as? String else { continue }
        container.set(try CanonicalEncoder.piece(of: value, at: step), for: key)
      }
      return .container(container)
    }
    return try .sorted(
      map { key, value in
        let keyStep = CodingPath.step(PlaceKey(index: 0), from: step)
        let key = try CanonicalEncoder.piece(of: key, at: keyStep).text
        let valueStep = CodingPath.step(PlaceKey(index: 1), from: step)
        let value = try CanonicalEncoder.piece(of: value, at: valueStep).text
        return "[\(key),\(value)]"
      }, at: step)
  }
}

extension CanonicalPiece {
  /// Returns an array of encoded elements, sorted by their bytes.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - place: The place of the deepest array around an element.
  /// - Returns: The array.
  /// - Throws: The error of an array below the depth limit.
  static func sorted(_ elements: [String], at place: CodingPath?) throws -> CanonicalPiece {
    guard place.depth < JSONValue.depthLimit else {
      throw CanonicalEncoder.tooDeep(elements.count, at: place)
    }
    let sorted = elements.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return .text("[\(sorted.joined(separator: ","))]")
  }
}
