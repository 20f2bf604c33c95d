/// A detector of a file's cipher format and page size, and of whether a key opens it.
///
/// It only reads bytes. Only ``schemes`` are accepted. A file that the key decrypts in any other
/// way is an error that names its settings, so no call falls back to unauthenticated pages by
/// itself.
///
/// The usual file, in the first format of the order, costs one derivation. No file costs more than
/// one for each distinct derivation of the tried formats.
package struct FormatRecogniser {
  /// Reads up to `count` bytes at `offset` of the file; fewer only at the end of the file.
  package typealias Reader = (_ offset: Int64, _ count: Int) throws -> [UInt8]

  /// The accepted schemes, in the order in which they are tried.
  package var schemes: [CipherScheme]
  /// The page sizes to try, in order.
  package var pageSizes: [Int]
  /// The settings that the caller specifies for this file.
  package var named = NamedCipherSettings()
  /// Whether authenticated files with settings that no format has by default are accepted.
  package var acceptsOtherSettings = false
  /// Whether the caller specifies that this file has no authentication codes.
  ///
  /// Otherwise a header that reserves space for the codes of another format is not accepted as
  /// format 1.
  package var namesUnauthenticated: Bool
  /// Whether the caller only reports the encryption of the file and trusts none of its content.
  ///
  /// If so, every detected scheme is accepted.
  package var identifiesOnly = false

  /// The number of derivations from a passphrase so far.
  package internal(set) var derivationCount = 0

  /// Creates a recogniser.
  ///
  /// - Parameters:
  ///   - formats: The formats to accept, in the order in which they are tried. Put the engine's own
  ///     first. Format 1 alone specifies a file without authentication codes.
  ///   - pageSize: The page size, if known.
  ///   - rounds: The number of derivation rounds, if set by `kdf_iter`.
  package init(
    formats: [CipherFormat] = [.format4, .format3, .format2], pageSize: Int? = nil,
    rounds: Int? = nil
  ) {
    schemes = formats.map { CipherScheme($0, rounds: rounds) }
    pageSizes = pageSize.map { [$0] } ?? CipherFormat.pageSizes
    namesUnauthenticated = formats == [.format1]
    namedRounds = rounds
  }

  /// Creates a recogniser for a file with settings that the caller can specify.
  ///
  /// - Parameters:
  ///   - formats: The formats to accept.
  ///   - pageSize: The page size, if known.
  ///   - rounds: The number of derivation rounds, if set by `kdf_iter`.
  ///   - named: The settings that the caller specifies; the others are detected.
  package init(
    formats: [CipherFormat], pageSize: Int?, rounds: Int?, named: NamedCipherSettings
  ) {
    var formats = formats
    // Without authentication codes, the oldest format is the common one in programs.
    if named.isUnauthenticated, formats.count > 1 {
      formats = [.format1] + formats.filter { $0.isSealed && $0 != .format2 }
    }
    self.init(formats: formats, pageSize: pageSize, rounds: rounds)
    schemes = schemes.map(named.applied)
    self.named = named
    acceptsOtherSettings = true
    namesUnauthenticated = named.isUnauthenticated || formats == [.format1]
  }

  /// The number of derivation rounds that the caller specifies.
  let namedRounds: Int?
}

/// An encrypted file that a key opens.
package struct RecognisedFile: Sendable {
  /// The scheme of the file.
  ///
  /// With a raw key, formats 2 and 3 are indistinguishable; it is the first of the order then.
  package let scheme: CipherScheme
  package let pageSize: Int
  package let salt: FileSalt
  /// The key of 32 bytes that the engine receives together with the salt.
  package let rawKey: SharedSecret
  /// The header of page 1, if it is valid.
  package var header: DatabaseHeader?
  /// Whether the key opened page 1 as it is in the file, and not only other pages.
  package var isFirstPageSealed = true

  package var format: CipherFormat { scheme.format }

  /// Whether the header reserves space for authentication codes that the scheme does not have.
  package var hasRoomForSeals: Bool {
    !scheme.isSealed
      && (header?.reservedCount ?? 0) >= CipherFormat.format2.reservedCount
  }
}
