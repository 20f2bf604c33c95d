/// The four formats that SQLCipher's major versions write by default.
///
/// All encrypt each page with AES-256-CBC under a random initialisation vector of its own; they
/// differ in how a passphrase becomes a key and in how a page is authenticated. The numbers are
/// those of SQLCipher's documentation ("cipher_compatibility") and were checked on real files.
package enum CipherFormat: Int, Sendable, Hashable, CaseIterable, Comparable {
  case format1 = 1
  case format2 = 2
  case format3 = 3
  case format4 = 4

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The hash function of a passphrase's derivation, and of the pages' seals where there are any.
  package var hash: HashFunction { self == .format4 ? .sha512 : .sha1 }

  /// Whether every page carries an HMAC.
  package var isSealed: Bool { self != .format1 }

  /// The rounds of PBKDF2 that make a key of a passphrase.
  package var derivationRounds: Int {
    switch self {
    case .format1, .format2: 4_000
    case .format3: 64_000
    case .format4: 256_000
    }
  }

  /// The bytes at the end of each page: the initialisation vector, then the seal, padded to
  /// whole cipher blocks.
  package var reservedCount: Int {
    switch self {
    case .format1: 16
    case .format2, .format3: 48
    case .format4: 80
    }
  }

  /// The page size that SQLCipher takes for the format when none is set.
  package var defaultPageSize: Int { self == .format4 ? 4096 : 1024 }

  /// Every page size SQLite knows, the likeliest first.
  package static let pageSizes = [4096, 1024, 8192, 2048, 16384, 512, 32768, 65536]

  /// Whether a file's first bytes are those of an SQLite database that is not encrypted.
  package static func isPlain(_ start: some Collection<UInt8>) -> Bool {
    start.starts(with: plainStart)
  }

  /// What an SQLite database that is not encrypted begins with.
  package static let plainStart = Array("SQLite format 3\0".utf8)

  /// The number of the page that holds SQLite's lock bytes (at 1 GiB); it is never written.
  package static func lockBytePage(pageSize: Int) -> UInt32 {
    UInt32(0x4000_0000 / pageSize + 1)
  }
}
