internal import COpenSSL

extension Cryptography {
  /// HMACs of many messages under one key.
  package struct KeyedCode: KeyedMessageCode, ~Copyable {
    private let context: OpaquePointer

    package init?(hash: HashFunction, key: UnsafeRawBufferPointer) {
      guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
      defer { EVP_MAC_free(algorithm) }
      guard let context = EVP_MAC_CTX_new(algorithm) else { return nil }
      var name = Array(hash.name.utf8CString)
      let answer = name.withUnsafeMutableBufferPointer { name in
        let parameters = [
          OSSL_PARAM_construct_utf8_string(ParameterName.digest.pointer, name.baseAddress, 0),
          OSSL_PARAM_construct_end(),
        ]
        return EVP_MAC_init(context, key.octets, key.count, parameters)
      }
      guard answer == 1 else {
        EVP_MAC_CTX_free(context)
        return nil
      }
      self.context = context
    }

    deinit {
      // OpenSSL wipes its copy of the key.
      EVP_MAC_CTX_free(context)
    }

    package borrowing func authenticate(
      _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
      into code: UnsafeMutableRawBufferPointer
    ) -> Bool {
      var count = 0
      return EVP_MAC_init(context, nil, 0, nil) == 1
        && EVP_MAC_update(context, first.octets, first.count) == 1
        && EVP_MAC_update(context, second.octets, second.count) == 1
        && EVP_MAC_final(context, code.octets, &count, code.count) == 1
        && count == code.count
    }
  }
}
