/// The cryptographic primitives that ObjectVault needs, provided by one library.
///
/// The package contains two implementations, both named ``Cryptography``: OpenSSL's libcrypto and
/// swift-crypto. The manifest compiles one of them. All functions write to memory of the caller,
/// so that secrets stay in protected memory, and return `false` if the library fails. Both
/// implementations pass the same published vectors.
///
/// An implementation also has the types `Digest`, `KeyedCode` and `BlockDecryptor`, which conform
/// to the protocols below. They cannot be associated types, because they cannot be copied.
package protocol CryptographicLibrary {
  /// The name of the library for messages, such as `OpenSSL`.
  static var name: String { get }
  /// The name and version of the library for reports.
  static var version: String { get }

  /// Fills memory with random bytes.
  ///
  /// - Parameters:
  ///   - bytes: The memory.
  ///   - isSecret: Whether the bytes stay secret, as keys do and salts do not. A library may have a
  ///     separate generator for each.
  /// - Returns: Whether the memory was filled.
  static func fillWithRandomBytes(_ bytes: UnsafeMutableRawBufferPointer, isSecret: Bool) -> Bool

  /// Overwrites memory with zeros in a way that the compiler cannot optimise away.
  static func wipe(_ bytes: UnsafeMutableRawBufferPointer)

  /// Returns whether two buffers have the same bytes, in a time that depends only on their length.
  static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool

  /// Computes HMAC (RFC 2104) with SHA-256.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - key: The key.
  ///   - code: The memory for the code, 32 bytes.
  /// - Returns: Whether the code was computed.
  static func authenticate(
    _ message: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer,
    into code: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Derives a key with PBKDF2-HMAC (RFC 8018).
  ///
  /// - Parameters:
  ///   - password: The password.
  ///   - salt: The salt.
  ///   - rounds: The number of rounds, at least 1.
  ///   - hash: The hash function of the HMAC.
  ///   - key: The memory for the key; its size is the size of the key.
  /// - Returns: Whether the key was derived.
  static func derive(
    fromPassword password: UnsafeRawBufferPointer, salt: [UInt8], rounds: Int32,
    hash: HashFunction, into key: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Derives a key with scrypt (RFC 7914).
  ///
  /// - Parameters:
  ///   - password: The password.
  ///   - salt: The salt.
  ///   - cost: The parameters N, r and p.
  ///   - maximumMemory: The maximum memory in bytes.
  ///   - key: The memory for the key; its size is the size of the key.
  /// - Returns: Whether the key was derived.
  static func derive(
    fromPassword password: UnsafeRawBufferPointer, salt: [UInt8],
    cost: (n: UInt64, r: UInt64, p: UInt64), maximumMemory: UInt64,
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Derives a key with HKDF-HMAC-SHA-256 (RFC 5869).
  ///
  /// - Parameters:
  ///   - secret: The input key, as good as random.
  ///   - salt: The salt; an empty one counts as 32 zero bytes.
  ///   - info: The purpose of the derived key.
  ///   - key: The memory for the key; its size is the size of the key.
  /// - Returns: Whether the key was derived.
  static func derive(
    fromSecret secret: UnsafeRawBufferPointer, salt: [UInt8], info: [UInt8],
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Expands a pseudorandom key with the second step of HKDF-HMAC-SHA-256 (RFC 5869).
  ///
  /// - Parameters:
  ///   - key: The pseudorandom key, at least 32 bytes.
  ///   - info: The purpose of the derived key.
  ///   - derived: The memory for the derived key; its size is the size of the key.
  /// - Returns: Whether the key was derived.
  static func expand(
    _ key: UnsafeRawBufferPointer, info: [UInt8], into derived: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Computes the public key of a private key of X25519 (RFC 7748).
  ///
  /// - Parameters:
  ///   - privateKey: The private key, 32 bytes.
  ///   - publicKey: The memory for the public key, 32 bytes.
  /// - Returns: Whether the public key was computed.
  static func publicKey(
    of privateKey: UnsafeRawBufferPointer, into publicKey: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Agrees on a secret with X25519 (RFC 7748).
  ///
  /// - Parameters:
  ///   - privateKey: The own private key, 32 bytes.
  ///   - publicKey: The public key of the other party, 32 bytes.
  ///   - secret: The memory for the secret, 32 bytes.
  /// - Returns: Whether there is a secret; `false` also for a secret of zeros, which only public
  ///   keys of low order cause.
  static func agree(
    _ privateKey: UnsafeRawBufferPointer, with publicKey: [UInt8],
    into secret: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Encrypts and authenticates with AES-256-GCM (NIST SP 800-38D).
  ///
  /// - Parameters:
  ///   - plaintext: The plaintext.
  ///   - key: The key, 32 bytes.
  ///   - nonce: The nonce, 12 bytes, never used twice with one key.
  ///   - context: The additional data, which is authenticated.
  ///   - sealed: The memory for the ciphertext and the tag: 16 bytes more than the plaintext.
  /// - Returns: Whether the plaintext was encrypted.
  static func seal(
    _ plaintext: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer, nonce: [UInt8],
    context: [UInt8], into sealed: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Decrypts and authenticates with AES-256-GCM (NIST SP 800-38D).
  ///
  /// - Parameters:
  ///   - sealed: The ciphertext and the tag of 16 bytes.
  ///   - key: The key, 32 bytes.
  ///   - nonce: The nonce, 12 bytes.
  ///   - context: The additional data.
  ///   - plaintext: The memory for the plaintext: 16 bytes less than `sealed`.
  /// - Returns: Whether the tag is authentic. If not, the memory must not be used.
  static func open(
    _ sealed: [UInt8], under key: UnsafeRawBufferPointer, nonce: [UInt8], context: [UInt8],
    into plaintext: UnsafeMutableRawBufferPointer
  ) -> Bool
}

/// A digest that is computed from parts.
package protocol IncrementalDigest: ~Copyable {
  /// Begins a SHA-256 (FIPS 180-4); returns `nil` if the library fails.
  init?()

  /// Adds bytes to the digest.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: Whether the bytes were added.
  mutating func update(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// Returns the digest of all added bytes, 32 bytes; `nil` if the library fails.
  consuming func finish() -> [UInt8]?
}

/// Codes of many messages under one key, by HMAC (RFC 2104).
package protocol KeyedMessageCode: ~Copyable {
  /// Prepares the key; returns `nil` if the library fails.
  init?(hash: HashFunction, key: UnsafeRawBufferPointer)

  /// Computes the code of a message that consists of two parts.
  ///
  /// - Parameters:
  ///   - first: The first part.
  ///   - second: The second part.
  ///   - code: The memory for the code, as many bytes as the hash function has.
  /// - Returns: Whether the code was computed.
  borrowing func authenticate(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    into code: UnsafeMutableRawBufferPointer
  ) -> Bool
}

/// The decryption of many messages under one key, with AES-256-CBC (NIST SP 800-38A) and no padding.
package protocol KeyedDecryptor: ~Copyable {
  /// Prepares a key of 32 bytes; returns `nil` if the library fails.
  init?(key: UnsafeRawBufferPointer)

  /// Decrypts whole blocks of 16 bytes.
  ///
  /// - Parameters:
  ///   - ciphertext: The ciphertext.
  ///   - vector: The initialisation vector, 16 bytes.
  ///   - plaintext: The memory for the plaintext, as many bytes as the ciphertext has.
  /// - Returns: Whether the ciphertext was decrypted.
  borrowing func decrypt(
    _ ciphertext: UnsafeRawBufferPointer, vector: UnsafeRawBufferPointer,
    into plaintext: UnsafeMutableRawBufferPointer
  ) -> Bool
}
