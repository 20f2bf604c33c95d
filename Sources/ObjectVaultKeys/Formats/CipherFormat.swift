package import ObjectVaultPrimitives

/// The four formats that the major versions of SQLCipher write by default.
///
/// All encrypt each page with AES-256-CBC and a separate random initialisation vector. They differ
/// in the derivation of a key from a passphrase and in the authentication of a page. The numbers
/// are from SQLCipher's documentation ("cipher_compatibility") and were verified with real files.
package enum CipherFormat: Int, Sendable, Hashable, CaseIterable, Comparable {
  case format1 = 1
  case format2 = 2
  case format3 = 3
  case format4 = 4

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The hash function of passphrase derivation and of the pages' authentication codes, if any.
  package var hash: HashFunction { self == .format4 ? .sha512 : .sha1 }

  /// Whether every page has an HMAC.
  package var isSealed: Bool { self != .format1 }

  /// The number of PBKDF2 rounds that derive a key from a passphrase.
  package var derivationRounds: Int {
    switch self {
    case .format1, .format2: 4_000
    case .format3: 64_000
    case .format4: 256_000
    }
  }

  /// The reserved bytes at the end of each page.
  ///
  /// They hold the initialisation vector and then the HMAC, padded to whole cipher blocks.
  package var reservedCount: Int {
    switch self {
    case .format1: 16
    case .format2, .format3: 48
    case .format4: 80
    }
  }

  /// All page sizes of SQLite, the most likely first.
  package static let pageSizes = [4096, 1024, 8192, 2048, 16384, 512, 32768, 65536]

  /// Returns whether a file begins like an unencrypted SQLite database.
  ///
  /// The rest of the file is encrypted if it has a plaintext header.
  package static func isPlain(_ start: some Collection<UInt8>) -> Bool {
    start.starts(with: plainStart)
  }

  /// Returns whether a file that begins like an SQLite database is encrypted after its header.
  ///
  /// SQLite leaves the 20 bytes at offset 72 zero (file format, section 1.3). Encrypted bytes are
  /// all zero once in 2^160.
  ///
  /// - Parameter start: The start of the file. Fewer than 92 bytes count as unencrypted.
  /// - Returns: Whether the file is encrypted after its header.
  package static func hasPlaintextHeader(_ start: some Collection<UInt8>) -> Bool {
    let reserved = start.dropFirst(72).prefix(20)
    return isPlain(start) && reserved.count == 20 && reserved.contains { $0 != 0 }
  }

  /// The first bytes of an unencrypted SQLite database.
  package static let plainStart = Array("SQLite format 3\0".utf8)

  /// Returns the number of the page with SQLite's lock bytes (at 1 GiB), which is never written.
  package static func lockBytePage(pageSize: Int) -> UInt32 {
    UInt32(0x4000_0000 / pageSize + 1)
  }
}
