import Foundation
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("A plaintext header")
struct PlaintextHeaderTests {
  private static let rawKey = Array(UInt8(1)...32)
  private static let salt = Array(UInt8(0x21)...0x30)
  private let bytes: [UInt8]

  init() throws {
    bytes = try FrozenDatabase.bytes("format4-4096-plaintext-header.db")
  }

  /// An unlocked keyring with an epoch for the frozen file, between others.
  private func keyring(
    _ header: FileHeader = .plaintext, state: KeyringEpoch.State = .current
  ) throws -> ResolvedKey {
    var keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    for other in [KeyringEpoch.State.current, .pending, .retired] where other != state {
      _ = try keyring.addEpoch(
        salt: .random(), format: .format4, pageSize: 4096, header: header, state: other)
    }
    try keyring.addEpoch(
      wrapping: SharedSecret(Secret(copying: Self.rawKey)), salt: #require(FileSalt(Self.salt)),
      format: .format4, pageSize: 4096, header: header, state: state)
    return .keyring(UnlockedKeyring(KeyringFile(at: "/nowhere.keyring"), keyring: keyring))
  }

  private func recognise(
    _ bytes: [UInt8], key: ResolvedKey, hasJournal: Bool = false
  ) throws -> RecognisedFile {
    var recogniser = FormatRecogniser()
    return try recogniser.recognise(
      file: "school.vault", size: Int64(bytes.count), key: key, hasJournal: hasJournal
    ) { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
  }

  private func examine(_ bytes: [UInt8], key: ResolvedKey) throws -> ExaminedFile {
    var recogniser = FormatRecogniser()
    return try recogniser.examine(
      file: "school.vault", size: Int64(bytes.count), key: key, hasJournal: false
    ) { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
  }

  @Test(
    "of a file is recognised with an epoch of any state, and the salt is that of the epoch",
    arguments: KeyringEpoch.State.allCases)
  func recognised(state: KeyringEpoch.State) throws {
    let found = try recognise(bytes, key: keyring(state: state))
    #expect(found.scheme == CipherScheme(.format4, header: .plaintext))
    #expect(found.salt.bytes == Self.salt)
    #expect(found.header?.pageCount == 3)
    #expect(try examine(bytes, key: keyring(state: state)).firstPage == .sound)
  }

  @Test("is recognised with a raw key and its salt, and with no key that lacks the salt")
  func otherKeys() throws {
    let found = try recognise(bytes, key: VaultKey.raw(Self.rawKey + Self.salt).resolve())
    #expect(found.scheme.header == .plaintext)
    for key in [
      VaultKey.raw(Self.rawKey), .passphrase("open sesame"),
      .raw(Self.rawKey + Self.salt.reversed()),
    ] {
      #expect(keyCode { _ = try recognise(bytes, key: key.resolve()) } == .wrongKey)
    }
    // The epoch says that the salt is in the file.
    #expect(keyCode { _ = try recognise(bytes, key: keyring(.encrypted)) } == .keyringMismatch)
  }

  @Test("is no part of the pages' authentication, and every changed byte of it is detected")
  func changedBytes() throws {
    let key = try keyring()
    for offset in 0..<32 {
      for mask in [UInt8(1), 2, 0x40, 0xff] {
        var changed = bytes
        changed[offset] ^= mask
        #expect(
          keyCode { _ = try recognise(changed, key: key) } == (offset < 28 ? .damaged : nil)
            ?? headerError(changed),
          "byte \(offset), bits \(mask)")
      }
    }
    #expect(keyCode { _ = try recognise(bytes.flipping(32), key: key) } == .damaged)
    #expect(keyCode { _ = try recognise(bytes.flipping(4095), key: key) } == .damaged)
  }

  /// The error for a file whose number of pages was changed.
  private func headerError(_ bytes: [UInt8]) -> KeyError.Code {
    let count = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
    return count * 4096 > self.bytes.count ? .truncated : .damaged
  }

  @Test("that was changed does not hide the pages from an examination")
  func examinedHeader() throws {
    let key = try keyring()
    for offset in 16..<28 {
      let found = try examine(bytes.flipping(offset), key: key)
      #expect(found.firstPage == .damagedSalt(isRestSound: true), "byte \(offset)")
      #expect(found.file.salt.bytes == Self.salt)
    }
    #expect(try examine(bytes.flipping(0), key: key).firstPage == .damagedSalt(isRestSound: true))
    #expect(try examine(bytes.flipping(300), key: key).firstPage == .damaged)
    #expect(try examine(bytes + bytes[4096..<8192], key: key).firstPage != .sound)
  }

  @Test("of an unencrypted database is reported as unencrypted with every key")
  func unencrypted() throws {
    let plain = try FrozenDatabase.bytes("plain.db")
    for key in [try keyring(), try VaultKey.raw(Self.rawKey + Self.salt).resolve()] {
      #expect(keyCode { _ = try recognise(plain, key: key) } == .notEncrypted)
      #expect(keyCode { _ = try recognise(Array(plain.prefix(50)), key: key) } == .notEncrypted)
      #expect(keyCode { _ = try examine(plain, key: key) } == .notEncrypted)
    }
    #expect(!CipherFormat.hasPlaintextHeader(plain))
    #expect(CipherFormat.hasPlaintextHeader(bytes))
  }

  @Test("that was replaced by the salt of its epoch does not open, although the pages authenticate")
  func saltInstead() throws {
    var changed = bytes
    changed.replaceSubrange(0..<16, with: Self.salt)
    #expect(keyCode { _ = try recognise(changed, key: keyring()) } == .damaged)
  }

  @Test("over the salt of a file without one is reported as a damaged salt")
  func headerInstead() throws {
    var keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    var changed = try FrozenDatabase.bytes("format4-4096-raw.db")
    try keyring.addEpoch(
      wrapping: SharedSecret(Secret(copying: Self.rawKey)),
      salt: #require(FileSalt(changed.prefix(16))), format: .format4, pageSize: 4096,
      header: .encrypted, state: .current)
    let key = ResolvedKey.keyring(
      UnlockedKeyring(KeyringFile(at: "/nowhere.keyring"), keyring: keyring))
    #expect(keyCode { _ = try recognise(changed, key: key) } == nil)
    changed.replaceSubrange(0..<16, with: CipherFormat.plainStart)
    #expect(keyCode { _ = try recognise(changed, key: key) } == .damaged)
  }

  @Test("makes a keyring one of version 2, in which it is authenticated")
  func version() throws {
    var keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    let salts = [try FileSalt.random(), try .random()]
    _ = try keyring.addEpoch(salt: salts[0], format: .format4, pageSize: 4096, state: .current)
    #expect(keyring.keyring.version == 1)
    let dataKey = try keyring.addEpoch(
      salt: salts[1], format: .format4, pageSize: 4096, header: .plaintext, state: .pending)
    try keyring.makeCurrent(salts[1])
    #expect(keyring.keyring.version == 2)
    let json = try keyring.keyring.json()
    let read = try Keyring(json: json)
    #expect(read == keyring.keyring)
    let opened = try read.opened(with: raw(1))
    #expect(try opened.dataKey(of: read.epochs[1]).isEqual(to: dataKey))
    let changed = String(decoding: json, as: UTF8.self)
      .replacingOccurrences(of: "\"plaintextHeader\" : 32,", with: "\"plaintextHeader\" : 0,")
      .replacingOccurrences(of: "\"version\" : 2", with: "\"version\" : 1")
    #expect(try Keyring(json: Array(changed.utf8)).version == 1)
    #expect(
      keyCode { _ = try Keyring(json: Array(changed.utf8)).opened(with: raw(1)) }
        == .keyringTampered)
    // A new master key wraps the data keys again.
    let made = try opened.withNewMaster(keeping: [(name: "first", secret: raw(2))])
    #expect(made.keyring.epochs.map(\.header) == [.encrypted, .plaintext])
    #expect(try made.dataKey(of: made.keyring.epochs[1]).isEqual(to: dataKey))
  }

