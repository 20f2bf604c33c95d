internal import KeyProviderProgram

/// One of the shares of a recovery code.
///
/// The code of a share has 12 groups of six characters: 296 bits and four bits of zero.
///
/// | Bits | Content |
/// |---|---|
/// | 4 | the format, 1 |
/// | 4 | the number of shares, minus 1 |
/// | 4 | the number of shares needed, minus 1 |
/// | 4 | the number of this share, minus 1 |
/// | 40 | the set, random, the same in all shares of a set |
/// | 200 | the data of the share |
/// | 40 | a checksum of all bits before: the first 40 bits of CRC-64/ECMA-182 |
public struct RecoveryShare: ~Copyable {
  /// The number of this share, from 1.
  public let number: Int
  /// The number of shares that restore the code.
  public let needed: Int
  /// The number of shares of the set.
  public let total: Int
  /// The random bytes that all shares of a set have.
  public let set: [UInt8]
  let data: ProtectedBytes

  static let groups = 12
  static let dataCount = 25
  private static let format: UInt8 = 1
  private static let setCount = 5

  init(number: Int, needed: Int, total: Int, set: [UInt8], data: consuming ProtectedBytes) {
    self.number = number
    self.needed = needed
    self.total = total
    self.set = set
    self.data = data
  }

  /// Reads the typed code of a share.
  ///
  /// - Parameters:
  ///   - typed: The code as it was typed; case, hyphens and white space are ignored.
  ///   - name: The name of the share, for errors.
  /// - Throws: An error that names the mistyped group.
  init(typed: borrowing ProtectedBytes, name: String) throws(SharesError) {
    let bytes = try PrintedCode.bytes(of: typed, groups: Self.groups, name: name)
    let end = 2 + Self.setCount + Self.dataCount
    let (head, check) = bytes.withUnsafeBytes { bytes in
      (Array(bytes[..<(2 + Self.setCount)]), Array(bytes[end...]))
    }
    guard Self.checksum(of: bytes, count: end) == check else {
      throw SharesError(
        "The \(name) is mistyped in more than one place of a group. Compare each group with the "
          + "paper.")
    }
    guard head[0] >> 4 == Self.format else {
      throw SharesError(
        "The \(name) has a newer format. Use the version of the program that printed it.")
    }
    let (total, needed) = (Int(head[0] & 15) + 1, Int(head[1] >> 4) + 1)
    let number = Int(head[1] & 15) + 1
    guard needed >= 2, needed <= total, number <= total else {
      throw SharesError("The \(name) is not a share. Compare it with the paper.")
    }
    (self.number, self.needed, self.total) = (number, needed, total)
    set = Array(head[2...])
    data = bytes.withUnsafeBytes { ProtectedBytes(copying: $0[(2 + Self.setCount)..<end]) }
  }

  /// The set as text: eight characters.
  public var setName: String {
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let bits = set.reduce(0) { $0 << 8 | Int($1) }
    return String((0..<8).map { digits[bits >> (35 - 5 * $0) & 31] })
  }

  /// Returns the characters of the share's code, without hyphens.
  borrowing func characters() -> ProtectedBytes {
    var bytes = ProtectedBytes(count: 2 + Self.setCount + Self.dataCount + 5)
    let end = bytes.count - 5
    bytes.withUnsafeMutableBytes { bytes in
      bytes[0] = Self.format << 4 | UInt8(total - 1)
      bytes[1] = UInt8(needed - 1) << 4 | UInt8(number - 1)
      for (index, byte) in set.enumerated() { bytes[2 + index] = byte }
      data.withUnsafeBytes { data in
        UnsafeMutableRawBufferPointer(rebasing: bytes[(2 + Self.setCount)..<end])
          .copyBytes(from: data)
      }
    }
    let check = Self.checksum(of: bytes, count: end)
    bytes.withUnsafeMutableBytes { bytes in
      for (index, byte) in check.enumerated() { bytes[end + index] = byte }
    }
    return PrintedCode.characters(of: bytes, groups: Self.groups)
  }

  /// Returns the first 40 bits of a CRC-64 (ECMA-182) of the first bytes.
  private static func checksum(of bytes: borrowing ProtectedBytes, count: Int) -> [UInt8] {
    let sum = bytes.withUnsafeBytes { bytes in
      bytes.prefix(count).reduce(into: UInt64(0)) { sum, byte in
        sum ^= UInt64(byte) << 56
        for _ in 0..<8 { sum = sum >> 63 == 1 ? sum << 1 ^ 0x42F0_E1EB_A9EA_3693 : sum << 1 }
      }
    }
    return (0..<5).map { UInt8(truncatingIfNeeded: sum >> (56 - 8 * $0)) }
  }
}
