// Big-endian numbers in pages. Reads outside the bytes return `nil`, because a damaged page may
// contain any offset.
extension [UInt8] {
  func number8(at offset: Int) -> UInt8? {
    indices.contains(offset) ? self[offset] : nil
  }

  func number16(at offset: Int) -> Int? {
    guard offset >= 0, offset <= count - 2 else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  func number32(at offset: Int) -> UInt32? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return (offset..<offset + 4).reduce(0) { $0 << 8 | UInt32(self[$1]) }
  }

  /// Returns a variable-length integer of 1 to 9 bytes, or `nil` if the bytes end within it.
  ///
  /// Each byte except the ninth holds seven bits, and a flag that announces another byte (SQLite's
  /// file format documentation, section 1.6).
  ///
  /// - Parameter offset: The start of the integer. Set to its end.
  /// - Returns: The integer.
  func variableNumber(at offset: inout Int) -> Int64? {
    var value: UInt64 = 0
    for position in 0..<9 {
      guard let byte = number8(at: offset) else { return nil }
      offset += 1
      if position == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int64(bitPattern: value) }
    }
    return nil
  }
}
