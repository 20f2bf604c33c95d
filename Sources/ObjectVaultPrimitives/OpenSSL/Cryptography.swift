internal import COpenSSL

/// The primitives of OpenSSL's libcrypto, version 3.
package enum Cryptography: CryptographicLibrary {
  package static let name = "OpenSSL"

  package static var version: String {
    OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "OpenSSL, unknown version"
  }

  package static func fillWithRandomBytes(
    _ bytes: UnsafeMutableRawBufferPointer, isSecret: Bool
  ) -> Bool {
    (isSecret ? RAND_priv_bytes : RAND_bytes)(bytes.octets, Int32(bytes.count)) == 1
  }

  package static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    OPENSSL_cleanse(bytes.baseAddress, bytes.count)
  }

  package static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0
  }

  package static func authenticate(
    _ message: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer,
    into code: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var count: UInt32 = 0
    guard code.count >= HashFunction.sha256.count else { return false }
    return HMAC(
      EVP_sha256(), key.baseAddress, Int32(key.count), message.octets, message.count, code.octets,
      &count) != nil && Int(count) == HashFunction.sha256.count
  }

  package static func derive(
    fromPassword password: UnsafeRawBufferPointer, salt: [UInt8], rounds: Int32,
    hash: HashFunction, into key: UnsafeMutableRawBufferPointer
  ) -> Bool {
    PKCS5_PBKDF2_HMAC(
      password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(password.count), salt,
      Int32(salt.count), rounds, hash.implementation, Int32(key.count), key.octets) == 1
  }

  package static func derive(
    fromPassword password: UnsafeRawBufferPointer, salt: [UInt8],
    cost: (n: UInt64, r: UInt64, p: UInt64), maximumMemory: UInt64,
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool {
    EVP_PBE_scrypt(
      password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
      cost.n, cost.r, cost.p, maximumMemory, key.octets, key.count) == 1
  }
}

// MARK: AES-256-GCM

extension Cryptography {
  private static let tagCount = 16

  package static func seal(
    _ plaintext: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer, nonce: [UInt8],
    context: [UInt8], into sealed: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard sealed.count == plaintext.count + tagCount else { return false }
    return withCipher(key, nonce, context, encrypting: true) { cipher in
      var (count, last): (Int32, Int32) = (0, 0)
      return EVP_CipherUpdate(
        cipher, sealed.octets, &count, plaintext.octets, Int32(plaintext.count)) == 1
        && EVP_CipherFinal_ex(cipher, sealed.octets.map { $0 + Int(count) }, &last) == 1
        && EVP_CIPHER_CTX_ctrl(
          cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount),
          sealed.octets.map { $0 + plaintext.count }) == 1
    }
  }

  package static func open(
    _ sealed: [UInt8], under key: UnsafeRawBufferPointer, nonce: [UInt8], context: [UInt8],
    into plaintext: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard sealed.count == plaintext.count + tagCount else { return false }
    var tag = Array(sealed.suffix(tagCount))
    return withCipher(key, nonce, context, encrypting: false) { cipher in
      var (count, last): (Int32, Int32) = (0, 0)
      return EVP_CipherUpdate(cipher, plaintext.octets, &count, sealed, Int32(plaintext.count)) == 1
        && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1
        && EVP_CipherFinal_ex(cipher, plaintext.octets.map { $0 + Int(count) }, &last) == 1
    }
  }

  /// Calls a closure with a cipher that has its key, nonce and context.
  private static func withCipher(
    _ key: UnsafeRawBufferPointer, _ nonce: [UInt8], _ context: [UInt8], encrypting: Bool,
    _ body: (OpaquePointer) -> Bool
  ) -> Bool {
    // GCM uses a nonce of 12 bytes by default.
    guard key.count == 32, nonce.count == 12, let cipher = EVP_CIPHER_CTX_new() else {
      return false
    }
    // Wipes the cipher's copy of the key.
    defer { EVP_CIPHER_CTX_free(cipher) }
    var count: Int32 = 0
    return EVP_CipherInit_ex(
      cipher, EVP_aes_256_gcm(), nil, key.octets, nonce, encrypting ? 1 : 0) == 1
      && EVP_CipherUpdate(cipher, nil, &count, context, Int32(context.count)) == 1
      && body(cipher)
  }
}

extension HashFunction {
  /// OpenSSL's implementation of the hash function.
  fileprivate var implementation: OpaquePointer? {
    switch self {
    case .sha1: EVP_sha1()
    case .sha256: EVP_sha256()
    case .sha512: EVP_sha512()
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The start, as OpenSSL's type of bytes.
  var octets: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  /// The start, as OpenSSL's type of bytes.
  var octets: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
