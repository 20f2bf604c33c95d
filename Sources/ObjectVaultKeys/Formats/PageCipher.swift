internal import COpenSSL

/// A decryptor of single pages, for reading a file that the engine cannot read.
///
/// A page is encrypted with AES-256-CBC. The initialisation vector is in the reserved bytes at the
/// end of the page. The salt in the first 16 bytes of page 1 is not encrypted. Decryption does not
/// authenticate: any bytes decrypt to something. Use ``PageSeal`` to check a page.
package struct PageCipher: ~Copyable {
  package let scheme: CipherScheme
  package let pageSize: Int
  private let context: OpaquePointer

  /// Creates the cipher.
  ///
  /// - Parameters:
  ///   - scheme: The scheme of the file.
  ///   - pageSize: The page size of the file.
  ///   - rawKey: The raw key of 32 bytes.
  /// - Throws: `madeBeforeFork`; `cryptography` if OpenSSL fails.
  package init(
    scheme: CipherScheme, pageSize: Int, rawKey: borrowing Secret
  ) throws(KeyError) {
    precondition(
      CipherFormat.pageSizes.contains(pageSize), "A page has 512 to 65536 bytes, not \(pageSize).")
    try rawKey.checkProcess()
    guard rawKey.count == KeyDerivation.rawKeyCount, let context = EVP_CIPHER_CTX_new() else {
      throw Self.unavailable
    }
    let isReady = rawKey.withUnsafeBytes { key in
      EVP_DecryptInit_ex(
        context, EVP_aes_256_cbc(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
        == 1 && EVP_CIPHER_CTX_set_padding(context, 0) == 1
    }
    guard isReady else {
      EVP_CIPHER_CTX_free(context)
      throw Self.unavailable
    }
    self.scheme = scheme
    self.pageSize = pageSize
    self.context = context
  }

  deinit {
    // OpenSSL wipes its copy of the key.
    EVP_CIPHER_CTX_free(context)
  }

  /// Returns the content of a page, with zeros in place of the reserved bytes.
  ///
  /// Page 1 begins like every unencrypted SQLite database.
  ///
  /// - Parameters:
  ///   - page: The bytes of the page as they are in the file.
  ///   - number: The number of the page, from 1.
  /// - Returns: ``pageSize`` bytes; `nil` if `page` has too few bytes.
  package func decrypt(_ page: UnsafeRawBufferPointer, number: UInt32) -> [UInt8]? {
    let start = number == 1 ? FileSalt.count : 0
    let end = pageSize - scheme.reservedCount
    guard page.count == pageSize,
      let bytes = page.baseAddress?.assumingMemoryBound(to: UInt8.self),
      EVP_DecryptInit_ex(context, nil, nil, nil, bytes + end) == 1
    else { return nil }
    var plaintext = [UInt8](repeating: 0, count: pageSize)
    var written: Int32 = 0
    let isDone = plaintext.withUnsafeMutableBufferPointer { plaintext in
      EVP_DecryptUpdate(
        context, plaintext.baseAddress.map { $0 + start }, &written, bytes + start,
        Int32(end - start)) == 1
    }
    guard isDone, Int(written) == end - start else { return nil }
    if number == 1 { plaintext.replaceSubrange(0..<16, with: CipherFormat.plainStart) }
    return plaintext
  }

  private static var unavailable: KeyError {
    KeyError(.cryptography, "OpenSSL cannot decrypt with AES-256-CBC. Check its configuration.")
  }
}
