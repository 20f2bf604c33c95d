extension Secret {
  /// Returns the bytes in base64 (RFC 4648, section 4), with padding.
  ///
  /// No lookup table is used: an index that depends on a key leaves traces in the processor's
  /// cache.
  borrowing func base64() -> Secret {
    var text = Secret(count: (count + 2) / 3 * 4)
    withUnsafeBytes { bytes in
      text.withUnsafeMutableBytes { text in
        for group in 0..<(text.count / 4) {
          let left = min(3, bytes.count - 3 * group)
          var bits = 0
          for index in 0..<3 {
            bits = bits << 8 | (index < left ? Int(bytes[3 * group + index]) : 0)
          }
          for index in 0..<4 {
            text[4 * group + index] =
              index <= left ? character(bits >> (18 - 6 * index) & 63) : UInt8(ascii: "=")
          }
        }
      }
    }
    return text
  }

  /// Returns the bytes of a text in base64, or `nil` if it is not canonical.
  borrowing func decodedBase64() -> Secret? {
    guard count.isMultiple(of: 4) else { return nil }
    let padding = withUnsafeBytes { text in text.suffix(2).count { $0 == UInt8(ascii: "=") } }
    var bytes = Secret(count: count / 4 * 3 - padding)
    let isCanonical = withUnsafeBytes { text in
      bytes.withUnsafeMutableBytes { decode(text, padding: padding, to: $0) }
    }
    guard isCanonical else { return nil }
    return bytes
  }
}

private func decode(
  _ text: UnsafeRawBufferPointer, padding: Int, to bytes: UnsafeMutableRawBufferPointer
) -> Bool {
  var invalid = 0
  var bits = 0
  for (index, byte) in text.enumerated() {
    let isPadding = index >= text.count - padding
    let value = isPadding ? 0 : sixBits(Int(byte))
    if isPadding, byte != UInt8(ascii: "=") { invalid = -1 }
    invalid |= value
    bits = (bits << 6 | (value & 63)) & 0xFF_FFFF
    guard index % 4 == 3 else { continue }
    for part in 0..<3 {
      let place = index / 4 * 3 + part
      let byte = UInt8(bits >> (16 - 8 * part) & 255)
      if place < bytes.count { bytes[place] = byte } else if byte != 0 { invalid = -1 }
    }
  }
  return invalid >= 0
}

/// Returns the character of six bits.
private func character(_ value: Int) -> UInt8 {
  // The characters are five runs: A-Z, a-z, 0-9, + and /. Each mask adds the gap to the next run.
  UInt8(
    value + 65 + (((25 - value) >> 8) & 6) - (((51 - value) >> 8) & 75)
      - (((61 - value) >> 8) & 15) + (((62 - value) >> 8) & 3))
}

/// Returns the six bits of a character, or a negative number.
private func sixBits(_ character: Int) -> Int {
  func run(_ first: UInt8, _ last: UInt8, from value: Int) -> Int {
    let isInside = ((Int(first) - 1 - character) & (character - Int(last) - 1)) >> 8
    return isInside & (character - Int(first) + value + 1)
  }
  return run(0x41, 0x5A, from: 0) + run(0x61, 0x7A, from: 26) + run(0x30, 0x39, from: 52)
    + run(0x2B, 0x2B, from: 62) + run(0x2F, 0x2F, from: 63) - 1
}
