internal import COpenSSL

/// A verifier of the authentication codes (HMACs) of one file's pages.
///
/// The HMAC of a page covers its ciphertext (page 1: without the salt in its first 16 bytes), its
/// initialisation vector, and its number as four bytes in the order of the scheme. The key of the
/// HMAC is PBKDF2 of the raw key with the file's salt XOR the scheme's mask, by default 0x3a, and
/// two rounds by default. A page that was replaced by an older version of itself has a valid HMAC.
package struct PageSeal: ~Copyable {
  /// The result of checking a page.
  package enum Verdict: Sendable, Hashable {
    /// The HMAC matches the page, its number and the key.
    case authentic
    /// The page has only zeros: it was never written, and the engine reads it as empty.
    case zero
    /// The page contains SQLite's lock bytes and is never written.
    case lockBytes
    /// The file has no authentication codes.
    case notSealed
    /// The HMAC does not match.
    case broken
  }

  package let scheme: CipherScheme
  package let pageSize: Int
  private let context: OpaquePointer?

  /// Creates the verifier and derives the HMAC key, which is fast compared to a passphrase.
  ///
  /// - Parameters:
  ///   - scheme: The scheme of the file.
  ///   - pageSize: The page size of the file.
  ///   - rawKey: The raw key of 32 bytes.
  ///   - salt: The salt of the file.
  /// - Throws: `cryptography` if OpenSSL fails.
  package init(
    scheme: CipherScheme, pageSize: Int, rawKey: borrowing Secret, salt: FileSalt
  ) throws(KeyError) {
    precondition(
      CipherFormat.pageSizes.contains(pageSize), "A page has 512 to 65536 bytes, not \(pageSize).")
    self.scheme = scheme
    self.pageSize = pageSize
    guard let authentication = scheme.authentication else {
      context = nil
      return
    }
    let key = try KeyDerivation.pbkdf2(
      rawKey, salt: salt.ofSeals(mask: authentication.saltMask).bytes,
      rounds: authentication.rounds, hash: scheme.format.hash)
    guard let context = PageSeal.makeContext(key, hash: scheme.format.hash) else {
      throw KeyError(
        .cryptography,
        "OpenSSL cannot compute HMAC-\(scheme.format.hash.name). Check its configuration.")
    }
    self.context = context
  }

  deinit {
    // OpenSSL wipes its copy of the key.
    EVP_MAC_CTX_free(context)
  }

  /// Returns whether the HMAC of a page is valid.
  ///
  /// - Parameters:
  ///   - page: The bytes of the page as they are in the file, exactly ``pageSize``.
  ///   - number: The number of the page, from 1.
  /// - Returns: Whether it is valid; `false` for a file without authentication codes.
  package func verify(_ page: UnsafeRawBufferPointer, number: UInt32) -> Bool {
    guard let context, page.count == pageSize else { return false }
    let start = number == 1 ? FileSalt.count : 0
    let afterVector = pageSize - scheme.reservedCount + 16
    return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { seal in
      let bytes = page.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let isBigEndian = scheme.authentication?.pageNumberOrder == .bigEndian
      var orderedNumber = isBigEndian ? number.bigEndian : number.littleEndian
      var count = 0
      guard EVP_MAC_init(context, nil, 0, nil) == 1,
        EVP_MAC_update(context, bytes.map { $0 + start }, afterVector - start) == 1,
        EVP_MAC_update(context, &orderedNumber, 4) == 1,
        EVP_MAC_final(
          context, seal.baseAddress?.assumingMemoryBound(to: UInt8.self), &count, seal.count) == 1,
        count == scheme.format.hash.count
      else { return false }
      return CRYPTO_memcmp(seal.baseAddress, page.baseAddress.map { $0 + afterVector }, count) == 0
    }
  }

  /// Returns the result of checking a page; see ``Verdict``.
  package func check(_ page: UnsafeRawBufferPointer, number: UInt32) -> Verdict {
    if number == CipherFormat.lockBytePage(pageSize: pageSize) { return .lockBytes }
    if !scheme.isSealed { return .notSealed }
    if verify(page, number: number) { return .authentic }
    return page.count == pageSize && page.allSatisfy { $0 == 0 } ? .zero : .broken
  }

  private static func makeContext(
    _ key: borrowing Secret, hash: HashFunction
  ) -> OpaquePointer? {
    guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
    defer { EVP_MAC_free(algorithm) }
    guard let context = EVP_MAC_CTX_new(algorithm) else { return nil }
    var name = Array(hash.name.utf8CString)
    let answer = name.withUnsafeMutableBufferPointer { name in
      key.withUnsafeBytes { key in
        let parameters = [
          OSSL_PARAM_construct_utf8_string(ParameterName.digest.pointer, name.baseAddress, 0),
          OSSL_PARAM_construct_end(),
        ]
        return EVP_MAC_init(
          context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count, parameters)
      }
    }
    guard answer == 1 else {
      EVP_MAC_CTX_free(context)
      return nil
    }
    return context
  }
}
