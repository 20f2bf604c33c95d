import ObjectVaultKeys
import TestSupport
import Testing

/// Files with cipher settings that no format has by default, and files without authentication.
@Suite("Files with other cipher settings")
struct OtherSettingsTests {
  /// What callers that name nothing accept of a file that is no vault.
  private func foreign(
    _ formats: [CipherFormat] = [.format3, .format2, .format4],
    naming named: NamedCipherSettings = .init()
  ) -> FormatRecogniser {
    FormatRecogniser(formats: formats, pageSize: nil, rounds: nil, named: named)
  }

  private func failure(
    _ bytes: [UInt8], key: VaultKey = .passphrase(CipherShell.passphrase),
    by recogniser: FormatRecogniser = FormatRecogniser()
  ) -> KeyError? {
    var recogniser = recogniser
    return #expect(throws: KeyError.self) { _ = try recogniser.recognise(bytes, key: key) }
  }

  static let files = [
    ("format3-1024-pgno-be.db", "cipher_hmac_pgno = be"),
    ("format3-1024-salt-mask-0.db", "cipher_hmac_salt_mask = x'00'"),
    ("format3-1024-fast-kdf-4000.db", "fast_kdf_iter = 4000"),
  ]

  @Test("are recognised with every setting, and never by default", arguments: files)
  func authenticated(name: String, setting: String) throws {
    let bytes = try FrozenDatabase.bytes(name)
    var recogniser = foreign()
    let found = try recogniser.recognise(bytes)
    #expect(found.scheme.otherSettings == [setting])
    #expect(found.pageSize == 1024)
    #expect(found.isFirstPageSealed)
    let error = failure(bytes)
    #expect(error?.code == .unsupportedSettings)
    #expect(error?.message.contains(setting) == true)
    #expect(failure(bytes, key: .passphrase("other"))?.code == .wrongKey)
    #expect(failure(bytes, key: .passphrase("other"), by: foreign())?.code == .wrongKey)
  }

  @Test("have every page authenticated under them", arguments: files)
  func pages(name: String, setting: String) throws {
    let bytes = try FrozenDatabase.bytes(name)
    var recogniser = foreign()
    let found = try recogniser.recognise(bytes)
    try found.rawKey.withSecret { key throws(KeyError) in
      let seal = try PageSeal(
        scheme: found.scheme, pageSize: 1024, rawKey: key, salt: found.salt)
      for number in 1...bytes.count / 1024 {
        let page = Array(bytes[(number - 1) * 1024..<number * 1024])
        #expect(page.withUnsafeBytes { seal.verify($0, number: UInt32(number)) })
      }
    }
  }

  @Test("with a damaged first page are found by another page", arguments: files)
  func damagedFirstPage(name: String, setting: String) throws {
    let bytes = try FrozenDatabase.bytes(name).flipping(500)
    #expect(failure(bytes, by: foreign())?.code == .damaged)
    var recogniser = foreign()
    let found = try recogniser.recognise(bytes, hasJournal: true)
    #expect(found.scheme.otherSettings == [setting] && !found.isFirstPageSealed)
    let examined = try recogniser.examine(
      file: "f", size: Int64(bytes.count),
      key: VaultKey.passphrase(CipherShell.passphrase).resolve()
    ) { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
    #expect(examined.firstPage == .damaged)
  }

  @Test("with rounds that programs use are recognised, where other settings are accepted")
  func rounds() throws {
    let bytes = try FrozenDatabase.bytes("format4-1024-kdf-4000.db")
    var recogniser = foreign()
    #expect(try recogniser.recognise(bytes).scheme.otherSettings == ["kdf_iter = 4000"])
    #expect(failure(bytes)?.code == .wrongKey)
    #expect(recogniser.derivationCount <= 6)
  }

  @Test("that cannot be guessed are accepted if they are named, and are no damage if not")
  func named() throws {
    let folder = try TemporaryFolder()
    let bytes = try CipherShell.database(
      .format3, pageSize: 1024,
      extra: ["PRAGMA fast_kdf_iter=7;", "PRAGMA cipher_hmac_salt_mask=\"x'55'\";"], in: folder)
    #expect(failure(bytes, by: foreign())?.code == .unsupportedSettings)
    var named = NamedCipherSettings()
    named.authenticationRounds = 7
    #expect(failure(bytes, by: foreign(naming: named))?.code == .unsupportedSettings)
    named.saltMask = 0x55
    var recogniser = foreign(naming: named)
    #expect(
      try recogniser.recognise(bytes).scheme.otherSettings
        == ["cipher_hmac_salt_mask = x'55'", "fast_kdf_iter = 7"])
  }

  @Test("without authentication are accepted only if that is named")
  func unauthenticated() throws {
    let bytes = try FrozenDatabase.bytes("format3-1024-no-hmac.db")
    for recogniser in [FormatRecogniser(), foreign(), foreign([.format3])] {
      let error = failure(bytes, by: recogniser)
      #expect(error?.code == .unauthenticated)
      #expect(error?.message.contains("--from-no-hmac") == true)
    }
    var named = NamedCipherSettings()
    named.isUnauthenticated = true
    var recogniser = foreign(naming: named)
    #expect(try recogniser.recognise(bytes).scheme.otherSettings == ["cipher_use_hmac = OFF"])
    // Format 1 is another derivation.
    #expect(failure(bytes, by: foreign([.format1])) != nil)
  }

  @Test("of format 1 say what to pass, and are no wrong key and no damage")
  func format1() throws {
    let bytes = try FrozenDatabase.bytes(.format1).bytes
    for recogniser in [FormatRecogniser(), foreign()] {
      let error = failure(bytes, by: recogniser)
      #expect(error?.code == .unauthenticated)
      #expect(error?.message.contains("--from-format 1") == true)
      #expect(error?.message.contains("minimumCipherFormat = 1") == true)
    }
    var inList = FormatRecogniser(formats: [.format4, .format3, .format2, .format1])
    #expect(try inList.recognise(bytes).format == .format1)
  }

  @Test(
    "whose authentication codes were taken away without the key are never opened",
    arguments: ["stripped-format3-1024-raw.db", "stripped-format4-4096-raw.db"])
  func stripped(name: String) throws {
    let bytes = try FrozenDatabase.bytes(name)
    let key = VaultKey.raw(Array(1...32))
    for recogniser in [
      FormatRecogniser(), foreign(), foreign([.format3]),
      // Also not where format 1 is one of several that are accepted.
      FormatRecogniser(formats: [.format4, .format3, .format2, .format1]),
    ] {
      let error = failure(bytes, key: key, by: recogniser)
      #expect(error?.code == .unauthenticated)
      #expect(error?.message.contains("an attacker may have removed") == true)
    }
    var identifying = foreign()
    identifying.identifiesOnly = true
    #expect(try !identifying.recognise(bytes, key: key).scheme.isSealed)
    var named = foreign([.format1])
    #expect(try named.recognise(bytes, key: key).format == .format1)
  }

  @Test("and a format older than those that are accepted are told from a wrong key")
  func olderFormat() throws {
    let bytes = try FrozenDatabase.bytes(.format2).bytes
    let error = failure(bytes, by: FormatRecogniser(formats: [.format4, .format3]))
    #expect(error?.code == .unsupportedSettings)
    #expect(error?.message.contains("cipher format 2") == true)
  }
}
