package import Foundation

/// The JSON form of a keyring (RFC 8259).
///
/// The object has the fields `objectvault` ("keyring"), `version`, `vault` (the UUID of the vault),
/// `generation`, `slots`, `epochs`, `code` and `datesCode`. Bytes are in base64, and the salts of
/// files in hexadecimal.
extension Keyring {
  /// The maximum number of bytes of a keyring file: 1 MiB.
  package static let maximumFileCount = 1 << 20

  /// Returns the bytes of the file.
  ///
  /// - Returns: The bytes.
  /// - Throws: `slotRefused` if the slots need more bytes than a file can have, `keyringMalformed`
  ///   if there are more than ``maximumEpochs`` epochs.
  package func json() throws(KeyError) -> [UInt8] {
    guard epochs.count <= Self.maximumEpochs else {
      throw KeyError(
        .keyringMalformed,
        "The keyring would have keys for more than \(Self.maximumEpochs) files, the maximum. Rotate "
          + "the key of its vault, which drops the keys of files that were never finished.")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try encoder.encode(Document(self))) + [0x0A]
    } catch {
      throw KeyError(.keyringMalformed, "The keyring cannot be encoded as JSON.", underlying: error)
    }
    guard bytes.count <= Self.maximumFileCount else {
      throw KeyError(
        .slotRefused,
        "The keyring would be larger than 1 MiB, the maximum. Remove a slot of a key provider "
          + "first.")
    }
    return bytes
  }

  /// Creates a keyring from the bytes of a file, which are not authenticated before a slot opens.
  ///
  /// - Parameter json: The bytes.
  /// - Throws: `keyringNewer`, `keyringMalformed`.
  package init(json: [UInt8]) throws(KeyError) {
    guard json.count <= Self.maximumFileCount else {
      throw Self.malformed("it is larger than 1 MiB")
    }
    let data = Data(json)
    let header: Header
    do {
      header = try JSONDecoder().decode(Header.self, from: data)
    } catch {
      throw Self.malformed("it is not a JSON document of a keyring")
    }
    guard header.objectvault == "keyring" else {
      throw Self.malformed("its header does not identify a keyring")
    }
    guard header.version <= Decimal(Self.latestVersion) else {
      throw KeyError(
        .keyringNewer,
        "A newer version of ObjectVault wrote the keyring (version \(header.version); this version "
          + "supports up to \(Self.latestVersion)). Use that version.")
    }
    do {
      self = try JSONDecoder().decode(Document.self, from: data).keyring()
    } catch let error as KeyError {
      throw error
    } catch {
      throw Self.malformed("a field is missing or malformed")
    }
  }

  static func malformed(_ what: String) -> KeyError {
    KeyError(
      .keyringMalformed, "The keyring cannot be read: \(what). Restore it from a backup.")
  }

  private struct Header: Decodable {
    var objectvault: String
    /// A number of any size: a spare copy must not replace a newer keyring.
    var version: Decimal
  }

  struct Document: Codable {
    var objectvault = "keyring"
    var version: UInt32
    var vault: UUID
    var generation: UInt64
    var slots: [Slot]
    var epochs: [Epoch]
    var code: Data
    var datesCode: Data?
    var sealing: [SealingKey]?

    struct Slot: Codable {
      var id: UUID
      var kind: UInt8
      var name: String
      var salt: Data?
      var n: UInt64
      var r: UInt64
      var p: UInt64
      var nonce: Data?
      var key: Data
      /// The public key of kind 5, and the encapsulated key.
      var recipient: Data?
      var encapsulated: Data?
      /// The provider of kind 6, and the secret as the provider encrypted it.
      var provider: String?
      var provided: Data?
      var created: UInt64?
    }

    struct Epoch: Codable {
      var id: UUID
      var nonce: Data
      var key: Data
      var salt: String
      var format: Int
      var pageSize: Int
      var state: String
      /// The number of bytes of the file's plaintext header; absent or 0 if there is none.
      var plaintextHeader: Int?
    }

    /// The sealing key of an earlier master key as the file stores it.
    struct SealingKey: Codable {
      var nonce: Data
      var key: Data
    }

    init(_ keyring: Keyring) {
      version = keyring.version
      vault = UUID(bytes: keyring.vaultID)
      generation = keyring.generation
      slots = keyring.slots.map { Slot($0) }
      epochs = keyring.epochs.map { epoch in
        Epoch(
          id: UUID(bytes: epoch.id), nonce: Data(epoch.wrapped.nonce),
          key: Data(epoch.wrapped.sealed),
          salt: epoch.salt.bytes.map { String(format: "%02x", $0) }.joined(),
          format: epoch.format.rawValue, pageSize: epoch.pageSize, state: epoch.state.rawValue,
          plaintextHeader: epoch.header == .plaintext ? epoch.header.count : nil)
      }
      code = Data(keyring.code)
      datesCode = keyring.datesCode.map { Data($0) }
      sealing =
        keyring.sealing.isEmpty
        ? nil : keyring.sealing.map { SealingKey(nonce: Data($0.nonce), key: Data($0.sealed)) }
    }

    /// Returns the keyring after checking the range of every number.
    ///
    /// The numbers are used before the keyring is authenticated.
    func keyring() throws -> Keyring {
      guard version >= 1 else { throw Keyring.malformed("its version is \(version)") }
      guard (1...Keyring.maximumSlots).contains(slots.count) else {
        throw Keyring.malformed(
          "it has \(slots.count) slots; 1 to \(Keyring.maximumSlots) are allowed")
      }
      guard epochs.count <= Keyring.maximumEpochs else {
        throw Keyring.malformed("it has more than \(Keyring.maximumEpochs) epochs")
      }
      guard (sealing ?? []).count <= Keyring.maximumSealingKeys else {
        throw Keyring.malformed("it has more than \(Keyring.maximumSealingKeys) sealing keys")
      }
      guard generation <= Keyring.maximumGeneration else {
        throw Keyring.malformed("its number of changes is too large")
      }
      guard code.count == 32, datesCode.map({ $0.count == 32 }) ?? true else {
        throw Keyring.malformed("an authentication code does not have 32 bytes")
      }
      // Without their code, the dates are unknown.
      let slots = try slots.map { try $0.slot(withDate: datesCode != nil) }
      guard Set(slots.map { Array($0.name.utf8) }).count == slots.count else {
        throw Keyring.malformed("two slots have the same name")
      }
      var keyring = Keyring(
        vaultID: vault.bytes, generation: generation, slots: slots,
        epochs: try epochs.map { try $0.epoch() }, code: [UInt8](code),
        datesCode: datesCode.map { [UInt8]($0) })
      keyring.sealing = try (sealing ?? []).map { key in
        guard let key = WrappedKey(nonce: [UInt8](key.nonce), sealed: [UInt8](key.key)) else {
          throw Keyring.malformed("a sealing key has an invalid field")
        }
        return key
      }
      guard keyring.version == version else {
        throw Keyring.malformed("its content is not that of version \(version)")
      }
      guard keyring.work <= Keyring.maximumWork else {
        throw Keyring.malformed("its slots together require more work than is allowed")
      }
      return keyring
    }
  }
}

