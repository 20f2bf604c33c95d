internal import Crypto

extension Cryptography {
  /// An incremental SHA-256.
  package struct Digest: IncrementalDigest, ~Copyable {
    private var hash = SHA256()

    package init?() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) -> Bool {
      hash.update(bufferPointer: bytes)
      return true
    }

    package consuming func finish() -> [UInt8]? { Array(hash.finalize()) }
  }

  /// HMACs of many messages under one key.
  package struct KeyedCode: KeyedMessageCode, ~Copyable {
    private let hash: HashFunction
    // Wipes its memory.
    private let key: SymmetricKey

    package init?(hash: HashFunction, key: UnsafeRawBufferPointer) {
      self.hash = hash
      self.key = SymmetricKey(data: key)
    }

    package borrowing func authenticate(
      _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
      into code: UnsafeMutableRawBufferPointer
    ) -> Bool {
      switch hash {
      case .sha1: compute(Insecure.SHA1.self, first, second, into: code)
      case .sha256: compute(SHA256.self, first, second, into: code)
      case .sha512: compute(SHA512.self, first, second, into: code)
      }
    }

    private borrowing func compute<Hash: Crypto.HashFunction>(
      _: Hash.Type, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
      into code: UnsafeMutableRawBufferPointer
    ) -> Bool {
      var hmac = HMAC<Hash>(key: key)
      hmac.update(data: first)
      hmac.update(data: second)
      return hmac.finalize().withUnsafeBytes { computed in
        guard computed.count == code.count else { return false }
        code.copyMemory(from: computed)
        return true
      }
    }
  }
}
