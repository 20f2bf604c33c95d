import TestSupport
import Testing

@testable import ObjectVaultKeys

@Suite("Public key encryption")
struct PublicKeyEncryptionTests {
  /// The first test vector of RFC 9180, appendix A.1.1.
  private enum Vector {
    static let info = "4f6465206f6e2061204772656369616e2055726e"
    static let ephemeral = "52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736"
    static let publicKey = "3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d"
    static let privateKey = "4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8"
    static let encapsulated = "37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431"
    static let sharedSecret = "fe0e18c9f024ce43799ae393c7e8fe8fce9d218875e8227b0187c04e7d2ea1fc"
    static let key = "4531685d41d65f03dc48f6b8302c05b0"
    static let nonce = "56d890e5accaaf011cff4b7d"
  }

  @Test("shares the secret of RFC 9180", .covers("K2"))
  func sharedSecret() throws {
    let made = try PublicKeyEncryption.encapsulate(
      for: bytes(Vector.publicKey), ephemeral: secret(Vector.ephemeral))
    #expect(made.bytes == bytes(Vector.encapsulated))
    let shared = digits(made.sharedSecret)
    #expect(shared == Vector.sharedSecret)
    let received = try PublicKeyEncryption.decapsulate(
      made.bytes, with: secret(Vector.privateKey))
    let receivedDigits = if let received { digits(received) } else { "" }
    #expect(receivedDigits == Vector.sharedSecret)
  }

  @Test("derives the key and the nonce of RFC 9180", .covers("K2"))
  func keySchedule() throws {
    let schedule = try PublicKeyEncryption.schedule(
      secret(Vector.sharedSecret), info: bytes(Vector.info),
      cipher: PublicKeyEncryption.Cipher(id: 1, keyCount: 16))
    let key = digits(schedule.key)
    #expect(key == Vector.key)
    #expect(schedule.nonce == bytes(Vector.nonce))
    let other = try PublicKeyEncryption.schedule(
      secret(Vector.sharedSecret), info: bytes(Vector.info))
    let count = other.key.count
    #expect(count == 32)
    #expect(other.nonce != schedule.nonce)
  }

  @Test(
    "rejects public keys for which every private key shares the same secret",
    .covers("K2"),
    arguments: [
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
  func lowOrder(publicKey: String) throws {
    #expect(
      keyCode { _ = try PublicKeyEncryption.encapsulate(for: bytes(publicKey)) } == .invalidKey)
    let isShared =
      try PublicKeyEncryption.decapsulate(
        bytes(publicKey), with: secret(Vector.privateKey)) != nil
    #expect(!isShared)
  }

  @Test("agrees on one secret from both sides")
  func agreement() throws {
    for _ in 0..<20 {
      let a = try Secret.random(count: 32)
      let b = try Secret.random(count: 32)
      let first = try KeyAgreement.sharedSecret(a, KeyAgreement.publicKey(of: b))
      let second = try KeyAgreement.sharedSecret(b, KeyAgreement.publicKey(of: a))
      guard let first, let second else {
        Issue.record("no shared secret")
        return
      }
      let isEqual = first.isEqual(to: second)
      #expect(isEqual)
    }
  }

  private func bytes(_ digits: String) -> [UInt8] {
    Secret(utf8: digits).decodedHexadecimal()?.withUnsafeBytes { Array($0) } ?? []
  }

  private func secret(_ digits: String) -> Secret { Secret(copying: bytes(digits)) }

  private func digits(_ secret: borrowing Secret) -> String {
    secret.hexadecimal().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
