import ObjectVaultKeys
import TestSupport
import Testing

@Suite("Why a file does not open is told apart")
struct FailureRecognitionTests {
  private func failure(
    _ bytes: [UInt8], key: VaultKey = .passphrase(CipherShell.passphrase),
    hasJournal: Bool = false, formats: [CipherFormat] = [.format3, .format2, .format1]
  ) -> KeyError? {
    var recogniser = FormatRecogniser(formats: formats)
    do {
      _ = try recogniser.recognise(bytes, key: key, hasJournal: hasJournal)
      return nil
    } catch {
      return error as? KeyError
    }
  }

  @Test("an empty file")
  func empty() {
    let error = failure([])
    #expect(error?.code == .empty)
    #expect(
      error?.message
        == "'school.vault' is empty. Remove it, or create a new vault in its place.")
  }

  @Test("a plain SQLite database, whole or cut", arguments: [3072, 512, 100, 16])
  func plain(count: Int) throws {
    let error = failure(Array(try FrozenDatabase.bytes("plain.db").prefix(count)))
    #expect(error?.code == .notEncrypted)
    #expect(
      error?.message
        == "'school.vault' is an unencrypted SQLite database. Open it without a key, or encrypt it "
        + "into a vault first.")
  }

  @Test("a file shorter than any page", arguments: [1, 15, 16, 100, 511])
  func tooShort(count: Int) throws {
    let error = failure(Array(try FrozenDatabase.bytes(.format3).bytes.prefix(count)))
    #expect(error?.code == .truncated)
    #expect(error?.message.hasPrefix("'school.vault' has only \(count) bytes") == true)
  }

  @Test("a wrong key, of any form", arguments: CipherFormat.allCases)
  func wrongKey(format: CipherFormat) throws {
    let bytes = try FrozenDatabase.bytes(format).bytes
    for (key, kind) in [
      (VaultKey.passphrase("open sesamE"), "passphrase"),
      (.passphrase("open sesame "), "passphrase"),
      (.raw(Array(1...32)), "raw key"), (.raw(Array(1...48)), "raw key"),
    ] {
      let error = failure(bytes, key: key, formats: [format])
      #expect(error?.code == .wrongKey)
      #expect(error?.message.hasPrefix("The \(kind) does not open 'school.vault'") == true)
      #expect(error?.message.contains("sesam") == false)
    }
  }

  @Test("a file cut at or within a page", arguments: CipherFormat.allCases)
  func truncated(format: CipherFormat) throws {
    let (bytes, pageSize) = try FrozenDatabase.bytes(format)
    for count in [pageSize, pageSize + 1, 2 * pageSize, bytes.count - pageSize, bytes.count - 1] {
      let error = failure(Array(bytes.prefix(count)), formats: [format])
      #expect(error?.code == .truncated, "\(count) bytes")
      #expect(
        error?.message
          == "'school.vault' is truncated: it should have \(bytes.count / pageSize) pages of "
          + "\(pageSize) bytes but has \(count) bytes. Restore it from a backup, or salvage what "
          + "is left.")
    }
  }

  @Test("a file cut within its first page, where its length shows it")
  func truncatedInFirstPage() throws {
    let bytes = try FrozenDatabase.bytes(.format3).bytes
    let error = failure(Array(bytes.prefix(1000)))
    #expect(error?.code == .truncated)
    #expect(
      error?.message.hasPrefix("'school.vault' has 1000 bytes, which is not a multiple of") == true)
  }

  @Test("a file cut within its first page at a multiple of 512, where the key shows it")
  func truncatedAt512() throws {
    let bytes = Array(try FrozenDatabase.bytes(.format3).bytes.prefix(512))
    #expect(failure(bytes)?.code == .damaged)
    #expect(failure(bytes, key: .passphrase("other"))?.code == .wrongKey)
  }

  @Test("a file that is short because its pages are still in the log is none of these")
  func shortBesideItsJournal() throws {
    let (bytes, pageSize) = try FrozenDatabase.bytes(.format3)
    #expect(failure(Array(bytes.prefix(2 * pageSize)), hasJournal: true) == nil)
    #expect(failure(Array(bytes.prefix(2 * pageSize)), hasJournal: false)?.code == .truncated)
  }

  @Test("bytes after the last page do no harm", arguments: [1, 511, 1024])
  func trailingBytes(count: Int) throws {
    let bytes = try FrozenDatabase.bytes(.format3).bytes
    #expect(failure(bytes + [UInt8](repeating: 0xaa, count: count)) == nil)
  }

  @Test(
    "a damaged first page under the right key",
    arguments: [CipherFormat.format2, .format3, .format4],
    [16, 70, 200, 1023 - 79])
  func damagedFirstPage(format: CipherFormat, offset: Int) throws {
    let bytes = try FrozenDatabase.bytes(format).bytes
    let error = failure(bytes.flipping(offset), formats: [format])
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("The key is correct, but page 1 of 'school.vault'") == true)
    let other = failure(bytes.flipping(offset), key: .passphrase("other"), formats: [format])
    #expect(other?.code == .wrongKey)
  }

  @Test("no failure is a first page that was being written, beside what mends it")
  func halfWrittenFirstPage() throws {
    let bytes = try FrozenDatabase.bytes(.format3).bytes
    var recogniser = FormatRecogniser(formats: [.format3])
    let whole = try recogniser.recognise(bytes, hasJournal: true)
    let found = try recogniser.recognise(bytes.flipping(1000), hasJournal: true)
    #expect(whole.isFirstPageSealed && !found.isFirstPageSealed)
    #expect(found.pageSize == whole.pageSize && found.rawKey.isEqual(to: whole.rawKey))
    // What was never written under the key is not mended.
    #expect(failure(bytes.flipping(1000), key: .passphrase("other"), hasJournal: true) != nil)
  }

  @Test("a damaged first page when most other pages are damaged too")
  func damagedAlmostEverywhere() throws {
    var bytes = try FrozenDatabase.bytes(.format3).bytes
    for page in 0..<4 { bytes = bytes.flipping(page * 1024 + 70) }
    #expect(failure(bytes)?.code == .damaged)
    // With the last page gone as well nothing tells the key from a wrong one.
    #expect(failure(bytes.flipping(4 * 1024 + 70))?.code == .wrongKey)
  }

  @Test("a damaged first page when one of sixteen others is whole", arguments: 1...16)
  func oneWholePage(whole: Int) throws {
    let folder = try TemporaryFolder()
    let file = try CipherShell.database(.format2, pageSize: 1024, rows: 200, in: folder)
    try #require(file.count >= 17 * 1024)
    var bytes = Array(file.prefix(17 * 1024))
    for page in 0..<17 where page != whole { bytes = bytes.flipping(page * 1024 + 70) }
    #expect(failure(bytes, formats: [.format2])?.code == .damaged)
  }

  @Test("a damaged first page that is the only one, as long as its header decrypts")
  func damagedOnlyPage() throws {
    let bytes = Array(try FrozenDatabase.bytes(.format3).bytes.prefix(1024))
    let error = failure(bytes.flipping(500))
    #expect(error?.code == .damaged)
    #expect(
      error?.message.contains("The page or the salt in its first 16 bytes is damaged") == true)
  }

  @Test("a damaged first page without seals, as long as its header decrypts")
  func damagedUnsealed() throws {
    let bytes = try FrozenDatabase.bytes(.format1).bytes
    #expect(failure(bytes.flipping(16))?.code == .damaged)
    #expect(failure(bytes.flipping(496))?.code == .damaged)
  }

  @Test("damage after the first page is no business of opening")
  func damagedLaterPage() throws {
    #expect(failure(try FrozenDatabase.bytes(.format3).bytes.flipping(1500)) == nil)
  }

  @Test("a damaged salt looks like a wrong passphrase, and the detail of the error names it")
  func damagedSaltUnderPassphrase() throws {
    let error = failure(try FrozenDatabase.bytes(.format3).bytes.flipping(3))
    #expect(error?.code == .wrongKey)
    #expect(error?.detail?.contains("A damaged salt (the first 16 bytes)") == true)
  }

  /// A file of the shell under a raw key, with its salt.
  private func rawFile() throws -> (bytes: [UInt8], key: [UInt8], salt: [UInt8]) {
    let folder = try TemporaryFolder()
    let key = (0..<32).map { UInt8($0 * 7) }
    let digits = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let bytes = try CipherShell.database(
      .format3, pageSize: 1024, key: "\"x'\(digits)'\"", in: folder)
    return (bytes, key, Array(bytes.prefix(16)))
  }

  @Test("a raw key opens alone and with the file's salt, and names a salt that is not the file's")
  func rawKeySalt() throws {
    let (bytes, key, salt) = try rawFile()
    #expect(failure(bytes, key: .raw(key)) == nil)
    #expect(failure(bytes, key: .raw(key + salt)) == nil)
    let error = failure(bytes, key: .raw(key + salt.reversed()))
    #expect(error?.code == .saltMismatch)
    #expect(
      error?.message
        == "The raw key opens 'school.vault', but the salt passed with it (the last 16 of 48 "
        + "bytes) is not the file's. Pass only the 32 bytes of the key, or the correct salt.")
  }

  @Test("a damaged salt under a raw key is told from a wrong key, with the salt and without")
  func damagedSaltUnderRawKey() throws {
    let (bytes, key, salt) = try rawFile()
    let withSalt = failure(bytes.flipping(0), key: .raw(key + salt))
    #expect(withSalt?.code == .damaged)
    #expect(withSalt?.message.contains("the salt that belongs to the key") == true)
    #expect(failure(bytes.flipping(0), key: .raw(key))?.code == .damaged)
    #expect(failure(bytes.flipping(0), key: .raw(key.reversed()))?.code == .wrongKey)
  }

  @Test("a raw key of format 4 is recognised by every engine's order")
  func newerFormat() throws {
    let bytes = try FrozenDatabase.bytes(.format4).bytes
    var first = FormatRecogniser(formats: [.format4])
    let rawKey = try first.recognise(bytes).rawKey.withUnsafeBytes { Array($0) }
    var recogniser = FormatRecogniser(formats: [.format3, .format4, .format2, .format1])
    #expect(try recogniser.recognise(bytes, key: .raw(rawKey)).format == .format4)
  }
}
