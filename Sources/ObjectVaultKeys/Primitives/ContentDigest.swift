internal import ObjectVaultPrimitives

/// An incremental SHA-256 (FIPS 180-4).
package struct ContentDigest: ~Copyable {
  private var digest: Cryptography.Digest
  private var isWhole = true

  package init() throws(KeyError) {
    guard let digest = Cryptography.Digest() else { throw Self.unavailable }
    self.digest = digest
  }

  /// Adds bytes to the digest.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !digest.update(bytes) { isWhole = false }
  }

  /// Adds an integer to the digest, least significant byte first.
  package mutating func update(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  /// Returns the digest of all added bytes.
  package consuming func finish() throws(KeyError) -> [UInt8] {
    guard isWhole, let result = digest.finish() else { throw Self.unavailable }
    return result
  }

  private static var unavailable: KeyError { .cryptography("compute SHA-256") }
}
