internal import ObjectVaultPrimitives

/// The fields of SQLite's file header, read from the encrypted page 1.
///
/// On disk, the salt replaces the first 16 bytes of the header, unless the file has a plaintext
/// header of 32 bytes. The rest is at the offsets of SQLite's file format documentation (section
/// 1.3).
package struct DatabaseHeader: Sendable, Hashable {
  package let pageSize: Int
  /// The number of reserved bytes at the end of each page: at least that of the format.
  package let reservedCount: Int
  /// The number of pages, if the last writer maintained it.
  package let pageCount: UInt32?

  /// Decrypts the header; returns `nil` if the result is not a valid header.
  ///
  /// For a page without an authentication code, that indicates a wrong key, format or page size.
  /// For a plaintext header, which has no authentication code, it indicates that a byte was
  /// changed: every field must have the one value that the library and its engine write.
  ///
  /// - Parameters:
  ///   - page: Page 1 as it is in the file; its size is the page size.
  ///   - scheme: The scheme of the file.
  ///   - rawKey: The raw key of 32 bytes.
  package init?(
    decrypting page: UnsafeRawBufferPointer, scheme: CipherScheme, rawKey: borrowing Secret
  ) {
    // Bytes up to 96, in whole cipher blocks: all fields read below end at byte 96.
    let end = 96
    let start = scheme.header.count
    let reserved = scheme.reservedCount
    let vectorOffset = page.count - reserved
    guard rawKey.count == KeyDerivation.rawKeyCount, vectorOffset >= end,
      let decrypted = rawKey.withUnsafeBytes({ key in
        DatabaseHeader.decrypt(
          UnsafeRawBufferPointer(rebasing: page[start..<end]), key: key,
          vector: UnsafeRawBufferPointer(rebasing: page[vectorOffset..<(vectorOffset + 16)]))
      })
    else { return nil }
    let header = Array(page[..<start]) + decrypted
    func field(_ offset: Int) -> UInt32 {
      header[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let storedSize = Int(header[16]) << 8 | Int(header[17])
    pageSize = storedSize == 1 ? 65536 : storedSize
    reservedCount = Int(header[20])
    // The payload fractions are 64, 32, 32 in every SQLite database. A file that SQLCipher 4
    // created in an older format reserves as many bytes as format 4 needs.
    guard pageSize == page.count, reservedCount >= reserved,
      (1...2).contains(header[18]), (1...2).contains(header[19]),
      header[21] == 64, header[22] == 32, header[23] == 32
    else { return nil }
    // Writers before SQLite 3.7.0 change the counter at offset 24 but neither the page count nor
    // the number at offset 92.
    let count28 = field(28)
    pageCount = count28 > 0 && field(24) == field(92) ? count28 : nil
    if scheme.header == .plaintext {
      guard CipherFormat.isPlain(header), reservedCount == reserved, header[18] == header[19],
        pageCount != nil
      else { return nil }
    }
  }

  /// Returns whether the 20 bytes that SQLite leaves zero in its header decrypt to zeros.
  ///
  /// A wrong key does that once in 2^160. The bytes are at offset 72, and in CBC mode a block needs
  /// only the previous block. The result therefore proves the key even if the end of the page, its
  /// first blocks or the salt are lost.
  ///
  /// - Parameters:
  ///   - start: The start of page 1, at least 96 bytes.
  ///   - rawKey: The raw key of 32 bytes.
  /// - Returns: Whether the bytes decrypt to zeros.
  static func hasReservedZeros(
    in start: UnsafeRawBufferPointer, rawKey: borrowing Secret
  ) -> Bool {
    guard start.count >= 96, rawKey.count == KeyDerivation.rawKeyCount,
      let blocks = rawKey.withUnsafeBytes({
        decrypt(
          UnsafeRawBufferPointer(rebasing: start[64..<96]), key: $0,
          vector: UnsafeRawBufferPointer(rebasing: start[48..<64]))
      })
    else { return false }
    return blocks[8..<28].allSatisfy { $0 == 0 }
  }

  private static func decrypt(
    _ ciphertext: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer,
    vector: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    guard let decryptor = Cryptography.BlockDecryptor(key: key) else { return nil }
    var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
    let isDecrypted = plaintext.withUnsafeMutableBytes {
      decryptor.decrypt(ciphertext, vector: vector, into: $0)
    }
    return isDecrypted ? plaintext : nil
  }
}

extension DatabaseHeader {
  /// Replaces the fields of a plaintext header that the scheme of the file determines.
  ///
  /// These are the page size, the reserved bytes and the payload fractions. A changed one would
  /// make all pages unreadable or change their meaning.
  static func replaceDeterminedFields(of page: inout [UInt8], pageSize: Int, reserved: Int) {
    let size = pageSize == 65536 ? 1 : pageSize
    page[16] = UInt8(truncatingIfNeeded: size >> 8)
    page[17] = UInt8(truncatingIfNeeded: size)
    page[20] = UInt8(truncatingIfNeeded: reserved)
    page.replaceSubrange(21..<24, with: [64, 32, 32])
  }
}
