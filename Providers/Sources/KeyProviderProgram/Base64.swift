extension ProtectedBytes {
  /// Returns the bytes in base64 (RFC 4648, section 4), with padding.
  ///
  /// - Returns: The text.
  public borrowing func base64() -> ProtectedBytes {
    var text = ProtectedBytes(count: (count + 2) / 3 * 4)
    withUnsafeBytes { bytes in
      text.withUnsafeMutableBytes { text in
        for index in text.indices {
          // Six bits begin at bit 6 of each character, in one byte or two.
          let (byte, shift) = (index * 6 / 8, index * 6 % 8)
          guard byte < bytes.count else {
            text[index] = UInt8(ascii: "=")
            continue
          }
          let next = byte + 1 < bytes.count ? UInt16(bytes[byte + 1]) : 0
          let bits = UInt16(bytes[byte]) << 8 | next
          text[index] = character(Int(bits >> UInt16(10 - shift) & 63))
        }
      }
    }
    return text
  }

  /// Returns the bytes of a canonical text in base64.
  ///
  /// - Returns: The bytes, or `nil` for another text.
  public borrowing func decodedBase64() -> ProtectedBytes? {
    guard count.isMultiple(of: 4) else { return nil }
    let padding = withUnsafeBytes { text in
      text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    }
    var bytes = ProtectedBytes(count: count / 4 * 3 - padding)
    let isValid = withUnsafeBytes { text in
      bytes.withUnsafeMutableBytes { bytes -> Bool in
        var unused: UInt8 = 0
        for (index, letter) in text.dropLast(padding).enumerated() {
          guard let value = sixBits(letter) else { return false }
          let (byte, shift) = (index * 6 / 8, index * 6 % 8)
          let bits = UInt16(value) << UInt16(10 - shift)
          bytes[byte] |= UInt8(bits >> 8)
          if byte + 1 < bytes.count {
            bytes[byte + 1] |= UInt8(bits & 255)
          } else {
            unused |= UInt8(bits & 255)
          }
        }
        return unused == 0
      }
    }
    guard isValid else { return nil }
    return bytes
  }
}

private func character(_ value: Int) -> UInt8 {
  switch value {
  case 0..<26: UInt8(0x41 + value)
  case 26..<52: UInt8(0x61 - 26 + value)
  case 52..<62: UInt8(0x30 - 52 + value)
  case 62: UInt8(ascii: "+")
  default: UInt8(ascii: "/")
  }
}

private func sixBits(_ letter: UInt8) -> UInt8? {
  switch letter {
  case 0x41...0x5A: letter - 0x41
  case 0x61...0x7A: letter - 0x61 + 26
  case 0x30...0x39: letter - 0x30 + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
