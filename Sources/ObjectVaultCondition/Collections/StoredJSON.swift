/// A reader of parts of stored JSON, which builds no values of the other parts.
///
/// JSON that is incomplete has no members and no elements from the first error on.
package enum StoredJSON {
  /// Returns the value of a member of an object, or `nil` if it is missing.
  package static func member(
    _ key: UnsafeRawBufferPointer, of json: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var reader = Reader(bytes: json)
    guard reader.take("{"), !reader.take("}") else { return nil }
    repeat {
      guard let name = reader.value(), reader.take(":"), let value = reader.value() else {
        return nil
      }
      if isText(name, equalTo: key) { return value }
    } while reader.take(",")
    return nil
  }

  /// Returns the number of elements of a list or of members of an object; `nil` for other values.
  package static func count(_ json: UnsafeRawBufferPointer) -> Int64? {
    var reader = Reader(bytes: json)
    let isObject = reader.take("{")
    guard isObject || reader.take("[") else { return nil }
    if reader.take(isObject ? "}" : "]") { return 0 }
    var count: Int64 = 0
    repeat {
      guard reader.value() != nil, !isObject || (reader.take(":") && reader.value() != nil) else {
        return nil
      }
      count += 1
    } while reader.take(",")
    return count
  }

  /// Returns whether an element of a list satisfies a test; `false` for other values.
  package static func contains(
    _ json: UnsafeRawBufferPointer, where test: (UnsafeRawBufferPointer) throws -> Bool
  ) rethrows -> Bool {
    var reader = Reader(bytes: json)
    guard reader.take("[") else { return false }
    repeat {
      guard let element = reader.value() else { return false }
      if try test(element) { return true }
    } while reader.take(",")
    return false
  }

  /// Returns a value of a kind as conditions compare it; null for a value of another kind.
  package static func value(_ json: UnsafeRawBufferPointer, as kind: Kind) -> StoredValue {
    guard let first = json.first else { return .null }
    switch (kind, first) {
    case (.text, UInt8(ascii: "\"")):
      return .text(String(decoding: content(json), as: UTF8.self))
    case (.number, UInt8(ascii: "-")), (.number, UInt8(ascii: "0")...UInt8(ascii: "9")):
      let digits = String(decoding: json, as: UTF8.self)
      if let value = Int64(digits) { return .integer(value) }
      return Double(digits).map { $0.isFinite ? .real($0 + 0) : .null } ?? .null
    case (.bool, UInt8(ascii: "t")): return .integer(1)
    case (.bool, UInt8(ascii: "f")): return .integer(0)
    case (.any, UInt8(ascii: "n")): return .null
    case (.any, _): return .integer(1)
    default: return .null
    }
  }

  /// Returns whether a value is the text with the given bytes.
  static func isText(
    _ json: UnsafeRawBufferPointer, equalTo text: UnsafeRawBufferPointer
  ) -> Bool {
    guard json.count >= 2, json.first == UInt8(ascii: "\"") else { return false }
    let raw = UnsafeRawBufferPointer(rebasing: json[1..<(json.count - 1)])
    if raw.contains(UInt8(ascii: "\\")) { return content(json).elementsEqual(text) }
    return raw.count == text.count && ByteOrder.compare(raw, text) == 0
  }

  /// Returns the bytes of a text without its quotes and escapes; none if an escape is invalid.
  private static func content(_ json: UnsafeRawBufferPointer) -> [UInt8] {
    let raw = UnsafeRawBufferPointer(rebasing: json.dropFirst().dropLast())
    return raw.contains(UInt8(ascii: "\\")) ? (try? JSONEscapes.resolve(raw)) ?? [] : Array(raw)
  }

  /// The kind of a value, which the other side of a comparison determines.
  package enum Kind: Int64, Sendable, Hashable, CaseIterable {
    case text, number, bool
    /// Any value other than null, for the comparison with nil.
    case any

    /// The type as which values of the kind are compared.
    package var type: PropertyType {
      switch self {
      case .text: .string
      case .number: .double
      case .bool: .bool
      case .any: .json
      }
    }
  }

  /// A position in JSON.
  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func skipSpace() {
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    mutating func take(_ symbol: Unicode.Scalar) -> Bool {
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: symbol) else { return false }
      position += 1
      return true
    }

    /// Reads one value of any depth, without recursion.
    mutating func value() -> UnsafeRawBufferPointer? {
      skipSpace()
      let start = position
      var depth = 0
      while position < bytes.count {
        switch bytes[position] {
        case UInt8(ascii: "\""):
          guard skipText() else { return nil }
          if depth == 0 { return part(from: start) }
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return part(from: start) }
          depth -= 1
          if depth == 0 {
            position += 1
            return part(from: start)
          }
        case UInt8(ascii: ","), UInt8(ascii: ":"), 0...0x20:
          if depth == 0 { return part(from: start) }
        default: break
        }
        position += 1
      }
      return depth == 0 ? part(from: start) : nil
    }

    private func part(from start: Int) -> UnsafeRawBufferPointer? {
      position > start ? UnsafeRawBufferPointer(rebasing: bytes[start..<position]) : nil
    }

    private mutating func skipText() -> Bool {
      position += 1
      while position < bytes.count {
        let byte = bytes[position]
        position += byte == UInt8(ascii: "\\") ? 2 : 1
        if byte == UInt8(ascii: "\"") { return true }
      }
      return false
    }
  }
}
