import ObjectVaultKeys
import Testing

@Suite("A vault key")
struct VaultKeyTests {
  @Test("of a text and of its UTF-8 bytes is the same")
  func textAndBytes() throws {
    let text = try VaultKey.passphrase("Grüße\0").resolve()
    let bytes = try VaultKey.passphrase(bytes: Array("Grüße\0".utf8)).resolve()
    let secret = try VaultKey.passphrase(Secret(utf8: "Grüße\0")).resolve()
    #expect(text.kind == .passphrase && text.salt == nil)
    #expect(text.secret.isEqual(to: bytes.secret) && text.secret.isEqual(to: secret.secret))
    #expect(text.secret.count == 8)
  }

  @Test("of 32 raw bytes has no salt")
  func raw32() throws {
    let key = try VaultKey.raw(Array(1...32)).resolve()
    #expect(key.kind == .raw && key.salt == nil)
    #expect(key.secret.withUnsafeBytes { Array($0) } == Array(1...32))
  }

  @Test("of 48 raw bytes has the last 16 as its salt")
  func raw48() throws {
    for key in [
      VaultKey.raw(Array(1...48)),
      .raw(hex: (1...48).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()),
      .raw(Secret(copying: 1...48)),
    ] {
      let resolved = try key.resolve()
      #expect(resolved.salt == FileSalt(33...48))
      #expect(resolved.secret.withUnsafeBytes { Array($0) } == Array(1...32))
    }
  }

  struct Refusal: Sendable {
    var name: String
    var key: @Sendable () -> VaultKey
    var code: KeyError.Code
    var message: String
  }

  static let refusals: [Refusal] = [
    Refusal(
      name: "empty text", key: { .passphrase("") }, code: .noKey,
      message: "The passphrase is empty. Enter at least one character."),
    Refusal(
      name: "no bytes", key: { .passphrase(bytes: []) }, code: .noKey,
      message: "The passphrase is empty. Enter at least one character."),
    Refusal(
      name: "empty secret", key: { .passphrase(Secret(count: 0)) }, code: .noKey,
      message: "The passphrase is empty. Enter at least one character."),
    Refusal(
      name: "no raw bytes", key: { .raw([UInt8]()) }, code: .noKey,
      message: "The raw key is empty. Pass 32 bytes, or 48 with the salt."),
    Refusal(
      name: "31 raw bytes", key: { .raw(Array(repeating: 1, count: 31)) }, code: .invalidKey,
      message:
        "A raw key has 32 bytes, or 48 with the salt, but this one has 31. To use text as the key, "
        + "pass it as a passphrase."),
    Refusal(
      name: "a gibibyte claimed", key: { .raw(repeatElement(1, count: 1 << 30)) },
      code: .invalidKey,
      message:
        "A raw key has 32 bytes, or 48 with the salt, but this one has 1073741824. To use text as "
        + "the key, pass it as a passphrase."),
    Refusal(
      name: "a secret of 33", key: { .raw(Secret(count: 33)) }, code: .invalidKey,
      message:
        "A raw key has 32 bytes, or 48 with the salt, but this one has 33. To use text as the key, "
        + "pass it as a passphrase."),
    Refusal(
      name: "no digits", key: { .raw(hex: "") }, code: .noKey,
      message: "The raw key is empty. Pass 64 hexadecimal digits, or 96 with the salt."),
    Refusal(
      name: "66 digits", key: { .raw(hex: String(repeating: "a", count: 66)) },
      code: .invalidKey,
      message:
        "A raw key has 64 hexadecimal digits, or 96 with the salt, but this one has 66 characters. "
        + "Omit spaces and prefixes."),
    Refusal(
      name: "64 letters", key: { .raw(hex: String(repeating: "z", count: 64)) },
      code: .invalidKey,
      message: "The raw key has characters that are not hexadecimal digits. Use only 0-9 and a-f."),
    Refusal(
      name: "a long passphrase",
      key: { .passphrase(bytes: repeatElement(7, count: (1 << 20) + 1)) }, code: .invalidKey,
      message:
        "A passphrase has at most 1048576 bytes, but this one has 1048577. Use a shorter one."),
    Refusal(
      name: "a long secret", key: { .passphrase(Secret(count: (1 << 20) + 1)) },
      code: .invalidKey,
      message:
        "A passphrase has at most 1048576 bytes, but this one has 1048577. Use a shorter one."),
    Refusal(
      name: "a huge passphrase", key: { .passphrase(bytes: repeatElement(7, count: 1 << 40)) },
      code: .invalidKey,
      message:
        "A passphrase has at most 1048576 bytes, but this one has 1099511627776. Use a shorter one."
    ),
  ]

  @Test("that cannot be one is refused with its reason", arguments: refusals.indices)
  func refuses(index: Int) {
    let refusal = Self.refusals[index]
    let key = refusal.key()
    for attempt in [{ _ = try key.resolve() }, { try key.validate() }] {
      let error = #expect(throws: KeyError.self, "\(refusal.name)") { try attempt() }
      #expect(error?.code == refusal.code)
      #expect(error?.message == refusal.message)
    }
  }

  @Test("of the longest passphrase is taken")
  func takesTheLongest() throws {
    let key = VaultKey.passphrase(bytes: repeatElement(7, count: 1 << 20))
    #expect(try key.resolve().secret.count == 1 << 20)
  }

  @Test("is not read from its source before it is needed")
  func sourceIsLazy() throws {
    let key = VaultKey.source(.file("/nonexistent/key"))
    try key.validate()
    #expect(throws: KeyError.self) { try key.resolve() }
  }
}
