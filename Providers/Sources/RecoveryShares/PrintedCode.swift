internal import KeyProviderProgram

/// Bytes as groups of six characters, in the form of recovery codes.
///
/// The alphabet is Crockford's base 32. Five characters of a group hold 25 bits. The sixth is a
/// checksum of them and of the position of the group: a sum in the field of 32 elements
/// (x^5 + x^2 + 1) with a different power of x for each position.
enum PrintedCode {
  static let groupLength = 6
  private static let valuesOfGroup = groupLength - 1
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Returns the characters of a code, without hyphens; missing bits of the last group are zero.
  static func characters(of bytes: borrowing ProtectedBytes, groups: Int) -> ProtectedBytes {
    var characters = ProtectedBytes(count: groups * groupLength)
    characters.withUnsafeMutableBytes { characters in
      bytes.withUnsafeBytes { bytes in
        for group in 0..<groups {
          var check = power(group + groupLength)
          for position in 0..<valuesOfGroup {
            let value = fiveBits(at: (group * valuesOfGroup + position) * 5, of: bytes)
            check ^= product(value, power(position + 1))
            characters[group * groupLength + position] = alphabet[Int(value)]
          }
          characters[group * groupLength + valuesOfGroup] = alphabet[Int(check)]
        }
      }
    }
    return characters
  }

  /// Returns the bytes of a typed code.
  ///
  /// Case, hyphens and white space are ignored. O is read as 0, and I and L as 1.
  ///
  /// - Parameters:
  ///   - typed: The code as it was typed.
  ///   - groups: The number of its groups.
  ///   - name: The name of the code, for errors.
  /// - Returns: The bytes; bits of the last group that fill no byte must be zero.
  /// - Throws: An error that names the first mistyped group.
  static func bytes(
    of typed: borrowing ProtectedBytes, groups: Int, name: String
  ) throws(SharesError) -> ProtectedBytes {
    let values = try values(of: typed, groups: groups, name: name)
    var bytes = ProtectedBytes(count: groups * valuesOfGroup * 5 / 8)
    let wrong = values.withUnsafeBytes { values in
      bytes.withUnsafeMutableBytes { bytes in
        (0..<groups).first { group in
          var check = power(group + groupLength)
          var isInside = true
          for position in 0..<valuesOfGroup {
            let value = values[group * groupLength + position]
            check ^= product(value, power(position + 1))
            isInside = put(value, at: (group * valuesOfGroup + position) * 5, into: bytes)
          }
          return check != values[group * groupLength + valuesOfGroup] || !isInside
        }
      }
    }
    if let wrong { throw mistyped(wrong, of: groups, name, "is mistyped") }
    return bytes
  }

  /// Returns the values of all characters, those of the checksums included.
  private static func values(
    of typed: borrowing ProtectedBytes, groups: Int, name: String
  ) throws(SharesError) -> ProtectedBytes {
    let expected = groups * groupLength
    var values = ProtectedBytes(count: expected)
    let (count, strange) = typed.withUnsafeBytes { typed in
      values.withUnsafeMutableBytes { values in
        var (count, strange) = (0, Int?.none)
        for character in typed where !isIgnored(character) {
          let value = value(of: character)
          if value == nil, strange == nil { strange = count / groupLength }
          if count < values.count { values[count] = value ?? 0 }
          count += 1
        }
        return (count, strange)
      }
    }
    if let strange {
      throw mistyped(
        min(strange, groups - 1), of: groups, name, "has a character that codes do not use")
    }
    guard count == expected else {
      throw SharesError(
        "The \(name) has \(count) characters instead of \(expected) (\(groups) groups of "
          + "\(groupLength)). Enter the whole code.")
    }
    return values
  }

  static func isIgnored(_ character: UInt8) -> Bool {
    [0x20, 0x2D, 0x0A, 0x0D, 0x09].contains(character)
  }

  private static func mistyped(
    _ group: Int, of groups: Int, _ name: String, _ problem: String
  ) -> SharesError {
    SharesError(
      "Group \(group + 1) of \(groups) of the \(name) \(problem). Compare it with the paper.")
  }

  private static func value(of character: UInt8) -> UInt8? {
    let upper = (0x61...0x7A).contains(character) ? character - 0x20 : character
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
    }
  }

  // MARK: Bits

  private static func fiveBits(at bit: Int, of bytes: UnsafeRawBufferPointer) -> UInt8 {
    let high = bit / 8 < bytes.count ? UInt16(bytes[bit / 8]) << 8 : 0
    let low = bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0
    return UInt8((high | low) >> UInt16(11 - bit % 8) & 31)
  }

  /// Writes five bits; returns whether those after the last byte are zero.
  private static func put(
    _ value: UInt8, at bit: Int, into bytes: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let shifted = UInt16(value) << UInt16(11 - bit % 8)
    var outside: UInt8 = 0
    for (place, part) in [(bit / 8, UInt8(shifted >> 8)), (bit / 8 + 1, UInt8(shifted & 255))] {
      if place < bytes.count { bytes[place] |= part } else { outside |= part }
    }
    return outside == 0
  }

  // MARK: The field of 32 elements

  private static func power(_ exponent: Int) -> UInt8 {
    (0..<exponent).reduce(1) { element, _ in product(element, 2) }
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
