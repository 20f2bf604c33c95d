// Numbers in pages, which SQLite writes with the most significant byte first. Nothing is read outside
// the bytes: a damaged page may say anything.
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

  /// An integer of 1 to 9 bytes, of which each but the ninth gives seven bits and says whether
  /// another comes (SQLite's file format documentation, section 1.6).
  ///
  /// - Parameter offset: Where it begins; where it ended, afterwards.
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
