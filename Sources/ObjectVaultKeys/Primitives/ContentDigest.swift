internal import COpenSSL

/// An incremental SHA-256 (FIPS 180-4), computed by OpenSSL.
package struct ContentDigest: ~Copyable {
  private let context: OpaquePointer
  private var isWhole = true

  package init() throws(KeyError) {
    guard let context = EVP_MD_CTX_new() else { throw Self.unavailable }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw Self.unavailable
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes to the digest.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) != 1 { isWhole = false }
  }

  /// Adds an integer to the digest, least significant byte first.
  package mutating func update(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  /// Returns the digest of all added bytes.
  package consuming func finish() throws(KeyError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    guard isWhole, EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw Self.unavailable }
    return digest
  }

  private static var unavailable: KeyError {
    KeyError(.cryptography, "OpenSSL cannot compute SHA-256. Check its configuration.")
  }
}
