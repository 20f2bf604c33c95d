/// A value in a record.
package enum RecordValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  /// A text in the encoding of the file's texts.
  case text([UInt8])
  case blob([UInt8])
  /// A value on a page that is lost.
  case lost
}

/// The values of a row or of an index entry (SQLite's file format documentation, section 2.1).
package struct RecordContent {
  package var values: [RecordValue]

  /// The maximum number of columns that SQLite can be built for.
  private static let greatestCount = 32_767

  /// Parses a record, or returns `nil` if the bytes are not a record, its header is incomplete, or
  /// it has more values than a table can have columns.
  ///
  /// - Parameters:
  ///   - bytes: The record, or the available part of its start.
  ///   - count: The number of bytes of the whole record.
  init?(_ bytes: [UInt8], of count: Int) {
    var offset = 0
    guard let headerCount = bytes.variableNumber(at: &offset), headerCount >= 1,
      headerCount <= Int64(count), headerCount <= Int64(bytes.count)
    else { return nil }
    var content = Int(headerCount)
    var values: [RecordValue] = []
    while offset < Int(headerCount) {
      guard values.count < Self.greatestCount,
        let type = bytes.variableNumber(at: &offset), offset <= Int(headerCount),
        let size = Self.size(of: type), content <= count - size
      else { return nil }
      values.append(
        content + size <= bytes.count
          ? Self.value(of: type, in: bytes, at: content, size: size) : .lost)
      content += size
    }
    self.values = values
  }

  /// Returns the number of bytes of a value, or `nil` for a number that is no serial type.
  private static func size(of type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1, 2, 3, 4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...: Int((type - 12) / 2)
    default: nil
    }
  }

  private static func value(
    of type: Int64, in bytes: [UInt8], at start: Int, size: Int
  ) -> RecordValue {
    let content = bytes[start..<start + size]
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 1...6:
      let isNegative = content.first.map { $0 & 0x80 != 0 } ?? false
      let bits = content.reduce(isNegative ? UInt64.max : 0) { $0 << 8 | UInt64($1) }
      return .integer(Int64(bitPattern: bits))
    case 7: return .real(Double(bitPattern: content.reduce(0) { $0 << 8 | UInt64($1) }))
    default: return type.isMultiple(of: 2) ? .blob(Array(content)) : .text(Array(content))
    }
  }
}

/// The text encoding of a file.
package enum TextEncoding: UInt32 {
  case utf8 = 1
  case utf16LittleEndian = 2
  case utf16BigEndian = 3

  /// The name in `PRAGMA encoding`.
  package var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16le"
    case .utf16BigEndian: "UTF-16be"
    }
  }

  package func text(_ bytes: [UInt8]) -> String {
    if self == .utf8 { return String(decoding: bytes, as: UTF8.self) }
    let isLittle = self == .utf16LittleEndian
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      UInt16(bytes[index + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[index + (isLittle ? 0 : 1)])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
