internal import COpenSSL

/// HMAC-SHA-256 (RFC 2104) of content, which tells equal contents to those alone who have the key.
package enum ContentCode {
  /// How many bytes a code has.
  package static let size = 32

  /// The code of a content under a key.
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
        .cryptography, "OpenSSL cannot compute HMAC-SHA-256; check its configuration")
    }
    return code
  }

  /// A new key: 64 hexadecimal digits of 32 random bytes, as the file keeps it.
  package static func makeKey() throws(KeyError) -> Secret {
    try Secret.random(count: size).hexadecimal()
  }
}
