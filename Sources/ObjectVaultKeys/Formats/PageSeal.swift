internal import ObjectVaultPrimitives

/// A verifier of the authentication codes (HMACs) of one file's pages.
///
/// The HMAC of a page covers its ciphertext (page 1: without the salt in its first 16 bytes, or its
/// plaintext header of 32 bytes), its initialisation vector, and its number as four bytes in the order of the scheme. The key of the
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
  private let code: Cryptography.KeyedCode?

  /// Creates the verifier and derives the HMAC key, which is fast compared to a passphrase.
  ///
  /// - Parameters:
  ///   - scheme: The scheme of the file.
  ///   - pageSize: The page size of the file.
  ///   - rawKey: The raw key of 32 bytes.
  ///   - salt: The salt of the file.
  /// - Throws: `cryptography` if the library fails.
  package init(
    scheme: CipherScheme, pageSize: Int, rawKey: borrowing Secret, salt: FileSalt
  ) throws(KeyError) {
    precondition(
      CipherFormat.pageSizes.contains(pageSize), "A page has 512 to 65536 bytes, not \(pageSize).")
    self.scheme = scheme
    self.pageSize = pageSize
    guard let authentication = scheme.authentication else {
      code = nil
      return
    }
    let key = try KeyDerivation.pbkdf2(
      rawKey, salt: salt.ofSeals(mask: authentication.saltMask).bytes,
      rounds: authentication.rounds, hash: scheme.format.hash)
    let hash = scheme.format.hash
    switch key.withUnsafeBytes({ Cryptography.KeyedCode(hash: hash, key: $0) }) {
    case .some(let made): code = .some(made)
    case .none: throw .cryptography("compute HMAC-\(hash.name)")
    }
  }

  /// Returns whether the HMAC of a page is valid.
  ///
  /// - Parameters:
  ///   - page: The bytes of the page as they are in the file, exactly ``pageSize``.
  ///   - number: The number of the page, from 1.
  /// - Returns: Whether it is valid; `false` for a file without authentication codes.
  package func verify(_ page: UnsafeRawBufferPointer, number: UInt32) -> Bool {
    guard page.count == pageSize else { return false }
    let start = number == 1 ? scheme.header.count : 0
    let afterVector = pageSize - scheme.reservedCount + 16
    let size = scheme.format.hash.count
    let isBigEndian = scheme.authentication?.pageNumberOrder == .bigEndian
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { computed in
      withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { number in
        switch code {
        case .none: false
        case .some(let code):
          code.authenticate(
            UnsafeRawBufferPointer(rebasing: page[start..<afterVector]), number, into: computed)
            && Cryptography.areEqual(
              UnsafeRawBufferPointer(computed),
              UnsafeRawBufferPointer(rebasing: page[afterVector..<(afterVector + size)]))
        }
      }
    }
  }

  /// Returns the result of checking a page; see ``Verdict``.
  package func check(_ page: UnsafeRawBufferPointer, number: UInt32) -> Verdict {
    if number == CipherFormat.lockBytePage(pageSize: pageSize) { return .lockBytes }
    if !scheme.isSealed { return .notSealed }
    if verify(page, number: number) { return .authentic }
    return page.count == pageSize && page.allSatisfy { $0 == 0 } ? .zero : .broken
  }
}
