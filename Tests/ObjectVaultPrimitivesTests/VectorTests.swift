import ObjectVaultPrimitives
import Testing

/// Published vectors, which every library of primitives passes.
@Suite("Published vectors of the primitives") struct VectorTests {
  struct Message: Sendable {
    var hash: HashFunction
    var key: [UInt8]
    var text: String
    var code: String
  }

  // RFC 2202 and RFC 4231, test cases 2 and 6.
  private static let what = "what do ya want for nothing?"
  private static let larger = "Test Using Larger Than Block-Size Key - Hash Key First"
  static let messages = [
    Message(
      hash: .sha1, key: Array("Jefe".utf8), text: what,
      code: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    Message(
      hash: .sha256, key: Array("Jefe".utf8), text: what,
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Message(
      hash: .sha512, key: Array("Jefe".utf8), text: what,
      code: "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"),
    Message(
      hash: .sha1, key: Array(repeating: 0xaa, count: 80), text: larger,
      code: "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
    Message(
      hash: .sha256, key: Array(repeating: 0xaa, count: 131), text: larger,
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Message(
      hash: .sha512, key: Array(repeating: 0xaa, count: 131), text: larger,
      code: "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
        + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"),
  ]

  @Test("HMAC has the codes of RFC 2202 and RFC 4231", arguments: messages)
  func authentication(_ message: Message) throws {
    let bytes = Array(message.text.utf8)
    let code = try message.key.withUnsafeBytes { key in
      guard let keyed = Cryptography.KeyedCode(hash: message.hash, key: key) else {
        throw Rejected()
      }
      return try bytes.withUnsafeBytes { bytes in
        let (first, second) = (bytes[..<7], bytes[7...])
        var codes: [[UInt8]] = []
        // The second message has the same key as the first.
        for _ in 1...2 {
          codes.append(
            try filled(message.hash.count) {
              keyed.authenticate(
                UnsafeRawBufferPointer(rebasing: first), UnsafeRawBufferPointer(rebasing: second),
                into: $0)
            })
        }
        #expect(codes[0] == codes[1])
        return codes[0]
      }
    }
    #expect(hexadecimal(code) == message.code)
    guard message.hash == .sha256 else { return }
    let whole = try filled(32) { code in
      message.key.withUnsafeBytes { key in
        bytes.withUnsafeBytes { Cryptography.authenticate($0, under: key, into: code) }
      }
    }
    #expect(hexadecimal(whole) == message.code)
  }

  // FIPS 180-4, with the examples of NIST.
  @Test(
    "SHA-256 has the digests of FIPS 180-4",
    arguments: [
      ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1000), 1000,
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func digest(part: String, count: Int, expected: String) throws {
    guard var digest = Cryptography.Digest() else { throw Rejected() }
    for _ in 1...count {
      let isAdded = Array(part.utf8).withUnsafeBytes { digest.update($0) }
      #expect(isAdded)
    }
    let result = digest.finish()
    #expect(hexadecimal(try #require(result)) == expected)
  }

  struct Password: Sendable {
    var hash: HashFunction
    var password: String
    var salt: String
    var rounds: Int32
    var key: String
  }

  // RFC 6070; RFC 7914, section 11; the last one was computed with Python's hashlib.
  static let passwords = [
    Password(
      hash: .sha1, password: "password", salt: "salt", rounds: 4096,
      key: "4b007901b765489abead49d926f721d065a429c1"),
    Password(
      hash: .sha1, password: "passwordPASSWORDpassword",
      salt: "saltSALTsaltSALTsaltSALTsaltSALTsalt", rounds: 4096,
      key: "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"),
    Password(
      hash: .sha1, password: "pass\0word", salt: "sa\0lt", rounds: 4096,
      key: "56fa6aa75548099dcc37d7f03425e0c3"),
    Password(
      hash: .sha256, password: "passwd", salt: "salt", rounds: 1,
      key: "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"),
    Password(
      hash: .sha512, password: "password", salt: "salt", rounds: 4096,
      key: "d197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5"
        + "143f30602641b3d55cd335988cb36b84376060ecd532e039b742a239434af2d5"),
  ]

  @Test("PBKDF2 has the keys of RFC 6070 and RFC 7914", arguments: passwords)
  func passwordKey(_ vector: Password) throws {
    let password = Array(vector.password.utf8)
    let key = try filled(vector.key.count / 2) { key in
      password.withUnsafeBytes {
        Cryptography.derive(
          fromPassword: $0, salt: Array(vector.salt.utf8), rounds: vector.rounds,
          hash: vector.hash, into: key)
      }
    }
    #expect(hexadecimal(key) == vector.key)
  }

  // RFC 7914, section 12.
  @Test(
    "scrypt has the keys of RFC 7914",
    arguments: [
      (
        "password", "NaCl", 1024, 16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", 16384, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
          + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ] as [(String, String, UInt64, UInt64, String)])
  func memoryHardKey(
    password: String, salt: String, n: UInt64, p: UInt64, expected: String
  ) throws {
    let password = Array(password.utf8)
    let key = try filled(64) { key in
      password.withUnsafeBytes {
        Cryptography.derive(
          fromPassword: $0, salt: Array(salt.utf8), cost: (n: n, r: 8, p: p),
          maximumMemory: 64 << 20, into: key)
      }
    }
    #expect(hexadecimal(key) == expected)
  }

  // RFC 5869, appendices A.1 to A.3.
  @Test(
    "HKDF has the keys of RFC 5869",
    arguments: [
      (
        Array(repeating: 0x0b, count: 22), Array(0...0x0c), Array(0xf0...0xf9),
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
      ),
      (
        Array(0x00...0x4f), Array(0x60...0xaf), Array(0xb0...0xff),
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
          + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
          + "cc30c58179ec3e87c14c01d5c1f3434f1d87"
      ),
      (
        Array(repeating: 0x0b, count: 22), [], [],
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
      ),
    ] as [([UInt8], [UInt8], [UInt8], String)])
  func expandedKey(secret: [UInt8], salt: [UInt8], info: [UInt8], expected: String) throws {
    let key = try filled(expected.count / 2) { key in
      secret.withUnsafeBytes {
        Cryptography.derive(fromSecret: $0, salt: salt, info: info, into: key)
      }
    }
    #expect(hexadecimal(key) == expected)
  }

  // RFC 5869, appendix A.1: the pseudorandom key is given.
  @Test("The second step of HKDF has the key of RFC 5869")
  func secondStep() throws {
    let pseudorandom = bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
    let key = try filled(42) { key in
      pseudorandom.withUnsafeBytes {
        Cryptography.expand($0, info: Array(0xf0...0xf9), into: key)
      }
    }
    #expect(
      hexadecimal(key)
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
  }

  // RFC 7748, section 6.1.
  @Test("X25519 has the keys and the secret of RFC 7748")
  func agreement() throws {
    let alice = bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    let bob = bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    func publicKey(_ privateKey: [UInt8]) throws -> [UInt8] {
      try filled(32) { key in
        privateKey.withUnsafeBytes { Cryptography.publicKey(of: $0, into: key) }
      }
    }
    func secret(_ privateKey: [UInt8], _ publicKey: [UInt8]) throws -> [UInt8] {
      try filled(32) { secret in
        privateKey.withUnsafeBytes { Cryptography.agree($0, with: publicKey, into: secret) }
      }
    }
    #expect(
      hexadecimal(try publicKey(bob))
        == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    #expect(
      hexadecimal(try secret(bob, alice))
        == "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    let own = Array(UInt8(1)...32)
    #expect(try secret(own, publicKey(bob)) == secret(bob, publicKey(own)))
    #expect(throws: Rejected.self) { try secret(bob, Array(repeating: 0, count: 32)) }
    #expect(throws: Rejected.self) { try secret(bob, Array(alice.dropLast())) }
    #expect(throws: Rejected.self) { try secret(Array(bob.dropLast()), alice) }
  }

  struct Sealed: Sendable {
    var key: String
    var nonce: String
    var plaintext: String
    var context: String
    var sealed: String
  }

  // McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 13, 14 and 16.
  static let seals = [
    Sealed(
      key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
      plaintext: "", context: "", sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
    Sealed(
      key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
      plaintext: String(repeating: "00", count: 16), context: "",
      sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
    Sealed(
      key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
      nonce: "cafebabefacedbaddecaf888",
      plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
      context: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
        + "76fc6ece0f4e1768cddf8853bb2d551b"),
  ]

  @Test("AES-256-GCM has the ciphertexts and tags of its authors", arguments: seals)
  func sealing(_ vector: Sealed) throws {
    let (key, nonce) = (bytes(vector.key), bytes(vector.nonce))
    let (plaintext, context) = (bytes(vector.plaintext), bytes(vector.context))
    let sealed = try filled(plaintext.count + 16) { sealed in
      key.withUnsafeBytes { key in
        plaintext.withUnsafeBytes {
          Cryptography.seal($0, under: key, nonce: nonce, context: context, into: sealed)
        }
      }
    }
    #expect(hexadecimal(sealed) == vector.sealed)
    func opens(_ sealed: [UInt8], _ context: [UInt8]) -> [UInt8]? {
      try? filled(plaintext.count) { opened in
        key.withUnsafeBytes {
          Cryptography.open(sealed, under: $0, nonce: nonce, context: context, into: opened)
        }
      }
    }
    #expect(opens(sealed, context) == plaintext)
    #expect(opens(sealed, context + [0]) == nil)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 0x80
      #expect(opens(changed, context) == nil, "byte \(index)")
    }
  }

  // NIST SP 800-38A, F.2.6.
  @Test("AES-256-CBC has the plaintexts of NIST SP 800-38A")
  func decryption() throws {
    let key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    let vector = Array(UInt8(0)...15)
    let ciphertext = bytes(
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b")
    try key.withUnsafeBytes { key in
      guard let decryptor = Cryptography.BlockDecryptor(key: key) else { throw Rejected() }
      for _ in 1...2 {
        let plaintext = try filled(64) { plaintext in
          vector.withUnsafeBytes { vector in
            ciphertext.withUnsafeBytes { decryptor.decrypt($0, vector: vector, into: plaintext) }
          }
        }
        #expect(
          hexadecimal(plaintext)
            == "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
            + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
      }
    }
    #expect(Array(key.dropLast()).withUnsafeBytes { !isKey($0) })
  }

  @Test("Random bytes fill the whole memory and differ", arguments: [false, true])
  func randomBytes(isSecret: Bool) throws {
    let values = try (1...8).map { _ in
      try filled(61) { Cryptography.fillWithRandomBytes($0, isSecret: isSecret) }
    }
    #expect(Set(values).count == values.count)
    // The probability that a byte is zero eight times is 2^-64.
    for index in 0..<61 { #expect(values.contains { $0[index] != 0 }, "byte \(index)") }
  }

  @Test("Comparison finds every difference, and wiping clears every byte")
  func comparison() {
    let bytes = Array(UInt8(1)...40)
    func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
      a.withUnsafeBytes { a in b.withUnsafeBytes { Cryptography.areEqual(a, $0) } }
    }
    #expect(areEqual(bytes, bytes))
    #expect(areEqual([], []))
    #expect(!areEqual(bytes, bytes.dropLast()))
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(!areEqual(bytes, changed), "byte \(index)")
    }
    var wiped = bytes
    wiped.withUnsafeMutableBytes { Cryptography.wipe($0) }
    #expect(wiped == Array(repeating: 0, count: 40))
  }
}

/// Returns whether bytes can be the key of a decryptor.
private func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool {
  switch Cryptography.BlockDecryptor(key: bytes) {
  case .none: false
  case .some: true
  }
}

/// The library rejected an operation.
private struct Rejected: Error {}

/// Returns bytes that a function of the library fills.
private func filled(
  _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Bool
) throws -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  guard bytes.withUnsafeMutableBytes(fill) else { throw Rejected() }
  return bytes
}

private func bytes(_ digits: String) -> [UInt8] {
  let digits = Array(digits)
  return stride(from: 0, to: digits.count, by: 2).compactMap {
    UInt8(String(digits[$0...($0 + 1)]), radix: 16)
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
