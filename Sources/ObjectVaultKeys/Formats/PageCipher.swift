internal import ObjectVaultPrimitives

/// A decryptor of single pages, for reading a file that the engine cannot read.
///
/// A page is encrypted with AES-256-CBC. The initialisation vector is in the reserved bytes at the
/// end of the page. The salt in the first 16 bytes of page 1, or its plaintext header, is not
/// encrypted. Decryption does not authenticate: any bytes decrypt to something. Use ``PageSeal`` to
/// check a page.
package struct PageCipher: ~Copyable {
  package let scheme: CipherScheme
  package let pageSize: Int
  private let decryptor: Cryptography.BlockDecryptor

  /// Creates the cipher.
  ///
  /// - Parameters:
  ///   - scheme: The scheme of the file.
  ///   - pageSize: The page size of the file.
  ///   - rawKey: The raw key of 32 bytes.
  /// - Throws: `madeBeforeFork`; `cryptography` if the library fails.
  package init(
    scheme: CipherScheme, pageSize: Int, rawKey: borrowing Secret
  ) throws(KeyError) {
    precondition(
      CipherFormat.pageSizes.contains(pageSize), "A page has 512 to 65536 bytes, not \(pageSize).")
    try rawKey.checkProcess()
    guard let decryptor = rawKey.withUnsafeBytes({ Cryptography.BlockDecryptor(key: $0) }) else {
      throw .cryptography("decrypt with AES-256-CBC")
    }
    self.scheme = scheme
    self.pageSize = pageSize
    self.decryptor = decryptor
  }

  /// Returns the content of a page, with zeros in place of the reserved bytes.
  ///
  /// Page 1 begins like every unencrypted SQLite database. If it has a plaintext header, which is
  /// not authenticated, the fields that the scheme determines are those of the scheme.
  ///
  /// - Parameters:
  ///   - page: The bytes of the page as they are in the file.
  ///   - number: The number of the page, from 1.
  /// - Returns: ``pageSize`` bytes; `nil` if `page` has too few bytes.
  package func decrypt(_ page: UnsafeRawBufferPointer, number: UInt32) -> [UInt8]? {
    let start = number == 1 ? scheme.header.count : 0
    let end = pageSize - scheme.reservedCount
    guard page.count == pageSize else { return nil }
    var plaintext = [UInt8](repeating: 0, count: pageSize)
    let isDecrypted = plaintext.withUnsafeMutableBytes { plaintext in
      decryptor.decrypt(
        UnsafeRawBufferPointer(rebasing: page[start..<end]),
        vector: UnsafeRawBufferPointer(rebasing: page[end..<(end + 16)]),
        into: UnsafeMutableRawBufferPointer(rebasing: plaintext[start..<end]))
    }
    guard isDecrypted else { return nil }
    if number == 1 {
      plaintext.replaceSubrange(0..<16, with: CipherFormat.plainStart)
      if scheme.header == .plaintext {
        plaintext.replaceSubrange(16..<32, with: page[16..<32])
        DatabaseHeader.replaceDeterminedFields(
          of: &plaintext, pageSize: pageSize, reserved: scheme.reservedCount)
      }
    }
    return plaintext
  }
}
