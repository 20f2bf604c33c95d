package import ObjectVaultCondition
package import ObjectVaultDriver

/// The bytes of a stored value that are sealed: its kind, then its content.
///
/// All stored numbers have the same length. Decimals are stored as texts.
package enum SealedEncoding {
  private static let integer: UInt8 = 1
  private static let real: UInt8 = 2
  private static let text: UInt8 = 3
  private static let blob: UInt8 = 4
  private static let null: UInt8 = 0

  /// Returns the bytes of a value.
  package static func bytes(of value: BoundValue) -> [UInt8] {
    switch value {
    case .null: [null]
    case .integer(let number): [integer] + bigEndian(UInt64(bitPattern: number))
    case .real(let number): [real] + bigEndian((number == 0 ? 0 : number).bitPattern)
    case .text(let utf8): [text] + utf8
    case .blob(let bytes): [blob] + bytes
    }
  }

  /// Returns the bytes of a value.
  package static func bytes(of value: StoredValue) -> [UInt8] { bytes(of: BoundValue(value)) }

  /// Returns the value with the given bytes; `nil` if they are none.
  package static func value(_ bytes: [UInt8]) -> StoredValue? {
    let content = bytes.dropFirst()
    switch bytes.first {
    case integer where content.count == 8:
      return .integer(Int64(bitPattern: number(content)))
    case real where content.count == 8: return .real(Double(bitPattern: number(content)))
    case text: return String(validating: content, as: UTF8.self).map { .text($0) }
    case blob: return .blob(Array(content))
    default: return nil
    }
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension BoundValue {
  package init(_ value: StoredValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(Array(text.utf8))
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}
