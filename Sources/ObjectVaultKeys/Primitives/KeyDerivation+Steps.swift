internal import COpenSSL

/// The two steps of HKDF-HMAC-SHA-256 (RFC 5869) alone, by OpenSSL.
extension KeyDerivation {
  /// Returns the pseudorandom key of 32 bytes that HKDF extracts from a key.
  static func extract(
    _ key: borrowing Secret, salt: borrowing Secret
  ) throws(KeyError) -> Secret {
    try step(.extract, of: key, text: salt, count: rawKeyCount)
  }

  /// Returns bytes that HKDF expands from a pseudorandom key.
  static func expand(
    _ key: borrowing Secret, info: [UInt8], count: Int
  ) throws(KeyError) -> Secret {
    try step(.expand, of: key, text: Secret(copying: info), count: count)
  }

  private enum Step {
    case extract, expand

    var name: String { self == .extract ? "EXTRACT_ONLY" : "EXPAND_ONLY" }
    /// The parameter for the text of the step.
    var textName: ParameterName { self == .extract ? .salt : .info }
  }

  private static func step(
    _ step: Step, of key: borrowing Secret, text: borrowing Secret, count: Int
  ) throws(KeyError) -> Secret {
    try key.checkProcess()
    try text.checkProcess()
    var derived = Secret(count: count)
    guard let algorithm = EVP_KDF_fetch(nil, "HKDF", nil) else { throw noSteps }
    defer { EVP_KDF_free(algorithm) }
    guard let context = EVP_KDF_CTX_new(algorithm) else { throw noSteps }
    // OpenSSL wipes its copy of the key.
    defer { EVP_KDF_CTX_free(context) }
    var digest = Array("SHA256".utf8CString)
    var mode = Array(step.name.utf8CString)
    let answer = derived.withUnsafeMutableBytes { derived in
      key.withUnsafeBytes { key in
        digest.withUnsafeMutableBufferPointer { digest in
          mode.withUnsafeMutableBufferPointer { mode in
            text.withUnsafeBytes { text in
              var parameters = [
                OSSL_PARAM_construct_utf8_string(
                  ParameterName.digest.pointer, digest.baseAddress, 0),
                OSSL_PARAM_construct_utf8_string(ParameterName.mode.pointer, mode.baseAddress, 0),
                octets(.key, key),
              ]
              if !text.isEmpty { parameters.append(octets(step.textName, text)) }
              parameters.append(OSSL_PARAM_construct_end())
              return EVP_KDF_derive(
                context, derived.baseAddress?.assumingMemoryBound(to: UInt8.self), derived.count,
                parameters)
            }
          }
        }
      }
    }
    guard answer == 1 else { throw noSteps }
    return derived
  }

  /// Returns a parameter of bytes, which OpenSSL reads and does not write to.
  private static func octets(
    _ name: ParameterName, _ bytes: UnsafeRawBufferPointer
  ) -> OSSL_PARAM {
    OSSL_PARAM_construct_octet_string(
      name.pointer, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  private static var noSteps: KeyError {
    KeyError(
      .cryptography, "OpenSSL cannot derive keys with HKDF-SHA-256. Check its configuration.")
  }
}

extension ParameterName {
  fileprivate static let mode: ParameterName = "mode"
}
