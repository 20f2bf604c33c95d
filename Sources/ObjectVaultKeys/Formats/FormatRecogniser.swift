/// Finds out which cipher format and page size a file has, and whether a key opens it, by
/// reading bytes only.
///
/// Only ``schemes`` are accepted. A file that the key decrypts in any other way is an error that
/// names its settings, so that no call falls back to pages without authentication on its own.
///
/// The usual file, in the first format of the order, costs one derivation; no file costs more
/// than one for each distinct derivation of the formats tried.
package struct FormatRecogniser {
  /// Reads up to `count` bytes at `offset` of the file; fewer only at the file's end.
  package typealias Reader = (_ offset: Int64, _ count: Int) throws -> [UInt8]

  /// The schemes that are accepted, in the order in which they are tried.
  package var schemes: [CipherScheme]
  /// The page sizes to try, in order.
  package var pageSizes: [Int]
  /// The settings that the caller names for this file.
  package var named = NamedCipherSettings()
  /// Whether authenticated files with settings that no format has by default are accepted.
  package var acceptsOtherSettings = false
  /// Whether the caller names this file as one without authentication codes. Otherwise format 1 is
  /// not believed of a header that leaves room for the codes of another format.
  package var namesUnauthenticated: Bool
  /// Whether the caller reports how the file is encrypted, and trusts nothing in it: then every scheme
  /// that is found is accepted.
  package var identifiesOnly = false

  /// How many derivations from a passphrase were made so far.
  package internal(set) var derivationCount = 0

  /// - Parameters:
  ///   - formats: The formats to accept, in the order in which they are tried; the engine's own
  ///     belongs first. Format 1 alone names the file as one without authentication codes.
  ///   - pageSize: The page size where it is known.
  ///   - rounds: The rounds of derivation where they were set by `kdf_iter`.
  package init(
    formats: [CipherFormat] = [.format4, .format3, .format2], pageSize: Int? = nil,
    rounds: Int? = nil
  ) {
    schemes = formats.map { CipherScheme($0, rounds: rounds) }
    pageSizes = pageSize.map { [$0] } ?? CipherFormat.pageSizes
    namesUnauthenticated = formats == [.format1]
    namedRounds = rounds
  }

  /// Creates a recogniser for a file of which the caller may name settings.
  ///
  /// - Parameters:
  ///   - formats: The formats to accept.
  ///   - named: The settings that the caller names; the others are found by trying.
  package init(
    formats: [CipherFormat], pageSize: Int?, rounds: Int?, named: NamedCipherSettings
  ) {
    var formats = formats
    // Without authentication codes the oldest format is the one that programs have.
    if named.isUnauthenticated, formats.count > 1 {
      formats = [.format1] + formats.filter { $0.isSealed && $0 != .format2 }
    }
    self.init(formats: formats, pageSize: pageSize, rounds: rounds)
    schemes = schemes.map(named.applied)
    self.named = named
    acceptsOtherSettings = true
    namesUnauthenticated = named.isUnauthenticated || formats == [.format1]
  }

  /// The rounds of derivation that the caller names.
  let namedRounds: Int?
}

/// An encrypted file that a key opens.
package struct RecognisedFile: Sendable {
  /// With a raw key formats 2 and 3 are the same; the first of the order is given.
  package let scheme: CipherScheme
  package let pageSize: Int
  package let salt: FileSalt
  /// The key of 32 bytes that the engine takes with the salt.
  package let rawKey: SharedSecret
  /// The header of page 1, when it reads as one.
  package let header: DatabaseHeader?
  /// Whether page 1 answered to the key as it stands in the file, and not other pages alone.
  package let isFirstPageSealed: Bool

  package var format: CipherFormat { scheme.format }

  package init(
    scheme: CipherScheme, pageSize: Int, salt: FileSalt, rawKey: SharedSecret,
    header: DatabaseHeader? = nil, isFirstPageSealed: Bool = true
  ) {
    self.scheme = scheme
    self.pageSize = pageSize
    self.salt = salt
    self.rawKey = rawKey
    self.header = header
    self.isFirstPageSealed = isFirstPageSealed
  }

  /// Whether the header leaves room for authentication codes that the scheme does not have.
  package var hasRoomForSeals: Bool {
    !scheme.isSealed
      && (header?.reservedCount ?? 0) >= CipherFormat.format2.reservedCount
  }

  /// The key in the form that the engine takes, `x'<key><salt>'`.
  package func keySpecification() -> Secret {
    rawKey.withSecret { KeyDerivation.specification(key: $0, salt: salt) }
  }
}
