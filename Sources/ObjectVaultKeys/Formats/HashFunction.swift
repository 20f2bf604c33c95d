internal import COpenSSL

/// The hash functions that cipher formats use.
package enum HashFunction: Sendable, Hashable {
  case sha1
  case sha512

  /// The bytes of a hash value.
  package var count: Int { self == .sha1 ? 20 : 64 }

  /// OpenSSL's constant name.
  var name: String { self == .sha1 ? "SHA1" : "SHA512" }

  var implementation: OpaquePointer? { self == .sha1 ? EVP_sha1() : EVP_sha512() }
}
