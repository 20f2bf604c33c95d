import ObjectVaultKeys
import TestSupport
import Testing

@Suite("The recognition of a damaged file")
struct DamagedRecognitionTests {
  private static let sealed = [CipherFormat.format2, .format3, .format4]

  private func examine(
    _ bytes: [UInt8], _ format: CipherFormat, key: ResolvedKey
  ) throws -> ExaminedFile {
    var recogniser = FormatRecogniser(formats: [format])
    return try recogniser.examine(
      file: "school.vault", size: Int64(bytes.count), key: key
    ) { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
  }

  private func passphrase() throws -> ResolvedKey {
    try VaultKey.passphrase(CipherShell.passphrase).resolve()
  }

  /// The raw key of a frozen file, and with its salt.
  private func rawKey(_ bytes: [UInt8], _ format: CipherFormat) throws -> (ResolvedKey, ResolvedKey)
  {
    var recogniser = FormatRecogniser(formats: [format])
    let file = try recogniser.recognise(bytes)
    let both = try file.rawKey.withUnsafeBytes { key throws in
      (
        try VaultKey.raw(Array(key)).resolve(),
        try VaultKey.raw(Array(key) + file.salt.bytes).resolve()
      )
    }
    return both
  }

  @Test("finds a sound file sound", arguments: CipherFormat.allCases)
  func sound(format: CipherFormat) throws {
    let (bytes, pageSize) = try FrozenDatabase.bytes(format)
    let found = try examine(bytes, format, key: passphrase())
    #expect(found.firstPage == .sound)
    #expect(found.file.pageSize == pageSize)
    #expect(found.file.header != nil)
  }

  @Test(
    "finds format, page size and key by another page than a damaged first one", arguments: sealed)
  func firstPage(format: CipherFormat) throws {
    let (bytes, pageSize) = try FrozenDatabase.bytes(format)
    let found = try examine(bytes.flipping(300), format, key: passphrase())
    #expect(found.firstPage == .damaged)
    #expect(found.file.format == format)
    #expect(found.file.pageSize == pageSize)
    #expect(found.file.salt.bytes == Array(bytes.prefix(16)))
    #expect(found.file.header == nil)
  }

  @Test("goes on where the file is truncated, which opening it refuses")
  func truncated() throws {
    let (bytes, pageSize) = try FrozenDatabase.bytes(.format3)
    let cut = Array(bytes.dropLast(pageSize))
    #expect(try examine(cut, .format3, key: passphrase()).firstPage == .sound)
  }

  @Test("finds a damaged salt by the one that is known from elsewhere", arguments: sealed)
  func knownSalt(format: CipherFormat) throws {
    let bytes = try FrozenDatabase.bytes(format).bytes
    let salt = try #require(FileSalt(bytes.prefix(16)))
    let damaged = [UInt8](repeating: 7, count: 16) + bytes.dropFirst(16)
    let given = try rawKey(bytes, format).1
    let found = try examine(damaged, format, key: given)
    #expect(found.firstPage == .damagedSalt(isRestSound: true))
    #expect(found.file.salt == salt)
    let worse = try examine(damaged.flipping(300), format, key: given)
    #expect(worse.firstPage == .damagedSalt(isRestSound: false))
  }

  @Test("with a raw key finds a salt of which one byte is damaged", arguments: sealed, [0, 9, 15])
  func misspeltSalt(format: CipherFormat, position: Int) throws {
    let bytes = try FrozenDatabase.bytes(format).bytes
    let found = try examine(bytes.flipping(position), format, key: rawKey(bytes, format).0)
    #expect(found.firstPage == .damagedSalt(isRestSound: true))
    #expect(found.file.salt.bytes == Array(bytes.prefix(16)))
  }

  @Test("says of a key that opens nothing what opening the file says")
  func wrongKey() throws {
    let bytes = try FrozenDatabase.bytes(.format4).bytes
    let error = #expect(throws: KeyError.self) {
      _ = try examine(
        bytes, .format4, key: VaultKey.raw([UInt8](repeating: 9, count: 32)).resolve())
    }
    #expect(error?.code == .wrongKey)
    let damaged = #expect(throws: KeyError.self) {
      _ = try examine(bytes.flipping(3), .format4, key: passphrase())
    }
    #expect(damaged?.code == .wrongKey)
  }
}
