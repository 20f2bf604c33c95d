internal import ObjectVaultPrimitives

/// The HMAC-SHA-256 (RFC 2104) of content, which reveals equal contents only to holders of the key.
package enum ContentCode {
  /// The number of bytes of a code.
  package static let size = 32

  /// Returns the code of a content under a key.
  package static func code(
    of content: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer
  ) throws(KeyError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: size)
    guard code.withUnsafeMutableBytes({ Cryptography.authenticate(content, under: key, into: $0) })
    else { throw .cryptography("compute HMAC-SHA-256") }
    return code
  }

  /// Returns a new key as the file stores it: 64 hexadecimal digits of 32 random bytes.
  package static func makeKey() throws(KeyError) -> Secret {
    try Secret.random(count: size).hexadecimal()
  }
}
