/// What is plainly wrong with a key that is being chosen: too short, or too little in it.
///
/// Only what needs no list of words is found. That nothing is found does not make a key a good one.
package enum SecretStrength {
  /// The fewest bytes of a passphrase that nothing is said of.
  static let shortPassphrase = 10
  /// The fewest different bytes of a passphrase.
  private static let fewInPassphrase = 5
  /// The fewest different bytes of a key of 32 random bytes or more: chance gives fewer once in 10^15.
  private static let fewInKey = 16

  /// What is wrong with a passphrase; `nil` if nothing is.
  package static func weakness(ofPassphrase secret: borrowing Secret) -> String? {
    if secret.count < shortPassphrase {
      return "it has fewer than \(shortPassphrase) characters"
    }
    if differentBytes(secret) < fewInPassphrase || isRepetition(secret) {
      return "it repeats a few characters"
    }
    return nil
  }

  /// What is wrong with a key that must be random bytes; `nil` if nothing is.
  package static func weakness(ofKey secret: borrowing Secret) -> String? {
    if differentBytes(secret) < fewInKey || isRepetition(secret) {
      return "its bytes repeat, so they are not random"
    }
    return nil
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

  /// Whether the bytes are a shorter piece again and again, the last time perhaps not whole.
  private static func isRepetition(_ secret: borrowing Secret) -> Bool {
    secret.withUnsafeBytes { bytes in
      // A piece of at most a quarter, so that it comes four times.
      for length in stride(from: 1, through: min(bytes.count / 4, 64), by: 1)
      where (length..<bytes.count).allSatisfy({ bytes[$0] == bytes[$0 - length] }) {
        return true
      }
      return false
    }
  }
}

extension VaultKey {
  /// What is plainly wrong with the key as one for a new file; `nil` if nothing is found, or if the key
  /// cannot be read now.
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
  /// What is plainly wrong with the key as one for a new slot; `nil` if nothing is found, or if the key
  /// cannot be read now.
  package var weakness: String? {
    guard let resolved = try? resolve() else { return nil }
    return resolved.secret.withSecret { secret in
      switch resolved.kind {
      case .passphrase: SecretStrength.weakness(ofPassphrase: secret)
      case .keyFile, .raw: SecretStrength.weakness(ofKey: secret)
      case .recoveryCode: nil
      }
    }
  }
}
