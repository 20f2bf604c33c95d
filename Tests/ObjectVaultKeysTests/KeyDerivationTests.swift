import ObjectVaultKeys
import ObjectVaultPrimitives
import Testing

@Suite("Key derivation")
struct KeyDerivationTests {
  struct Vector: Sendable {
    var hash: HashFunction
    var password: String
    var salt: String
    var rounds: Int
    var key: String
  }

  /// SHA-1: RFC 6070. SHA-512: Python's `hashlib.pbkdf2_hmac`.
  static let vectors = [
    Vector(
      hash: .sha1, password: "password", salt: "salt", rounds: 1,
      key: "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
    Vector(
      hash: .sha1, password: "password", salt: "salt", rounds: 2,
      key: "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
    Vector(
      hash: .sha1, password: "password", salt: "salt", rounds: 4096,
      key: "4b007901b765489abead49d926f721d065a429c1"),
    Vector(
      hash: .sha1, password: "passwordPASSWORDpassword",
      salt: "saltSALTsaltSALTsaltSALTsaltSALTsalt", rounds: 4096,
      key: "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"),
    Vector(
      hash: .sha1, password: "pass\0word", salt: "sa\0lt", rounds: 4096,
      key: "56fa6aa75548099dcc37d7f03425e0c3"),
    Vector(
      hash: .sha512, password: "password", salt: "salt", rounds: 1,
      key: "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252"
        + "c02d470a285a0501bad999bfe943c08f050235d7d68b1da55e63f73b60a57fce"),
    Vector(
      hash: .sha512, password: "passwordPASSWORDpassword",
      salt: "saltSALTsaltSALTsaltSALTsaltSALTsalt", rounds: 4096,
      key: "8c0511f4c6e597c6ac6315d8f0362e225f3c501495ba23b868c005174dc4ee71"
        + "115b59f9e60cd9532fa33e0f75aefe30225c583a186cd82bd4daea9724a3d3b8"),
  ]

  @Test("gives the published keys", arguments: vectors)
  func givesPublishedKeys(vector: Vector) throws {
    let key = try KeyDerivation.pbkdf2(
      Secret(utf8: vector.password), salt: Array(vector.salt.utf8), rounds: vector.rounds,
      hash: vector.hash, count: vector.key.utf8.count / 2)
    #expect(hexadecimal(key) == vector.key)
  }

  @Test(
    "stretches a passphrase with the rounds of its format",
    arguments: [
      (CipherFormat.format3, "7e3c069c47fd79cea20d604ea31bc7c73c029b4fd830162aadb29a79142b4992"),
      (.format4, "f55d65e3f7de27dcea521404192c563e5bed7c06ee9492363f2c102c65e7c4fb"),
    ])
  func stretchesByFormat(format: CipherFormat, expected: String) throws {
    let salt = try #require(FileSalt(0..<16))
    let key = try VaultKey.passphrase("open sesame").resolve().rawKey(
      for: CipherScheme(format), salt: salt)
    #expect(key.withSecret { hexadecimal($0) } == expected)
  }

  @Test("does nothing to a raw key")
  func leavesRawKeys() throws {
    let salt = try #require(FileSalt(0..<16))
    let key = try VaultKey.raw(Array(1...32)).resolve().rawKey(
      for: CipherScheme(.format4), salt: salt)
    #expect(key.withUnsafeBytes { Array($0) } == Array(1...32))
  }

  @Test("refuses a number of rounds that is none", arguments: [0, -1, Int.max, 1 << 31])
  func refusesRounds(rounds: Int) throws {
    let error = #expect(throws: KeyError.self) {
      try VaultKey.passphrase("k").resolve().rawKey(
        for: CipherScheme(.format3, rounds: rounds), salt: .random())
    }
    #expect(error?.code == .invalidSetting)
    #expect(error?.message.contains("\(rounds)") == true)
  }

  @Test("writes the engine's key specification")
  func writesSpecification() throws {
    let salt = try #require(FileSalt(0xf0...0xff))
    let key = Secret(copying: 0..<32)
    let text = KeyDerivation.specification(key: key, salt: salt)
    #expect(
      text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        == "x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        + "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'")
  }

  @Test("random salts have 16 bytes and differ")
  func saltsDiffer() throws {
    let salts = try (0..<8).map { _ in try FileSalt.random() }
    #expect(Set(salts).count == 8)
    #expect(FileSalt(0..<15) == nil && FileSalt(0..<17) == nil)
  }

  private func hexadecimal(_ secret: borrowing Secret) -> String {
    secret.hexadecimal().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
