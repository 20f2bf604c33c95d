/// The settings of the HMAC that authenticates a page.
package struct PageAuthentication: Sendable, Hashable {
  /// The byte order of a page's number in its authentication code (`cipher_hmac_pgno`).
  ///
  /// `native` is the order of the computer that wrote the file.
  package enum ByteOrder: String, Sendable, Hashable, CaseIterable {
    case littleEndian = "le"
    case bigEndian = "be"
  }

  /// The byte order of page numbers.
  package var pageNumberOrder = ByteOrder.littleEndian
  /// The byte that is combined with every byte of the salt (`cipher_hmac_salt_mask`).
  package var saltMask = Self.standardSaltMask
  /// The number of rounds that derive the HMAC key from the page key (`fast_kdf_iter`).
  package var rounds = Self.standardRounds

  package static let standardSaltMask: UInt8 = 0x3a
  package static let standardRounds = 2
  /// The numbers of rounds in releases and betas of SQLCipher 2.
  static let knownRounds = [2, 4_000]
  static let knownSaltMasks: [UInt8] = [0x3a, 0x00]
}

/// A cipher format with the settings of one file that differ from the format's own.
package struct CipherScheme: Sendable, Hashable {
  package let format: CipherFormat
  /// The number of rounds that derive a key from a passphrase (`kdf_iter`).
  package var rounds: Int
  /// The page authentication; `nil` for unauthenticated pages (`cipher_use_hmac = OFF`).
  package var authentication: PageAuthentication?
  /// The form of the first bytes of the file (`cipher_plaintext_header_size`).
  package var header: FileHeader

  /// Creates the format as SQLCipher writes it without any other setting.
  package init(_ format: CipherFormat, rounds: Int? = nil, header: FileHeader = .encrypted) {
    self.format = format
    self.header = header
    self.rounds = rounds ?? format.derivationRounds
    authentication = format.isSealed ? PageAuthentication() : nil
  }

  /// Whether every page has an HMAC.
  package var isSealed: Bool { authentication != nil }

  /// The reserved bytes at the end of each page.
  ///
  /// They hold the initialisation vector and the HMAC, padded to whole cipher blocks.
  package var reservedCount: Int {
    isSealed ? format.reservedCount : CipherFormat.format1.reservedCount
  }

  /// The smallest page size that leaves the engine the 480 bytes that it needs.
  ///
  /// Source: SQLite's file format, section 1.3.4.
  package var smallestPageSize: Int {
    CipherFormat.pageSizes.filter { $0 - reservedCount >= 480 }.min() ?? 1024
  }

  /// Whether every setting except the derivation rounds is the default of the format.
  ///
  /// The engine receives derived keys, so it does not need the number of rounds.
  package var hasStandardPages: Bool { authentication == CipherScheme(format).authentication }

  /// The settings that differ from the defaults of the format, with the names of SQLCipher's
  /// pragmas.
  package var otherSettings: [String] {
    var settings: [String] = []
    if rounds != format.derivationRounds { settings.append("kdf_iter = \(rounds)") }
    guard let authentication else {
      if format.isSealed { settings.append("cipher_use_hmac = OFF") }
      return settings
    }
    if authentication.pageNumberOrder != .littleEndian {
      settings.append("cipher_hmac_pgno = \(authentication.pageNumberOrder.rawValue)")
    }
    if authentication.saltMask != PageAuthentication.standardSaltMask {
      let digits = String(authentication.saltMask, radix: 16)
      settings.append("cipher_hmac_salt_mask = x'\(digits.count == 1 ? "0" : "")\(digits)'")
    }
    if authentication.rounds != PageAuthentication.standardRounds {
      settings.append("fast_kdf_iter = \(authentication.rounds)")
    }
    return settings
  }

  /// The format and its other settings, for messages.
  package var description: String {
    let header = header == .plaintext ? ["plaintext header"] : []
    return (["cipher format \(format.rawValue)"] + otherSettings + header).joined(separator: ", ")
  }
}

/// The settings of a file that the caller specifies; those that are `nil` are detected.
package struct NamedCipherSettings: Sendable, Hashable {
  /// Whether the pages have no authentication codes (`cipher_use_hmac = OFF`).
  package var isUnauthenticated = false
  package var pageNumberOrder: PageAuthentication.ByteOrder?
  package var saltMask: UInt8?
  package var authenticationRounds: Int?

  package init() {}

  /// Returns a scheme with the specified settings.
  func applied(to scheme: CipherScheme) -> CipherScheme {
    var scheme = scheme
    if isUnauthenticated { scheme.authentication = nil }
    if let pageNumberOrder { scheme.authentication?.pageNumberOrder = pageNumberOrder }
    if let saltMask { scheme.authentication?.saltMask = saltMask }
    if let authenticationRounds { scheme.authentication?.rounds = authenticationRounds }
    return scheme
  }

  /// Returns all page authentications to try, the most likely first.
  var authentications: [PageAuthentication] {
    let orders = pageNumberOrder.map { [$0] } ?? PageAuthentication.ByteOrder.allCases
    let masks = saltMask.map { [$0] } ?? PageAuthentication.knownSaltMasks
    let rounds = authenticationRounds.map { [$0] } ?? PageAuthentication.knownRounds
    return rounds.flatMap { rounds in
      masks.flatMap { mask in
        orders.map {
          PageAuthentication(pageNumberOrder: $0, saltMask: mask, rounds: rounds)
        }
      }
    }
  }
}
