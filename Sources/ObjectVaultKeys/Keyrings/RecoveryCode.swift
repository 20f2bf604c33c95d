/// A printable recovery key: 25 random bytes as eight groups of six characters.
///
/// A code looks like `7K2QM4-...`. The alphabet is Crockford's base 32 (digits and letters without
/// I, L, O, U). The first five characters of a group hold 25 bits. The sixth is a checksum of them
/// and of the group's position: a sum in the field of 32 elements (x^5 + x^2 + 1) with a different
/// power of x for each position. It detects one wrong character, two swapped characters, and two
/// swapped groups.
package enum RecoveryCode {
  static let groupCount = 8
  static let groupLength = 6
  /// The number of bytes in a code.
  package static let byteCount = 25

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Returns a new code in its printed form, with a hyphen between groups.
  package static func random() throws(KeyError) -> Secret {
    text(of: try Secret.random(count: byteCount))
  }

  /// Returns the code of 25 bytes.
  package static func text(of bytes: borrowing Secret) -> Secret {
    precondition(bytes.count == byteCount, "A recovery code has 25 bytes.")
    var text = Secret(count: groupCount * groupLength + groupCount - 1)
    text.withUnsafeMutableBytes { text in
      bytes.withUnsafeBytes { bytes in
        for group in 0..<groupCount {
          let start = group * (groupLength + 1)
          if group > 0 { text[start - 1] = UInt8(ascii: "-") }
          var check = place(of: group)
          for position in 0..<(groupLength - 1) {
            let value = fiveBits(at: (group * (groupLength - 1) + position) * 5, of: bytes)
            check ^= product(value, power(position + 1))
            text[start + position] = alphabet[Int(value)]
          }
          text[start + groupLength - 1] = alphabet[Int(check)]
        }
      }
    }
    return text
  }

  /// Returns the bytes of a typed code.
  ///
  /// Case, hyphens and white space are ignored. O is read as 0, and I and L as 1.
  ///
  /// - Parameter typed: The code as it was typed.
  /// - Returns: The 25 bytes.
  /// - Throws: `noKey` if the code is empty; `recoveryCodeMistyped`, which names the group.
  package static func bytes(of typed: borrowing Secret) throws(KeyError) -> Secret {
    try typed.checkProcess()
    var values = Secret(count: groupCount * groupLength)
    var count = 0
    var strange: Int?
    typed.withUnsafeBytes { typed in
      values.withUnsafeMutableBytes { values in
        for character in typed {
          if character == 0x20 || character == 0x2D || character == 0x0A || character == 0x0D
            || character == 0x09
          {
            continue
          }
          guard let value = value(of: character) else {
            if strange == nil { strange = count / groupLength }
            count += 1
            continue
          }
          if count < values.count { values[count] = value }
          count += 1
        }
      }
    }
    if let strange {
      throw mistyped(min(strange, groupCount - 1), "has a character that recovery codes do not use")
    }
    guard count == groupCount * groupLength else {
      throw KeyError(
        count == 0 ? .noKey : .recoveryCodeMistyped,
        "The recovery code has \(count) characters instead of \(groupCount * groupLength) "
          + "(\(groupCount) groups of \(groupLength)). Enter the whole code.")
    }
    var bytes = Secret(count: byteCount)
    let wrong = values.withUnsafeBytes { values in
      bytes.withUnsafeMutableBytes { bytes -> Int? in
        for group in 0..<groupCount {
          var check = place(of: group)
          for position in 0..<(groupLength - 1) {
            let value = values[group * groupLength + position]
            check ^= product(value, power(position + 1))
            put(value, at: (group * (groupLength - 1) + position) * 5, into: bytes)
          }
          if check != values[group * groupLength + groupLength - 1] { return group }
        }
        return nil
      }
    }
    if let wrong { throw mistyped(wrong, "is mistyped") }
    return bytes
  }

  private static func mistyped(_ group: Int, _ what: String) -> KeyError {
    KeyError(
      .recoveryCodeMistyped,
      "Group \(group + 1) of \(groupCount) of the recovery code \(what). Compare it with the paper."
    )
  }

  private static func value(of character: UInt8) -> UInt8? {
    let upper = character >= 0x61 && character <= 0x7A ? character - 0x20 : character
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
    }
  }

  // MARK: Bits

  private static func fiveBits(at bit: Int, of bytes: UnsafeRawBufferPointer) -> UInt8 {
    let high = UInt16(bytes[bit / 8]) << 8
    let low = bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0
    return UInt8((high | low) >> UInt16(11 - bit % 8) & 31)
  }

  private static func put(_ value: UInt8, at bit: Int, into bytes: UnsafeMutableRawBufferPointer) {
    let shifted = UInt16(value) << UInt16(11 - bit % 8)
    bytes[bit / 8] |= UInt8(shifted >> 8)
    if bit / 8 + 1 < bytes.count { bytes[bit / 8 + 1] |= UInt8(shifted & 255) }
  }

  // MARK: The field of 32 elements

  /// Returns the contribution of a group's position to its checksum, different for each group.
  private static func place(of group: Int) -> UInt8 { power(group + groupLength) }

  /// Returns a power of x.
  private static func power(_ exponent: Int) -> UInt8 {
    var element: UInt8 = 1
    for _ in 0..<exponent { element = product(element, 2) }
    return element
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var (a, b, product) = (a, b, UInt8(0))
    while b > 0 {
      if b & 1 == 1 { product ^= a }
      a <<= 1
      if a & 32 != 0 { a ^= 0b100101 }
      b >>= 1
    }
    return product
  }
}
