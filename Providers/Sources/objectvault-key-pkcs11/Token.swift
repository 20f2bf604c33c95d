internal import CP11Kit
internal import KeyProviderProgram

/// A session with one token, through the modules that p11-kit has configured.
struct Token: ~Copyable {
  private let uri: TokenURI
  private let modules: TokenModules
  private let functions: CK_FUNCTION_LIST
  private let information: CK_TOKEN_INFO
  private let session: CK_SESSION_HANDLE

  /// Opens a session with the token that a URI names.
  init(_ uri: consuming TokenURI) throws(ProviderError) {
    let modules = try TokenModules()
    let found = try modules.slot(of: uri)
    var session: CK_SESSION_HANDLE = 0
    let answer = found.functions.C_OpenSession(
      found.slot, CK_FLAGS(CKF_SERIAL_SESSION), nil, nil, &session)
    guard answer == CKR_OK else { throw TokenFailure.error(of: answer) }
    self.uri = uri
    self.modules = modules
    self.functions = found.functions
    information = found.information
    self.session = session
  }

  /// The label of the token.
  private var label: String {
    withUnsafeBytes(of: information.label) { bytes in
      let end = bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
      return String(decoding: bytes.prefix(end), as: UTF8.self)
    }
  }

  /// Logs in with the PIN that a person enters.
  func logIn(_ request: ProviderRequest) throws(ProviderError) {
    guard information.flags & CK_FLAGS(CKF_LOGIN_REQUIRED) != 0 else { return }
    guard information.flags & CK_FLAGS(CKF_USER_PIN_LOCKED) == 0 else {
      throw TokenFailure.error(of: CKR_PIN_LOCKED)
    }
    let answer: CK_RV
    if information.flags & CK_FLAGS(CKF_PROTECTED_AUTHENTICATION_PATH) != 0 {
      guard request.isInteractive else {
        throw .locked("A person must enter the PIN at the token. Run the command at a terminal.")
      }
      answer = functions.C_Login(session, CK_USER_TYPE(CKU_USER), nil, 0)
    } else {
      let isLast = information.flags & CK_FLAGS(CKF_USER_PIN_FINAL_TRY) != 0
      var pin = try request.answer(
        to: "PIN of the token '\(label)'\(isLast ? " (last attempt)" : ""):")
      answer = pin.withUnsafeMutableBytes { pin in
        functions.C_Login(
          session, CK_USER_TYPE(CKU_USER), pin.baseAddress?.assumingMemoryBound(to: UInt8.self),
          CK_ULONG(pin.count))
      }
    }
    guard answer == CKR_OK || answer == CKR_USER_ALREADY_LOGGED_IN else {
      throw TokenFailure.error(of: answer)
    }
  }

  /// Encrypts a secret with an AES key, or with the public key of an RSA key pair.
  func encrypt(_ secret: borrowing ProtectedBytes) throws(ProviderError) -> EncryptedKey {
    if let key = try key(of: CKO_SECRET_KEY) {
      let nonce = try randomBytes(EncryptedKey.nonceCount)
      let bytes = try encrypt(secret, with: key, .gcm, nonce: nonce)
      return EncryptedKey(mechanism: .gcm, nonce: nonce, bytes: bytes)
    }
    guard let key = try key(of: CKO_PUBLIC_KEY) else { throw missingKey }
    do throws(ProviderError) {
      let bytes = try encrypt(secret, with: key, .oaepSHA256, nonce: [])
      return EncryptedKey(mechanism: .oaepSHA256, nonce: [], bytes: bytes)
    } catch TokenFailure.unsupported {
      let bytes = try encrypt(secret, with: key, .oaepSHA1, nonce: [])
      return EncryptedKey(mechanism: .oaepSHA1, nonce: [], bytes: bytes)
    }
  }

  /// Returns the secret of an encrypted key.
  func decrypt(_ encrypted: EncryptedKey) throws(ProviderError) -> ProtectedBytes {
    guard let key = try key(of: encrypted.mechanism.decryptingClass) else { throw missingKey }
    var answer = EncryptedKey.withMechanism(encrypted.mechanism, nonce: encrypted.nonce) {
      functions.C_DecryptInit(session, $0, key)
    }
    guard answer == CKR_OK else { throw TokenFailure.error(of: answer) }
    var secret = ProtectedBytes(count: encrypted.bytes.count + 1024)
    var count = CK_ULONG(secret.count)
    var bytes = encrypted.bytes
    answer = secret.withUnsafeMutableBytes { secret in
      functions.C_Decrypt(
        session, &bytes, CK_ULONG(bytes.count),
        secret.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
    }
    guard answer == CKR_OK else { throw TokenFailure.error(of: answer, isDecrypting: true) }
    secret.truncate(to: Int(count))
    return secret
  }

  private func encrypt(
    _ secret: borrowing ProtectedBytes, with key: CK_OBJECT_HANDLE,
    _ mechanism: EncryptedKey.Mechanism, nonce: [UInt8]
  ) throws(ProviderError) -> [UInt8] {
    var answer = EncryptedKey.withMechanism(mechanism, nonce: nonce) {
      functions.C_EncryptInit(session, $0, key)
    }
    guard answer == CKR_OK else { throw TokenFailure.error(of: answer) }
    var bytes = [UInt8](repeating: 0, count: secret.count + 1024)
    var count = CK_ULONG(bytes.count)
    answer = secret.withUnsafeBytes { secret in
      let start = secret.baseAddress?.assumingMemoryBound(to: UInt8.self)
      // The token only reads the secret.
      return functions.C_Encrypt(
        session, UnsafeMutablePointer(mutating: start), CK_ULONG(secret.count), &bytes, &count)
    }
    guard answer == CKR_OK else { throw TokenFailure.error(of: answer) }
    return Array(bytes.prefix(Int(count)))
  }

  /// Returns the key of a class that the URI names; `nil` if there is none.
  private func key(of kind: CK_OBJECT_CLASS) throws(ProviderError) -> CK_OBJECT_HANDLE? {
    var kind = kind
    var handles: [CK_OBJECT_HANDLE] = [0, 0]
    var count: CK_ULONG = 0
    let answer = withUnsafeMutableBytes(of: &kind) { kind in
      var template = uri.attributes.filter { $0.type != CK_ATTRIBUTE_TYPE(CKA_CLASS) }
      template.append(
        CK_ATTRIBUTE(
          type: CK_ATTRIBUTE_TYPE(CKA_CLASS), pValue: kind.baseAddress,
          ulValueLen: CK_ULONG(kind.count)))
      let answer = functions.C_FindObjectsInit(session, &template, CK_ULONG(template.count))
      guard answer == CKR_OK else { return answer }
      defer { _ = functions.C_FindObjectsFinal(session) }
      return functions.C_FindObjects(session, &handles, 2, &count)
    }
    guard answer == CKR_OK else { throw TokenFailure.error(of: answer) }
    guard count < 2 else {
      throw .failed("The URI names several keys. Add id= or object= so that it names one.")
    }
    return count == 1 ? handles[0] : nil
  }

  private var missingKey: ProviderError {
    .missing(
      "The token '\(label)' has no such AES key or RSA key pair. Check the URI with 'p11tool' or "
        + "'pkcs11-tool --list-objects'.")
  }
}
