/// Text with a checksum for 32 bytes: Bech32 (BIP 173).
///
/// The text is a prefix, the separator `1`, and characters of five bits each. The last six are a
/// checksum that detects up to four wrong characters. A text is either all lower-case or all
/// upper-case.
enum Bech32 {
  /// The number of bytes of the content.
  static let byteCount = 32
  /// The number of characters for the content: 256 bits in groups of five.
  private static let valueCount = 52
  private static let checksumCount = 6
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

  /// Returns the text of 32 bytes in lower case.
  ///
  /// - Parameters:
  ///   - prefix: The prefix, in lower case.
  ///   - bytes: The content.
  /// - Returns: The text.
  static func text(prefix: String, of bytes: borrowing Secret) -> Secret {
    precondition(bytes.count == byteCount, "The content has 32 bytes.")
    let start = Array(prefix.utf8) + [UInt8(ascii: "1")]
    var text = Secret(count: start.count + valueCount + checksumCount)
    text.withUnsafeMutableBytes { text in
      bytes.withUnsafeBytes { bytes in
        text.copyBytes(from: start)
        var checksum = Checksum(prefix: prefix)
        for index in 0..<valueCount {
          let value = fiveBits(index, of: bytes)
          checksum.add(value)
          text[start.count + index] = alphabet[Int(value)]
        }
        for (index, value) in checksum.values().enumerated() {
          text[start.count + valueCount + index] = alphabet[Int(value)]
        }
      }
    }
    return text
  }

  /// Returns the 32 bytes of a text, or `nil` if the prefix, the length, a character or the
  /// checksum is wrong.
  ///
  /// - Parameters:
  ///   - text: The text, in lower or upper case.
  ///   - prefix: The expected prefix, in lower case.
  /// - Returns: The content.
  static func bytes(of text: borrowing Secret, prefix: String) -> Secret? {
    let start = Array(prefix.utf8) + [UInt8(ascii: "1")]
    guard text.count == start.count + valueCount + checksumCount else { return nil }
    var bytes = Secret(count: byteCount)
    let isValid = text.withUnsafeBytes { text in
      bytes.withUnsafeMutableBytes { bytes in
        decode(text, after: start, prefix: prefix, into: bytes)
      }
    }
    guard isValid else { return nil }
    return bytes
  }

  private static func decode(
    _ text: UnsafeRawBufferPointer, after start: [UInt8], prefix: String,
    into bytes: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let isUpper = text.contains { (0x41...0x5A).contains($0) }
    guard !isUpper || !text.contains(where: { (0x61...0x7A).contains($0) }),
      zip(text, start).allSatisfy({ lowercase($0) == $1 })
    else { return false }
    var checksum = Checksum(prefix: prefix)
    for index in 0..<(valueCount + checksumCount) {
      guard let value = alphabet.firstIndex(of: lowercase(text[start.count + index])) else {
        return false
      }
      checksum.add(UInt8(value))
      guard index < valueCount else { continue }
      // The last group has one bit of content and four bits that must be zero.
      if index == valueCount - 1, value & 15 != 0 { return false }
      put(UInt8(value), at: index, into: bytes)
    }
    return checksum.isCorrect
  }

  private static func lowercase(_ character: UInt8) -> UInt8 {
    (0x41...0x5A).contains(character) ? character + 0x20 : character
  }

  // MARK: Bits

  private static func fiveBits(_ index: Int, of bytes: UnsafeRawBufferPointer) -> UInt8 {
    let bit = index * 5
    let high = UInt16(bytes[bit / 8]) << 8
    let low = bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0
    return UInt8((high | low) >> UInt16(11 - bit % 8) & 31)
  }

  private static func put(
    _ value: UInt8, at index: Int, into bytes: UnsafeMutableRawBufferPointer
  ) {
    let bit = index * 5
    let shifted = UInt16(value) << UInt16(11 - bit % 8)
    bytes[bit / 8] |= UInt8(shifted >> 8)
    if bit / 8 + 1 < bytes.count { bytes[bit / 8 + 1] |= UInt8(shifted & 255) }
  }

  /// The checksum of BIP 173: a cyclic code over groups of five bits.
  private struct Checksum {
    private static let generators: [UInt32] = [
      0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3,
    ]
    private var state: UInt32 = 1

    init(prefix: String) {
      for character in prefix.utf8 { add(character >> 5) }
      add(0)
      for character in prefix.utf8 { add(character & 31) }
    }

    mutating func add(_ value: UInt8) {
      let top = state >> 25
      state = (state & 0x1FF_FFFF) << 5 ^ UInt32(value)
      for (bit, generator) in Self.generators.enumerated() where top >> UInt32(bit) & 1 == 1 {
        state ^= generator
      }
    }

    /// Whether all values including the checksum were added, and the checksum is that of the others.
    var isCorrect: Bool { state == 1 }

    /// Returns the six values that follow the added ones.
    func values() -> [UInt8] {
      var copy = self
      for _ in 0..<checksumCount { copy.add(0) }
      let checksum = copy.state ^ 1
      return (0..<checksumCount).map { UInt8(checksum >> UInt32(5 * (5 - $0)) & 31) }
    }
  }
}
