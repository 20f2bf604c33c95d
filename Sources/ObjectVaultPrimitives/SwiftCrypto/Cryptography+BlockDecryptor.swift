internal import Crypto
internal import CryptoExtras
internal import Foundation

extension Cryptography {
  /// AES-256-CBC without padding.
  package struct BlockDecryptor: KeyedDecryptor, ~Copyable {
    // Wipes its memory.
    private let key: SymmetricKey

    package init?(key: UnsafeRawBufferPointer) {
      guard key.count == 32 else { return nil }
      self.key = SymmetricKey(data: key)
    }

    package borrowing func decrypt(
      _ ciphertext: UnsafeRawBufferPointer, vector: UnsafeRawBufferPointer,
      into plaintext: UnsafeMutableRawBufferPointer
    ) -> Bool {
      guard let vector = try? AES._CBC.IV(ivBytes: Array(vector)),
        var decrypted = try? AES._CBC.decrypt(ciphertext, using: key, iv: vector, noPadding: true),
        decrypted.count == plaintext.count
      else { return false }
      plaintext.copyBytes(from: decrypted)
      decrypted.withUnsafeMutableBytes { Cryptography.wipe($0) }
      return true
    }
  }
}
