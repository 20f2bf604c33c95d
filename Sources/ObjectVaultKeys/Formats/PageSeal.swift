internal import COpenSSL

/// Checks that pages of one file are as the holder of the key wrote them.
///
/// A page's seal is an HMAC over its ciphertext (page 1: without the salt in its first 16 bytes),
/// its initialisation vector and its number as four bytes, in the order of the scheme. The HMAC's key is
/// PBKDF2 of the raw key with the file's salt XOR the scheme's mask, by default 0x3a, and two rounds by
/// default. A page that was put back to an older version of itself has a right seal.
package struct PageSeal: ~Copyable {
  /// What a page turned out to be.
  package enum Verdict: Sendable, Hashable {
    /// The seal fits the page, its number and the key.
    case authentic
    /// Only zeros: a page that was never written, which the engine reads as empty.
    case zero
    /// The page of SQLite's lock bytes, which is never written.
    case lockBytes
    /// The file has no seals.
    case notSealed
    /// The seal does not fit.
    case broken
  }

  package let scheme: CipherScheme
  package let pageSize: Int
  private let context: OpaquePointer?

  /// Makes the seals' key; cheap beside a derivation from a passphrase.
  ///
  /// - Parameter rawKey: 32 bytes.
  package init(
    scheme: CipherScheme, pageSize: Int, rawKey: borrowing Secret, salt: FileSalt
  ) throws(KeyError) {
    precondition(
      CipherFormat.pageSizes.contains(pageSize), "a page has 512 to 65536 bytes, not \(pageSize)")
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
        "OpenSSL cannot compute HMAC-\(scheme.format.hash.name); check its configuration")
    }
    self.context = context
  }

  deinit {
    // OpenSSL wipes its copy of the key.
    EVP_MAC_CTX_free(context)
  }

  /// Whether the seal of a page fits.
  ///
  /// - Parameters:
  ///   - page: the page's bytes as they are in the file, exactly ``pageSize``.
  ///   - number: the page's number, from 1.
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

  /// What a page is; see ``Verdict``.
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
