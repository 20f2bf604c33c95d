internal import COpenSSL

/// Decrypts single pages of one file, for what reads a file that the engine gives up.
///
/// A page is AES-256-CBC under an initialisation vector that stands in the bytes it reserves at its
/// end; of page 1 the salt in the first 16 bytes is left out. Whether the page is what the holder of
/// the key wrote is for ``PageSeal`` to say: without that, anything decrypts to something.
package struct PageCipher: ~Copyable {
  package let scheme: CipherScheme
  package let pageSize: Int
  private let context: OpaquePointer

  /// - Parameter rawKey: 32 bytes.
  package init(
    scheme: CipherScheme, pageSize: Int, rawKey: borrowing Secret
  ) throws(KeyError) {
    precondition(
      CipherFormat.pageSizes.contains(pageSize), "a page has 512 to 65536 bytes, not \(pageSize)")
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

  /// The content of a page, with zeros in the place of what it reserves; page 1 begins as every
  /// SQLite database in clear does.
  ///
  /// - Parameters:
  ///   - page: The page's bytes as they are in the file.
  ///   - number: The page's number, from 1.
  /// - Returns: ``pageSize`` bytes; nil where there are not as many to decrypt.
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
    KeyError(.cryptography, "OpenSSL cannot decrypt with AES-256-CBC; check its configuration")
  }
}
