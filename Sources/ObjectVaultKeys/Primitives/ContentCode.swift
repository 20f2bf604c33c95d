internal import COpenSSL

/// The HMAC-SHA-256 (RFC 2104) of content, which reveals equal contents only to holders of the key.
package enum ContentCode {
  /// The number of bytes of a code.
  package static let size = 32

  /// Returns the code of a content under a key.
  package static func code(
    of content: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer
  ) throws(KeyError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: size)
    var count: UInt32 = 0
    let answer = HMAC(
      EVP_sha256(), key.baseAddress, Int32(key.count),
      content.baseAddress?.assumingMemoryBound(to: UInt8.self), content.count, &code, &count)
    guard answer != nil, count == size else {
      throw KeyError(
        .cryptography, "OpenSSL cannot compute HMAC-SHA-256. Check its configuration.")
    }
    return code
  }

  /// Returns a new key as the file stores it: 64 hexadecimal digits of 32 random bytes.
  package static func makeKey() throws(KeyError) -> Secret {
    try Secret.random(count: size).hexadecimal()
  }
}
