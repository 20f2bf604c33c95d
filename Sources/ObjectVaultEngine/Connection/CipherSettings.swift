/// The encryption settings of a file's pages, for the engine.
package struct CipherSettings: Sendable, Hashable {
  /// The cipher format: 1 (no MAC), 2, 3 (SHA-1) or 4 (SHA-512).
  package var format: Int
  /// The size of a page in bytes: a power of two from 512 to 65536.
  package var pageSize: Int
  /// The number of rounds that stretch a passphrase, or `nil` for the default of the format.
  package var kdfIterations: Int?
  /// Whether pages carry an HMAC (`cipher_use_hmac`).
  package var usesHMAC: Bool
  /// The byte order of page numbers in the HMAC, `le` or `be` (`cipher_hmac_pgno`).
  package var hmacPageNumberOrder = "le"
  /// The byte that the salt of the HMAC's key is combined with (`cipher_hmac_salt_mask`).
  package var hmacSaltMask = Self.standardSaltMask
  /// The rounds that derive the HMAC's key (`fast_kdf_iter`).
  package var hmacIterations = 2

  /// Whether the first 32 bytes of the file are those of SQLite's header, in plaintext
  /// (`cipher_plaintext_header_size`).
  package var hasPlaintextHeader = false

  /// The number of bytes of the plaintext header.
  var plaintextHeaderSize: Int { hasPlaintextHeader ? 32 : 0 }

  package static let standardSaltMask: UInt8 = 0x3a

  package init(format: Int, pageSize: Int = 4096, kdfIterations: Int? = nil) {
    self.format = format
    self.pageSize = pageSize
    self.kdfIterations = kdfIterations
    usesHMAC = format != 1
  }

  /// The number of rounds in effect.
  ///
  /// The defaults are those of SQLCipher's documentation of `PRAGMA cipher_compatibility`.
  var rounds: Int {
    if let kdfIterations { return kdfIterations }
    switch format {
    case 1, 2: return 4_000
    case 3: return 64_000
    default: return 256_000
    }
  }

  /// The number of reserved bytes at the end of each page: the initialization vector and the
  /// authentication code, in whole cipher blocks.
  ///
  /// The values follow `sqlcipher_codec_ctx_reserve_setup` of SQLCipher.
  var reservedBytes: Int {
    switch format {
    case _ where !usesHMAC: 16
    case 2, 3: 48
    default: 80
    }
  }
}
