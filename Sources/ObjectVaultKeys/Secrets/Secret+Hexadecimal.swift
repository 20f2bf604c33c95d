extension Secret {
  /// Returns the bytes as lower-case hexadecimal digits, two for each byte.
  package borrowing func hexadecimal() -> Secret {
    var digits = Secret(count: count * 2)
    withUnsafeBytes { bytes in
      digits.withUnsafeMutableBytes { writeHexadecimal(bytes, to: $0) }
    }
    return digits
  }

  /// Returns the bytes of these hexadecimal digits, in either case.
  ///
  /// Returns `nil` if there are other characters or an odd number of digits.
  package borrowing func decodedHexadecimal() -> Secret? {
    guard count.isMultiple(of: 2) else { return nil }
    var secret = Secret(count: count / 2)
    let isHexadecimal = withUnsafeBytes { digits in
      secret.withUnsafeMutableBytes { bytes in
        for index in bytes.indices {
          guard let high = hexadecimalValue(digits[2 * index]),
            let low = hexadecimalValue(digits[2 * index + 1])
          else { return false }
          bytes[index] = high << 4 | low
        }
        return true
      }
    }
    guard isHexadecimal else { return nil }
    return secret
  }
}

/// Writes two lower-case digits for each byte.
///
/// No lookup table is used: an index that depends on a key leaves traces in the processor's cache.
func writeHexadecimal(_ bytes: UnsafeRawBufferPointer, to digits: UnsafeMutableRawBufferPointer) {
  func digit(_ value: UInt8) -> UInt8 {
    // 0x30 + value, plus 0x27 from ten upwards: '9' is 0x39, 'a' is 0x61.
    0x30 &+ value &+ (((9 &- value) >> 7) &* 0x27)
  }
  for (index, byte) in bytes.enumerated() {
    digits[2 * index] = digit(byte >> 4)
    digits[2 * index + 1] = digit(byte & 15)
  }
}

private func hexadecimalValue(_ character: UInt8) -> UInt8? {
  switch character {
  case 0x30...0x39: character - 0x30
  case 0x41...0x46: character - 0x41 + 10
  case 0x61...0x66: character - 0x61 + 10
  default: nil
  }
}
