#if canImport(Security)
  internal import KeyProviderProgram

  /// Keys in the keychain, or encrypted by a key of the Secure Enclave.
  ///
  /// The setting `store=keychain`, the default, stores the secret as an item of the keychain. With
  /// `store=enclave`, the wrapped bytes contain the secret, which only this machine decrypts, and
  /// `presence=yes` also requires Touch ID or the password at each use.
  ///
  /// Written for macOS 15 and not tested: the project is built on Linux.
  enum AppleKeys: ProviderCommands {
    private static let keychainHeader = "OVA1"
    private static let enclaveHeader = "OVE1"

    static func wrap(
      _ secret: borrowing ProtectedBytes, _ request: ProviderRequest
    ) throws(ProviderError) -> [UInt8] {
      let settings = try request.settings(named: ["store", "presence"])
      switch (settings["store"] ?? "keychain", settings["presence"] ?? "no") {
      case ("keychain", "no"):
        let id = try randomBytes(16)
        try KeychainItem(id: id).store(secret, label: request.label)
        return WrappedFields.bytes([id], header: keychainHeader)
      case ("enclave", let presence) where ["yes", "no"].contains(presence):
        let sealed = try EnclaveKey.seal(secret, requiresPresence: presence == "yes")
        let mark: [UInt8] = [presence == "yes" ? 1 : 0]
        return WrappedFields.bytes(
          [mark, sealed.key, sealed.sender, sealed.box], header: enclaveHeader)
      default:
        throw .failed("The settings are store=keychain, or store=enclave and presence=yes or no.")
      }
    }

    static func unwrap(
      _ wrapped: [UInt8], _ request: ProviderRequest
    ) throws(ProviderError) -> ProtectedBytes {
      _ = try request.settings(named: ["store", "presence"])
      if wrapped.starts(with: keychainHeader.utf8) {
        let id = try WrappedFields(wrapped, header: keychainHeader, count: 1)[0]
        return try KeychainItem(id: id).secret(isInteractive: request.isInteractive)
      }
      let fields = try WrappedFields(wrapped, header: enclaveHeader, count: 4)
      guard fields[0] == [0] || request.isInteractive else {
        throw .locked("A person must confirm with Touch ID or the password. Use a terminal.")
      }
      return try EnclaveKey(key: fields[1], sender: fields[2], box: fields[3]).open()
    }

    static func describe(_ wrapped: [UInt8]) throws(ProviderError) -> String {
      if wrapped.starts(with: keychainHeader.utf8) {
        _ = try WrappedFields(wrapped, header: keychainHeader, count: 1)
        return "Item in the keychain of this user."
      }
      let fields = try WrappedFields(wrapped, header: enclaveHeader, count: 4)
      return fields[0] == [1]
        ? "Secure Enclave of this machine, with Touch ID or the password."
        : "Secure Enclave of this machine."
    }
  }
#endif
