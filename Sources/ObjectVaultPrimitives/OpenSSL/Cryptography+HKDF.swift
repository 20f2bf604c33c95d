internal import COpenSSL

extension Cryptography {
  package static func derive(
    fromSecret secret: UnsafeRawBufferPointer, salt: [UInt8], info: [UInt8],
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool {
    hkdf("EXTRACT_AND_EXPAND", secret, salt: salt, info: info, into: key)
  }

  package static func expand(
    _ key: UnsafeRawBufferPointer, info: [UInt8], into derived: UnsafeMutableRawBufferPointer
  ) -> Bool {
    hkdf("EXPAND_ONLY", key, salt: [], info: info, into: derived)
  }

  private static func hkdf(
    _ mode: String, _ secret: UnsafeRawBufferPointer, salt: [UInt8], info: [UInt8],
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let algorithm = EVP_KDF_fetch(nil, "HKDF", nil) else { return false }
    defer { EVP_KDF_free(algorithm) }
    guard let context = EVP_KDF_CTX_new(algorithm) else { return false }
    // OpenSSL wipes its copy of the key.
    defer { EVP_KDF_CTX_free(context) }
    var (digest, mode) = (Array("SHA256".utf8CString), Array(mode.utf8CString))
    return digest.withUnsafeMutableBufferPointer { digest in
      mode.withUnsafeMutableBufferPointer { mode in
        salt.withUnsafeBytes { salt in
          info.withUnsafeBytes { info in
            var parameters = [
              OSSL_PARAM_construct_utf8_string(ParameterName.digest.pointer, digest.baseAddress, 0),
              OSSL_PARAM_construct_utf8_string(ParameterName.mode.pointer, mode.baseAddress, 0),
              octets(.key, secret), octets(.info, info),
            ]
            if !salt.isEmpty { parameters.append(octets(.salt, salt)) }
            parameters.append(OSSL_PARAM_construct_end())
            return EVP_KDF_derive(context, key.octets, key.count, parameters) == 1
          }
        }
      }
    }
  }

  /// Returns a parameter of bytes, which OpenSSL reads and does not write to.
  private static func octets(
    _ name: ParameterName, _ bytes: UnsafeRawBufferPointer
  ) -> OSSL_PARAM {
    OSSL_PARAM_construct_octet_string(
      name.pointer, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }
}
