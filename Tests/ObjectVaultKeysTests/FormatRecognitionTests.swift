import Foundation
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("Recognising a file's cipher format")
struct FormatRecognitionTests {
  @Test(
    "finds format and page size of files frozen from other programs",
    arguments: CipherFormat.allCases)
  func frozenFiles(format: CipherFormat) throws {
    let (bytes, pageSize) = try FrozenDatabase.bytes(format)
    var recogniser = FormatRecogniser(naming: format)
    let found = try recogniser.recognise(bytes)
    #expect(found.format == format)
    #expect(found.pageSize == pageSize)
    #expect(found.salt == FileSalt(bytes.prefix(16)))
    #expect(found.header?.pageCount == UInt32(bytes.count / pageSize))
    #expect(found.header?.reservedCount == format.reservedCount)
  }

  @Test(
    "finds the older formats of files that SQLCipher 4 made, which reserve more than they use",
    arguments: [CipherFormat.format1, .format2, .format3])
  func olderFormatsBySQLCipher4(format: CipherFormat) throws {
    let bytes = try FrozenDatabase.bytes("format\(format.rawValue)-1024-by-4.db")
    var recogniser = FormatRecogniser(naming: format)
    let found = try recogniser.recognise(bytes)
    #expect(found.format == format)
    #expect(found.header?.pageCount == UInt32(bytes.count / 1024))
    #expect(found.header?.reservedCount == 80)
  }

  // Pages of 512 bytes are left to the frozen file: seals, and what SQLCipher 4 reserves in any
  // format, leave less of them than SQLite needs, so no engine reads such a file.
  static let shellGrid = [CipherFormat.format1, .format2, .format3].flatMap { format in
    CipherFormat.pageSizes.filter { $0 > 512 }.map { (format, $0) }
  }

  @Test("finds every format and page size that the shell writes", arguments: shellGrid)
  func shellFiles(format: CipherFormat, pageSize: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = try CipherShell.database(format, pageSize: pageSize, rows: 8, in: folder)
    var recogniser = FormatRecogniser(formats: [.format3, .format2, .format1])
    // SQLCipher 4 leaves room for authentication codes in a file of format 1.
    recogniser.namesUnauthenticated = true
    let found = try recogniser.recognise(bytes)
    #expect(found.format == format)
    #expect(found.pageSize == pageSize)
    #expect(found.header?.pageCount == UInt32(bytes.count / pageSize))
  }

  @Test("gives a key specification with which the shell opens the file")
  func specificationOpens() throws {
    let folder = try TemporaryFolder()
    let bytes = try CipherShell.database(.format3, pageSize: 4096, in: folder)
    let path = try folder.write(bytes, to: "copy.db")
    var recogniser = FormatRecogniser(formats: [.format3])
    let found = try recogniser.recognise(bytes)
    let specification = found.rawKey.withSecret {
      KeyDerivation.specification(key: $0, salt: found.salt)
    }
    let text = specification.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let output = try CipherShell.run(
      path,
      ["PRAGMA key=\"\(text)\";"] + CipherShell.settings(.format3, pageSize: 4096)
        + ["SELECT 'rows: ' || count(*) FROM note;"])
    #expect(output.contains("rows: 40"))
  }

  @Test("costs one derivation for the first format, whatever the page size")
  func oneDerivation() throws {
    for (format, order) in [
      (CipherFormat.format4, [CipherFormat.format4, .format3, .format2, .format1]),
      (.format3, [.format3, .format4, .format2, .format1]),
      (.format1, [.format2, .format1]),
    ] {
      var recogniser = FormatRecogniser(formats: order)
      _ = try recogniser.recognise(FrozenDatabase.bytes(format).bytes)
      #expect(recogniser.derivationCount == 1)
    }
  }

  @Test("costs one derivation for each way of deriving at most, and none with a raw key")
  func fewDerivations() throws {
    let bytes = try FrozenDatabase.bytes(.format3).bytes
    var recogniser = FormatRecogniser()
    #expect(throws: KeyError.self) { try recogniser.recognise(bytes, key: .passphrase("other")) }
    #expect(recogniser.derivationCount == 3)
    var rawRecogniser = FormatRecogniser()
    #expect(throws: KeyError.self) {
      try rawRecogniser.recognise(bytes, key: .raw(Array(1...32)))
    }
    #expect(rawRecogniser.derivationCount == 0)
  }

  @Test("takes other rounds of derivation when told them, and fails without")
  func ownRounds() throws {
    let folder = try TemporaryFolder()
    let bytes = try CipherShell.database(
      .format3, pageSize: 1024, extra: ["PRAGMA kdf_iter=1234;"], in: folder)
    var told = FormatRecogniser(formats: [.format3], rounds: 1234)
    #expect(try told.recognise(bytes).format == .format3)
    var untold = FormatRecogniser(formats: [.format3])
    let error = #expect(throws: KeyError.self) { try untold.recognise(bytes) }
    #expect(error?.code == .wrongKey)
  }

  @Test("tries only the page size and formats it is given")
  func fixedSettings() throws {
    let bytes = try FrozenDatabase.bytes(.format2).bytes
    var right = FormatRecogniser(formats: [.format2], pageSize: 1024)
    #expect(try right.recognise(bytes).pageSize == 1024)
    var otherSize = FormatRecogniser(formats: [.format2], pageSize: 4096)
    #expect(throws: KeyError.self) { try otherSize.recognise(bytes) }
    var otherFormat = FormatRecogniser(formats: [.format3], pageSize: 1024)
    #expect(throws: KeyError.self) { try otherFormat.recognise(bytes) }
  }

  @Test("refuses a page size that SQLite does not have", arguments: [0, -1, 1000, 256, 131_072])
  func refusesPageSize(pageSize: Int) throws {
    var recogniser = FormatRecogniser(pageSize: pageSize)
    let error = #expect(throws: KeyError.self) { try recogniser.recognise([1, 2, 3]) }
    #expect(error?.code == .invalidSetting)
    #expect(error?.message.contains("\(pageSize) bytes is not a page size") == true)
  }

  @Test("passes on what the reader throws")
  func readerErrors() throws {
    struct DiskGone: Error {}
    var recogniser = FormatRecogniser()
    let key = try VaultKey.passphrase("k").resolve()
    #expect(throws: DiskGone.self) {
      try recogniser.recognise(file: "f", size: 4096, key: key) { _, _ in throw DiskGone() }
    }
  }

  @Test("survives any bytes with an error", arguments: [512, 1024, 4096, 5000, 65536, 70_000])
  func randomBytes(count: Int) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var state = seed
    let bytes = (0..<count).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    var recogniser = FormatRecogniser(rounds: 1)
    let error = #expect(throws: KeyError.self, "seed \(seed)") { try recogniser.recognise(bytes) }
    #expect(error?.code == (count.isMultiple(of: 512) ? .wrongKey : .truncated), "seed \(seed)")
  }
}
