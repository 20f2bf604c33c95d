/// Finds out which cipher format and page size a file has, and whether a key opens it, by
/// looking at bytes only.
///
/// The usual file, in the first format of the order, costs one derivation; no file costs more
/// than one for each distinct derivation of the formats tried.
package struct FormatRecogniser {
  /// Reads up to `count` bytes at `offset` of the file; fewer only at the file's end.
  package typealias Reader = (_ offset: Int64, _ count: Int) throws -> [UInt8]

  /// The formats to try, in order.
  package var formats: [CipherFormat]
  /// The page sizes to try, in order.
  package var pageSizes: [Int]
  /// The rounds of derivation of every format tried, where they are not the formats' own.
  package var rounds: Int?

  /// How many derivations from a passphrase were made so far.
  package internal(set) var derivationCount = 0

  /// - Parameters:
  ///   - formats: the formats to try, in order; the engine's own belongs first.
  ///   - pageSize: the page size where it is known.
  ///   - rounds: the rounds of derivation where they were set by `kdf_iter`.
  package init(
    formats: [CipherFormat] = [.format4, .format3, .format2, .format1], pageSize: Int? = nil,
    rounds: Int? = nil
  ) {
    self.formats = formats
    self.pageSizes = pageSize.map { [$0] } ?? CipherFormat.pageSizes
    self.rounds = rounds
  }
}

/// An encrypted file that a key opens.
package struct RecognisedFile: Sendable {
  /// With a raw key formats 2 and 3 are the same; the first of the order is given.
  package let format: CipherFormat
  package let pageSize: Int
  package let salt: FileSalt
  /// The key of 32 bytes that the engine takes with the salt.
  package let rawKey: SharedSecret
  /// The header of page 1, when it reads as one.
  package let header: DatabaseHeader?
  /// Whether page 1 answered to the key as it stands in the file, and not other pages alone.
  package let isFirstPageSealed: Bool

  package init(
    format: CipherFormat, pageSize: Int, salt: FileSalt, rawKey: SharedSecret,
    header: DatabaseHeader? = nil, isFirstPageSealed: Bool = true
  ) {
    self.format = format
    self.pageSize = pageSize
    self.salt = salt
    self.rawKey = rawKey
    self.header = header
    self.isFirstPageSealed = isFirstPageSealed
  }

  /// The key in the form that the engine takes, `x'<key><salt>'`.
  package func keySpecification() -> Secret {
    rawKey.withSecret { KeyDerivation.specification(key: $0, salt: salt) }
  }
}
