internal import COpenSSL

/// The hash functions of the cipher formats.
package enum HashFunction: Sendable, Hashable {
  case sha1
  case sha512

  /// The number of bytes of a hash value.
  package var count: Int { self == .sha1 ? 20 : 64 }

  /// OpenSSL's name of the hash function.
  var name: String { self == .sha1 ? "SHA1" : "SHA512" }

  var implementation: OpaquePointer? { self == .sha1 ? EVP_sha1() : EVP_sha512() }
}
