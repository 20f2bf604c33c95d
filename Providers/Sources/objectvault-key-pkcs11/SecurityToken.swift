internal import CP11Kit
internal import KeyProviderProgram

/// Keys that a key on a PKCS #11 token encrypts: AES with GCM, or RSA with OAEP.
///
/// The settings are a PKCS #11 URI (RFC 7512), such as `pkcs11:token=vaults;object=wrapping`. The
/// wrapped bytes contain it, so that `unwrap` finds the same key; its own settings replace it.
enum SecurityToken: ProviderCommands {
  private static let header = "OVP1"

  static func wrap(
    _ secret: borrowing ProtectedBytes, _ request: ProviderRequest
  ) throws(ProviderError) -> [UInt8] {
    let uri = try TokenURI.read(request.settings)
    let token = try Token(uri)
    try token.logIn(request)
    let encrypted = try token.encrypt(secret)
    return WrappedFields.bytes(
      [
        Array(request.settings.utf8), [encrypted.mechanism.rawValue], encrypted.nonce,
        encrypted.bytes,
      ], header: header)
  }

  static func unwrap(
    _ wrapped: [UInt8], _ request: ProviderRequest
  ) throws(ProviderError) -> ProtectedBytes {
    let fields = try WrappedFields(wrapped, header: header, count: 4)
    let encrypted = try encrypted(fields)
    let uri = try TokenURI.read(request.settings.isEmpty ? fields.text(0) : request.settings)
    let token = try Token(uri)
    try token.logIn(request)
    return try token.decrypt(encrypted)
  }

  static func describe(_ wrapped: [UInt8]) throws(ProviderError) -> String {
    let fields = try WrappedFields(wrapped, header: header, count: 4)
    return "PKCS #11 token, \(try encrypted(fields).mechanism.name): \(try fields.text(0))"
  }

  private static func encrypted(_ fields: WrappedFields) throws(ProviderError) -> EncryptedKey {
    guard fields[1].count == 1, let mechanism = EncryptedKey.Mechanism(rawValue: fields[1][0]),
      fields[2].count == (mechanism == .gcm ? EncryptedKey.nonceCount : 0)
    else { throw .damaged }
    return EncryptedKey(mechanism: mechanism, nonce: fields[2], bytes: fields[3])
  }
}
