internal import ObjectVaultPrimitives

/// HMAC-SHA-256 (RFC 2104).
enum MessageCode {
  /// Returns the code of a message under a key.
  static func code(of message: [UInt8], under key: borrowing Secret) throws(KeyError) -> [UInt8] {
    try key.checkProcess()
    var code = [UInt8](repeating: 0, count: ContentCode.size)
    let isComputed = key.withUnsafeBytes { key in
      message.withUnsafeBytes { message in
        code.withUnsafeMutableBytes { Cryptography.authenticate(message, under: key, into: $0) }
      }
    }
    guard isComputed else { throw .cryptography("compute HMAC-SHA-256") }
    return code
  }

  /// Returns whether two codes are equal, in a time that does not depend on their content.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in Cryptography.areEqual(a, b) } }
  }
}
