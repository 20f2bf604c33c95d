#if canImport(Security)
  internal import CryptoKit
  internal import Foundation
  internal import KeyProviderProgram
  internal import LocalAuthentication
  internal import Security

  /// A secret that is encrypted to a key of the Secure Enclave: ECDH on P-256, HKDF, AES-GCM.
  struct EnclaveKey {
    /// The private key, which the Secure Enclave has encrypted for itself.
    let key: [UInt8]
    /// The public key of the one-time key pair.
    let sender: [UInt8]
    let box: [UInt8]

    /// Creates a key in the Secure Enclave and encrypts a secret to it.
    static func seal(
      _ secret: borrowing ProtectedBytes, requiresPresence: Bool
    ) throws(ProviderError) -> EnclaveKey {
      guard SecureEnclave.isAvailable else {
        throw .missing("This machine has no Secure Enclave. Use store=keychain.")
      }
      do {
        var flags: SecAccessControlCreateFlags = [.privateKeyUsage]
        if requiresPresence { flags.insert(.userPresence) }
        guard
          let access = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
        else { throw ProviderError.failed("The access control is invalid. Update the system.") }
        let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: access)
        let sender = P256.KeyAgreement.PrivateKey()
        let shared = try sender.sharedSecretFromKeyAgreement(with: key.publicKey)
        let symmetric = symmetricKey(shared, sender: sender.publicKey, receiver: key.publicKey)
        let sealed = try secret.withUnsafeBytes { try AES.GCM.seal($0, using: symmetric) }
        guard let box = sealed.combined else { throw ProviderError.damaged }
        return EnclaveKey(
          key: Array(key.dataRepresentation), sender: Array(sender.publicKey.x963Representation),
          box: Array(box))
      } catch {
        throw Self.error(of: error)
      }
    }

    /// Returns the secret.
    func open() throws(ProviderError) -> ProtectedBytes {
      guard SecureEnclave.isAvailable else {
        throw .missing("This machine has no Secure Enclave. Open the vault with another slot.")
      }
      do {
        let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: Data(key))
        let sender = try P256.KeyAgreement.PublicKey(x963Representation: sender)
        let shared = try key.sharedSecretFromKeyAgreement(with: sender)
        let symmetric = Self.symmetricKey(shared, sender: sender, receiver: key.publicKey)
        var data = try AES.GCM.open(AES.GCM.SealedBox(combined: box), using: symmetric)
        defer { data.resetBytes(in: 0..<data.count) }
        return ProtectedBytes(copying: data)
      } catch {
        throw Self.error(of: error)
      }
    }

    private static func symmetricKey(
      _ shared: SharedSecret, sender: P256.KeyAgreement.PublicKey,
      receiver: P256.KeyAgreement.PublicKey
    ) -> SymmetricKey {
      shared.hkdfDerivedSymmetricKey(
        using: SHA256.self, salt: sender.x963Representation + receiver.x963Representation,
        sharedInfo: Data("objectvault-key-keychain enclave 1".utf8), outputByteCount: 32)
    }

    private static func error(of error: any Error) -> ProviderError {
      switch error {
      case let error as ProviderError: error
      case let error as LAError where error.code == .userCancel: .cancelled
      case is LAError: .locked("Touch ID or the password is needed. Try again.")
      default:
        .failed(
          "The Secure Enclave does not decrypt the wrapped key: it is of another machine, or "
            + "damaged. Open the vault with another slot.")
      }
    }
  }
#endif
