/// A hash function of the file formats.
package enum HashFunction: Sendable, Hashable, CaseIterable {
  /// SHA-1 (FIPS 180-4), of cipher formats 1 to 3.
  case sha1
  /// SHA-256 (FIPS 180-4), of keyrings and digests.
  case sha256
  /// SHA-512 (FIPS 180-4), of cipher format 4.
  case sha512

  /// The number of bytes of a hash value.
  package var count: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  /// The name for libraries and users.
  package var name: String {
    switch self {
    case .sha1: "SHA1"
    case .sha256: "SHA256"
    case .sha512: "SHA512"
    }
  }
}
