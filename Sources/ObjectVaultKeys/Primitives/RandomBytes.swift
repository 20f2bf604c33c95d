internal import COpenSSL

/// Random bytes that need not be kept secret: salts, nonces, identifiers.
enum RandomBytes {
  static func make(_ count: Int) throws(KeyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard RAND_bytes(&bytes, Int32(count)) == 1 else {
      throw KeyError(
        .cryptography,
        "OpenSSL did not return random bytes. Check that the system's random generator works.")
    }
    return bytes
  }
}