  @Test("of a file tells the state of its keyring without a key as exactly as it can")
  func states() throws {
    func keyring(_ epochs: [(FileHeader, KeyringEpoch.State)]) throws -> Keyring {
      var keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
      for (header, state) in epochs {
        _ = try keyring.addEpoch(
          salt: .random(), format: .format4, pageSize: 4096, header: header, state: state)
      }
      return keyring.keyring
    }
    let start = try #require(FileStart(bytes))
    #expect(start == .plaintextHeader)
    #expect(try keyring([(.plaintext, .current)]).state(beside: start) == .matches)
    #expect(try keyring([(.encrypted, .current)]).state(beside: start) == .ofAnotherFile)
    #expect(try keyring([(.encrypted, .pending)]).state(beside: start) == .neverFinished)
    // The file of a creation that was interrupted before its last step.
    #expect(try keyring([(.plaintext, .pending)]).state(beside: start) == .matches)
    #expect(
      try keyring([(.encrypted, .current), (.plaintext, .pending)]).state(beside: start) == .matches
    )
    let rotating = try keyring([(.plaintext, .current), (.plaintext, .pending)])
    #expect(rotating.state(beside: start) == .unfinishedRotation)
    #expect(rotating.state(ofFileWith: rotating.epochs[0].salt) == .unfinishedRotation)
    #expect(rotating.state(ofFileWith: rotating.epochs[1].salt) == .matches)
    let plain = try #require(try FileStart(FrozenDatabase.bytes("plain.db")))
    #expect(try keyring([(.plaintext, .pending)]).state(beside: plain) == .neverFinished)
  }
}