extension Keyring.Document.Epoch {
  fileprivate func epoch() throws -> KeyringEpoch {
    guard let wrapped = WrappedKey(nonce: [UInt8](nonce), sealed: [UInt8](key)),
      let salt = FileSalt(hexadecimal: salt), let format = CipherFormat(rawValue: format),
      CipherFormat.pageSizes.contains(pageSize), let state = KeyringEpoch.State(rawValue: state),
      let header = FileHeader.allCases.first(where: {
        plaintextHeader ?? 0 == ($0 == .plaintext ? $0.count : 0)
      }), header == .encrypted || format == .format4
    else { throw Keyring.malformed("an epoch has an invalid field") }
    return KeyringEpoch(
      id: id.bytes, wrapped: wrapped, salt: salt, format: format, pageSize: pageSize,
      header: header, state: state)
  }
}

extension FileSalt {
  /// Creates a salt from 32 hexadecimal digits.
  fileprivate init?(hexadecimal digits: String) {
    let digits = Array(digits.utf8)
    guard digits.count == 2 * FileSalt.count else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard
        let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    self.init(bytes)
  }
}

extension UUID {
  /// Creates an identifier from 16 bytes.
  package init(bytes: [UInt8]) {
    precondition(bytes.count == 16, "an identifier has 16 bytes")
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
