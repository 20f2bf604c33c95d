#if canImport(Security)
  internal import Foundation
  internal import KeyProviderProgram
  internal import Security

  /// A generic password of the service `ObjectVault` in the keychain.
  struct KeychainItem {
    /// The random ID, which is the account of the item in hexadecimal.
    let id: [UInt8]

    private var query: [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "ObjectVault",
        kSecAttrAccount as String: id.map { String(0x100 + Int($0), radix: 16).dropFirst() }
          .joined(),
      ]
    }

    /// Stores a secret that stays on this machine.
    func store(_ secret: borrowing ProtectedBytes, label: String) throws(ProviderError) {
      var attributes = query
      attributes[kSecAttrLabel as String] = "ObjectVault: \(label)"
      attributes[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      attributes[kSecValueData as String] = secret.withUnsafeBytes { Data($0) }
      try check(SecItemAdd(attributes as CFDictionary, nil))
    }

    /// Returns the secret.
    func secret(isInteractive: Bool) throws(ProviderError) -> ProtectedBytes {
      var attributes = query
      attributes[kSecReturnData as String] = true
      attributes[kSecUseAuthenticationUI as String] =
        isInteractive ? kSecUseAuthenticationUIAllow : kSecUseAuthenticationUIFail
      var found: CFTypeRef?
      try check(SecItemCopyMatching(attributes as CFDictionary, &found))
      guard var data = found as? Data else { throw .damaged }
      defer { data.resetBytes(in: 0..<data.count) }
      return ProtectedBytes(copying: data)
    }

    private func check(_ status: OSStatus) throws(ProviderError) {
      switch status {
      case errSecSuccess: return
      case errSecItemNotFound:
        throw .missing("The keychain has no such item. Log in as the user who added the slot.")
      case errSecInteractionNotAllowed, errSecAuthFailed:
        throw .locked("The keychain is locked. Unlock it.")
      case errSecUserCanceled: throw .cancelled
      default:
        let text = SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)"
        throw .failed("The keychain reports '\(text)'. Check it with Keychain Access.")
      }
    }
  }
#endif
