internal import COpenSSL

extension Cryptography {
  /// An incremental SHA-256.
  package struct Digest: IncrementalDigest, ~Copyable {
    private let context: OpaquePointer

    package init?() {
      guard let context = EVP_MD_CTX_new() else { return nil }
      guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
        EVP_MD_CTX_free(context)
        return nil
      }
      self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) -> Bool {
      EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }

    package consuming func finish() -> [UInt8]? {
      var digest = [UInt8](repeating: 0, count: HashFunction.sha256.count)
      return EVP_DigestFinal_ex(context, &digest, nil) == 1 ? digest : nil
    }
  }
}
