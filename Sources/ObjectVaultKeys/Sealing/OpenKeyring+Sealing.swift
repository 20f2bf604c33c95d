extension OpenKeyring {
  /// Returns the sealing keys of the vault.
  ///
  /// The keyring contains those of earlier master keys. The one of the present master key is
  /// derived from it.
  ///
  /// - Throws: `keyringTampered` if a key does not decrypt.
  package func sealingKeys() throws(KeyError) -> SealingKeys {
    try withMaster { master throws(KeyError) in
      var keys: [(number: UInt32, secret: SharedSecret)] = []
      for (position, wrapped) in keyring.sealing.enumerated() {
        let number = UInt32(position + 1)
        guard
          let secret = try wrapped.unwrapped(
            under: try Self.wrappingKey(master),
            context: Self.context(number, vaultID: keyring.vaultID))
        else {
          throw KeyError(
            .keyringTampered,
            "Sealing key \(number) of the keyring does not decrypt with the keyring's master key. "
              + "Restore the keyring from a backup.")
        }
        keys.append((number, SharedSecret(secret)))
      }
      keys.append(
        (
          UInt32(keys.count + 1),
          SharedSecret(try KeyDerivation.hkdf(master, purpose: "objectvault sealing v1"))
        ))
      return SealingKeys(sorted: keys)
    }
  }

  /// Returns sealing keys as the keyring stores them, encrypted with its master key.
  func wrapped(_ keys: SealingKeys) throws(KeyError) -> [WrappedKey] {
    guard keys.keys.count <= Keyring.maximumSealingKeys else {
      throw KeyError(
        .slotRefused,
        "The keyring has \(Keyring.maximumSealingKeys) earlier sealing keys, the maximum. Rotate "
          + "the key without a new master key, or copy the objects to a new vault.")
    }
    return try withMaster { master throws(KeyError) in
      var wrapped: [WrappedKey] = []
      for (number, secret) in keys.keys {
        wrapped.append(
          try secret.withSecret { secret throws(KeyError) in
            try WrappedKey(
              wrapping: secret, under: try Self.wrappingKey(master),
              context: Self.context(number, vaultID: keyring.vaultID))
          })
      }
      return wrapped
    }
  }

  private static func wrappingKey(_ master: borrowing Secret) throws(KeyError) -> Secret {
    try KeyDerivation.hkdf(master, purpose: "objectvault sealing wrap v1")
  }

  private static func context(_ number: UInt32, vaultID: [UInt8]) -> [UInt8] {
    var context = LengthPrefixed("OVSK")
    context.append(UInt32(1))
    context.append(vaultID)
    context.append(number)
    return context.bytes
  }
}
