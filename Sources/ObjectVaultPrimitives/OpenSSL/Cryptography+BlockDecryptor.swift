internal import COpenSSL

extension Cryptography {
  /// AES-256-CBC without padding.
  package struct BlockDecryptor: KeyedDecryptor, ~Copyable {
    private let context: OpaquePointer

    package init?(key: UnsafeRawBufferPointer) {
      guard key.count == 32, let context = EVP_CIPHER_CTX_new() else { return nil }
      guard
        EVP_DecryptInit_ex(context, EVP_aes_256_cbc(), nil, key.octets, nil) == 1,
        EVP_CIPHER_CTX_set_padding(context, 0) == 1
      else {
        EVP_CIPHER_CTX_free(context)
        return nil
      }
      self.context = context
    }

    deinit {
      // OpenSSL wipes its copy of the key.
      EVP_CIPHER_CTX_free(context)
    }

    package borrowing func decrypt(
      _ ciphertext: UnsafeRawBufferPointer, vector: UnsafeRawBufferPointer,
      into plaintext: UnsafeMutableRawBufferPointer
    ) -> Bool {
      guard vector.count == 16, ciphertext.count % 16 == 0, plaintext.count == ciphertext.count
      else { return false }
      var written: Int32 = 0
      return EVP_DecryptInit_ex(context, nil, nil, nil, vector.octets) == 1
        && EVP_DecryptUpdate(
          context, plaintext.octets, &written, ciphertext.octets, Int32(ciphertext.count)) == 1
        && Int(written) == ciphertext.count
    }
  }
}
