package import ObjectVaultPrimitives

/// Derivation of raw keys from passphrases, and the engine's form of keys.
package enum KeyDerivation {
  /// The number of bytes of a raw key.
  package static let rawKeyCount = 32

  /// Returns a key derived with PBKDF2-HMAC (RFC 8018).
  package static func pbkdf2(
    _ password: borrowing Secret, salt: [UInt8], rounds: Int, hash: HashFunction,
    count: Int = rawKeyCount
  ) throws(KeyError) -> Secret {
    guard let rounds = Int32(exactly: rounds), rounds > 0 else {
      throw KeyError(
        .invalidSetting,
        "A key derivation has 1 to \(Int32.max) rounds, not \(rounds). Use a number in that range.")
    }
    try password.checkProcess()
    // The keys of page authentication codes take two rounds; only passphrases take many.
    if rounds > 2 { DerivationCount.current?.increment() }
    var key = Secret(count: count)
    let isDerived = key.withUnsafeMutableBytes { key in
      password.withUnsafeBytes { password in
        Cryptography.derive(
          fromPassword: password, salt: salt, rounds: rounds, hash: hash, into: key)
      }
    }
    guard isDerived else { throw .cryptography("derive keys with HMAC-\(hash.name)") }
    return key
  }

  /// Returns SQLCipher's key specification `x'<key><salt>'`: 64 and 32 hexadecimal digits, 99
  /// bytes.
  ///
  /// - Parameters:
  ///   - key: A raw key of 32 bytes.
  ///   - salt: The salt of the file.
  /// - Returns: The text of the specification.
  package static func specification(key: borrowing Secret, salt: FileSalt) -> Secret {
    precondition(key.count == rawKeyCount, "A key specification needs a key of 32 bytes.")
    var text = Secret(count: 2 + 2 * (rawKeyCount + FileSalt.count) + 1)
    text.withUnsafeMutableBytes { text in
      text[0] = UInt8(ascii: "x")
      text[1] = UInt8(ascii: "'")
      let afterKey = 2 + 2 * rawKeyCount
      key.withUnsafeBytes {
        writeHexadecimal($0, to: UnsafeMutableRawBufferPointer(rebasing: text[2..<afterKey]))
      }
      salt.bytes.withUnsafeBytes {
        writeHexadecimal($0, to: UnsafeMutableRawBufferPointer(rebasing: text[afterKey...]))
      }
      text[text.count - 1] = UInt8(ascii: "'")
    }
    return text
  }
}
