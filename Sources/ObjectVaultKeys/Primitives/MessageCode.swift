internal import COpenSSL

/// HMAC-SHA-256 (RFC 2104), by OpenSSL.
enum MessageCode {
  /// Returns the code of a message under a key.
  static func code(of message: [UInt8], under key: borrowing Secret) throws(KeyError) -> [UInt8] {
    try key.checkProcess()
    var code = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    let answer = key.withUnsafeBytes { key in
      HMAC(EVP_sha256(), key.baseAddress, Int32(key.count), message, message.count, &code, &count)
    }
    guard answer != nil, count == 32 else {
      throw KeyError(
        .cryptography, "OpenSSL cannot compute HMAC-SHA-256. Check its configuration.")
    }
    return code
  }

  /// Returns whether two codes are equal, in a time that does not depend on their content.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
  }
}
