internal import CP11Kit
internal import KeyProviderProgram

/// The errors for answers of a token.
enum TokenFailure {
  /// The error of a mechanism that the token does not support.
  static let unsupported = ProviderError.failed(
    "The token does not support AES-GCM or RSA-OAEP with this key. Use another key or token.")

  /// Returns the error for an answer other than success.
  static func error(of answer: CK_RV, isDecrypting: Bool = false) -> ProviderError {
    switch answer {
    case CKR_PIN_INCORRECT, CKR_PIN_INVALID, CKR_PIN_LEN_RANGE:
      .locked("The PIN is wrong. Try again; a token locks itself after a few wrong PINs.")
    case CKR_PIN_LOCKED:
      .locked(
        "The PIN of the token is locked. Reset it with the PUK or the security officer's PIN.")
    case CKR_PIN_EXPIRED: .locked("The PIN of the token has expired. Change it.")
    case CKR_USER_NOT_LOGGED_IN:
      .locked("The key requires a PIN for each use, which is not supported. Use another key.")
    case CKR_FUNCTION_CANCELED, CKR_CANCEL: .cancelled
    case CKR_TOKEN_NOT_PRESENT, CKR_DEVICE_REMOVED, CKR_TOKEN_NOT_RECOGNIZED:
      .missing("The token is not inserted. Insert it.")
    case CKR_MECHANISM_INVALID, CKR_MECHANISM_PARAM_INVALID, CKR_ARGUMENTS_BAD,
      CKR_KEY_TYPE_INCONSISTENT, CKR_KEY_FUNCTION_NOT_PERMITTED:
      unsupported
    case _ where isDecrypting:
      .failed(
        "The key on the token does not decrypt the wrapped key: it is another key, or the wrapped "
          + "key is damaged. Open the vault with another slot.")
    default:
      .failed(
        "The token reports '\(String(cString: p11_kit_strerror(answer)))'. Check it with "
          + "'pkcs11-tool --list-slots'.")
    }
  }
}
