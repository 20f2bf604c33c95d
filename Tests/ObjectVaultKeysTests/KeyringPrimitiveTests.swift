import ObjectVaultKeys
import Testing

@Suite("Keys of slots")
struct KeyringPrimitiveTests {
  @Test("scrypt gives what other implementations give")
  func scrypt() throws {
    // Computed with Python's hashlib.scrypt.
    let key = try KeyDerivation.scrypt(
      Secret(utf8: "correct horse"), salt: Array(0..<32), cost: ScryptCost(n: 1 << 16, r: 8, p: 1))
    #expect(
      key.text() == "d88dd954315ef92b27d902c52d3c1b2c90b4f0f755030167664638ca506f2a5c")
  }

  @Test("HKDF gives what RFC 5869 says in its third test case")
  func hkdf() throws {
    let key = try KeyDerivation.hkdf(
      Secret(copying: [UInt8](repeating: 0x0b, count: 22)), purpose: "")
    #expect(key.text() == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
  }

  @Test(
    "Work that a file may not ask for is refused before it is begun",
    arguments: [
      (n: 1 << 15, r: 8, p: 1), (1 << 21, 8, 1), ((1 << 17) + 1, 8, 1), (1 << 17, 7, 1),
      (1 << 17, 33, 1), (1 << 17, 8, 0), (1 << 17, 8, 5), (1 << 20, 32, 1),
      (1 << 20, 16, 1), (0, 8, 1),
    ] as [(UInt64, UInt64, UInt64)])
  func boundsOfWork(n: UInt64, r: UInt64, p: UInt64) {
    #expect(throws: KeyError.self) {
      _ = try KeyDerivation.scrypt(
        Secret(utf8: "x"), salt: [], cost: ScryptCost(n: n, r: r, p: p)
      ).count
    }
  }

  @Test("A wrapped key opens under its key and context, and under no other")
  func wrapping() throws {
    let key = Secret(copying: 0..<32)
    let wrapping = Secret(copying: 100..<132)
    let wrapped = try WrappedKey(wrapping: key, under: wrapping, context: [1, 2])
    #expect(try opens(wrapped, under: wrapping, context: [1, 2], as: key))
    #expect(try !opens(wrapped, under: wrapping, context: [1, 3]))
    #expect(try !opens(wrapped, under: key, context: [1, 2]))
    for index in 0..<WrappedKey.sealedCount {
      var sealed = wrapped.sealed
      sealed[index] ^= 1
      let changed = try #require(WrappedKey(nonce: wrapped.nonce, sealed: sealed))
      #expect(try !opens(changed, under: wrapping, context: [1, 2]))
    }
    let again = try WrappedKey(wrapping: key, under: wrapping, context: [1, 2])
    #expect(again.nonce != wrapped.nonce)
    #expect(again.sealed != wrapped.sealed)
  }

  /// Whether a wrapped key opens, and as the key given.
  private func opens(
    _ wrapped: WrappedKey, under wrapping: borrowing Secret, context: [UInt8],
    as key: borrowing Secret
  ) throws -> Bool {
    guard let opened = try wrapped.unwrapped(under: wrapping, context: context) else {
      return false
    }
    return opened.isEqual(to: key)
  }

  private func opens(
    _ wrapped: WrappedKey, under wrapping: borrowing Secret, context: [UInt8]
  ) throws -> Bool {
    try wrapped.unwrapped(under: wrapping, context: context) != nil
  }
}

extension Secret {
  /// The bytes in hexadecimal, for tests alone.
  fileprivate borrowing func text() -> String {
    hexadecimal().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
