/// A check for obvious weaknesses of a new key: too short, or too few different bytes.
///
/// It uses no word lists. A key without a detected weakness is not necessarily strong.
package enum SecretStrength {
  /// The minimum number of Unicode scalars of a passphrase.
  static let shortPassphrase = 10
  /// The minimum number of different bytes of a passphrase.
  private static let fewInPassphrase = 5
  /// The minimum number of different bytes of a key of 32 random bytes or more.
  ///
  /// A random key has fewer once in 10^15.
  private static let fewInKey = 16

  /// Returns the weakness of a passphrase; `nil` if none is found.
  package static func weakness(ofPassphrase secret: borrowing Secret) -> String? {
    if scalars(secret) < shortPassphrase {
      return "it has fewer than \(shortPassphrase) characters"
    }
    if differentBytes(secret) < fewInPassphrase || isRepetition(secret) {
      return "it repeats a few characters"
    }
    return nil
  }

  /// Returns the weakness of a key that must consist of random bytes; `nil` if none is found.
  package static func weakness(ofKey secret: borrowing Secret) -> String? {
    if differentBytes(secret) < fewInKey || isRepetition(secret) {
      return "its bytes repeat, so they are not random"
    }
    return nil
  }

  /// Returns the number of Unicode scalars of a text in UTF-8.
  ///
  /// Each byte that does not continue a scalar begins one.
  private static func scalars(_ secret: borrowing Secret) -> Int {
    secret.withUnsafeBytes { bytes in bytes.count { $0 & 0b1100_0000 != 0b1000_0000 } }
  }

  private static func differentBytes(_ secret: borrowing Secret) -> Int {
    secret.withUnsafeBytes { bytes in
      var seen: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      for byte in bytes {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: seen.0 |= bit
        case 1: seen.1 |= bit
        case 2: seen.2 |= bit
        default: seen.3 |= bit
        }
      }
      return seen.0.nonzeroBitCount + seen.1.nonzeroBitCount + seen.2.nonzeroBitCount
        + seen.3.nonzeroBitCount
    }
  }

  /// Returns whether the bytes repeat a shorter piece; the last repetition may be incomplete.
  private static func isRepetition(_ secret: borrowing Secret) -> Bool {
    secret.withUnsafeBytes { bytes in
      // The piece has at most a quarter of the bytes, so it occurs at least four times.
      for length in stride(from: 1, through: min(bytes.count / 4, 64), by: 1)
      where (length..<bytes.count).allSatisfy({ bytes[$0] == bytes[$0 - length] }) {
        return true
      }
      return false
    }
  }
}

extension VaultKey {
  /// The obvious weakness of the key for a new file.
  ///
  /// `nil` if none is found, or if the key cannot be read now.
  package var weakness: String? {
    if let slotKey { return slotKey.weakness }
    guard let resolved = try? resolve() else { return nil }
    switch resolved {
    case .passphrase(let secret):
      return secret.withSecret { SecretStrength.weakness(ofPassphrase: $0) }
    case .raw(let secret, _): return secret.withSecret { SecretStrength.weakness(ofKey: $0) }
    case .keyring: return nil
    }
  }
}

extension SlotKey {
  /// The obvious weakness of the key for a new slot.
  ///
  /// `nil` if none is found, or if the key cannot be read now.
  package var weakness: String? {
    guard let resolved = try? resolve(), case .bytes(let bytes) = resolved.form else { return nil }
    return bytes.withSecret { secret in
      switch resolved.kind {
      case .passphrase: SecretStrength.weakness(ofPassphrase: secret)
      case .keyFile, .raw: SecretStrength.weakness(ofKey: secret)
      case .recoveryCode, .recipient, .provider: nil
      }
    }
  }
}
