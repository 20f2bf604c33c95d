internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The primitives of swift-crypto: CryptoKit on Apple platforms, BoringSSL elsewhere.
package enum Cryptography: CryptographicLibrary {
  package static let name = "swift-crypto"

  package static let version = "swift-crypto 4"

  package static func fillWithRandomBytes(
    _ bytes: UnsafeMutableRawBufferPointer, isSecret: Bool
  ) -> Bool {
    var generator = SystemRandomNumberGenerator()
    for start in stride(from: 0, to: bytes.count, by: 8) {
      withUnsafeBytes(of: generator.next()) { random in
        let count = min(8, bytes.count - start)
        UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + count)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: random[..<count]))
      }
    }
    return true
  }

  package static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    clear(bytes.baseAddress, bytes.count)
  }

  /// Overwrites memory with zeros.
  ///
  /// The optimizer must not see that nothing reads the zeros, and therefore not inline this.
  @inline(never) @_optimize(none)
  private static func clear(_ start: UnsafeMutableRawPointer?, _ count: Int) {
    if let start { memset(start, 0, count) }
  }

  package static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }

  package static func authenticate(
    _ message: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer,
    into code: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard code.count >= HashFunction.sha256.count else { return false }
    var hmac = HMAC<SHA256>(key: SymmetricKey(data: key))
    hmac.update(data: message)
    hmac.finalize().withUnsafeBytes { code.copyMemory(from: $0) }
    return true
  }

  package static func derive(
    fromPassword password: UnsafeRawBufferPointer, salt: [UInt8], rounds: Int32,
    hash: HashFunction, into key: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let function: KDF.Insecure.PBKDF2.HashFunction =
      switch hash {
      case .sha1: .insecureSHA1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    return copy(into: key) {
      try KDF.Insecure.PBKDF2.deriveKey(
        from: password, salt: salt, using: function, outputByteCount: key.count,
        unsafeUncheckedRounds: Int(rounds))
    }
  }

  package static func derive(
    fromPassword password: UnsafeRawBufferPointer, salt: [UInt8],
    cost: (n: UInt64, r: UInt64, p: UInt64), maximumMemory: UInt64,
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool {
    copy(into: key) {
      try KDF.Scrypt.deriveKey(
        from: password, salt: salt, outputByteCount: key.count, rounds: Int(cost.n),
        blockSize: Int(cost.r), parallelism: Int(cost.p), maxMemory: Int(maximumMemory))
    }
  }

  package static func derive(
    fromSecret secret: UnsafeRawBufferPointer, salt: [UInt8], info: [UInt8],
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool {
    copy(into: key) {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: info,
        outputByteCount: key.count)
    }
  }

  package static func expand(
    _ key: UnsafeRawBufferPointer, info: [UInt8], into derived: UnsafeMutableRawBufferPointer
  ) -> Bool {
    copy(into: derived) {
      HKDF<SHA256>.expand(
        pseudoRandomKey: SymmetricKey(data: key), info: info, outputByteCount: derived.count)
    }
  }

  package static func publicKey(
    of privateKey: UnsafeRawBufferPointer, into publicKey: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey),
      publicKey.count == 32
    else { return false }
    publicKey.copyBytes(from: key.publicKey.rawRepresentation)
    return true
  }

  package static func agree(
    _ privateKey: UnsafeRawBufferPointer, with publicKey: [UInt8],
    into secret: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let own = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey),
      let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
      let agreed = try? own.sharedSecretFromKeyAgreement(with: other)
    else { return false }
    return agreed.withUnsafeBytes { bytes in
      guard bytes.count == secret.count else { return false }
      secret.copyMemory(from: bytes)
      // BoringSSL itself fails for a secret of zeros. The comparison does not rely on that.
      return bytes.reduce(0, |) != 0
    }
  }

  package static func seal(
    _ plaintext: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer, nonce: [UInt8],
    context: [UInt8], into sealed: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard key.count == 32, nonce.count == 12,
      let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.seal(
        plaintext, using: SymmetricKey(data: key), nonce: nonce, authenticating: context)
    else { return false }
    let bytes = box.ciphertext + box.tag
    guard bytes.count == sealed.count else { return false }
    sealed.copyBytes(from: bytes)
    return true
  }

  package static func open(
    _ sealed: [UInt8], under key: UnsafeRawBufferPointer, nonce: [UInt8], context: [UInt8],
    into plaintext: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard key.count == 32, nonce.count == 12, sealed.count == plaintext.count + 16,
      let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)),
      var opened = try? AES.GCM.open(
        box, using: SymmetricKey(data: key), authenticating: context)
    else { return false }
    plaintext.copyBytes(from: opened)
    opened.withUnsafeMutableBytes { wipe($0) }
    return true
  }

  /// Copies a derived key, which wipes its own memory; returns `false` if the derivation fails.
  private static func copy(
    into key: UnsafeMutableRawBufferPointer, _ derive: () throws -> SymmetricKey
  ) -> Bool {
    guard let derived = try? derive() else { return false }
    return derived.withUnsafeBytes { bytes in
      guard bytes.count == key.count else { return false }
      key.copyMemory(from: bytes)
      return true
    }
  }
}
