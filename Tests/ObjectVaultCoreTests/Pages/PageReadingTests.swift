import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import ObjectVaultSession
import TestSupport
import Testing

@testable import ObjectVaultFile

/// The key of the frozen files that have a raw one.
private let frozenRawKey = VaultKey.raw(Array(1...32))

/// Damages a page with a part of a long value of a class, so that the value is lost.
///
/// - Parameters:
///   - className: The class.
///   - path: The path of a file with the key of the tests.
///   - isLast: Whether to choose the last such page instead of the first.
/// - Throws: The errors of reading and writing the file.
func damageLongValue(of className: String, in path: String, isLast: Bool = false) throws {
  let pages = try storedPages(path, .ofTests)
  let owners = try PageOwners(pages)
  let found = try (2...pages.count).filter { number in
    try owners.owner(of: number) == .objects(of: className)
      && pages.tree(number)?.fills(pages.usableSize) != true
  }
  let page = try #require(isLast ? found.last : found.first)
  var data = try bytes(path)
  data[(Int(page) - 1) * pages.pageSize + 777] ^= 1
  try write(data, to: path)
}

/// The pages of a file, as they are read without the engine.
func storedPages(
  _ path: String, _ key: VaultKey?, usesJournal: Bool = true
) throws -> StoredPages {
  let (held, _) = try HeldFile.acquire(path, readOnly: true, creating: false)
  defer { held.release() }
  let image = try held.read(at: 0, count: held.size)
  var recogniser = FormatRecogniser(formats: [.format4, .format3, .format2, .format1])
  recogniser.namesUnauthenticated = true
  let encryption = try FileEncryption(
    examining: path, held: held, key: key?.resolve(), recogniser: recogniser)
  return try StoredPages(
    fileSize: image.count, pageSize: encryption.pageSize,
    decryption: encryption.cipher.map(PageDecryption.init),
    overlay: PageOverlay(beside: path, pageSize: encryption.pageSize, usesJournal: usesJournal)
  ) { offset, count in Array(image.dropFirst(offset).prefix(count)) }
}

@Suite("Pages read without the engine")
struct PageReadingTests {
  struct Frozen: CustomStringConvertible, Sendable {
    var name: String
    var isRaw = false
    var isClear = false
    var description: String { name }
    var key: VaultKey? { isClear ? nil : isRaw ? frozenRawKey : .passphrase(passphrase) }
  }

  static let files = [
    Frozen(name: "format1-512.db"), Frozen(name: "format1-1024-by-4.db"),
    Frozen(name: "format2-1024.db"), Frozen(name: "format2-1024-by-4.db"),
    Frozen(name: "format3-1024.db"), Frozen(name: "format3-1024-by-4.db"),
    Frozen(name: "format3-32768-raw.db", isRaw: true), Frozen(name: "format4-1024.db"),
    Frozen(name: "format4-4096-by-4.6.1.db"), Frozen(name: "plain.db", isClear: true),
    Frozen(name: "shapes.db", isRaw: true),
  ]

  @Test("hold the rows that were stored, in every format and page size", arguments: files[..<10])
  func rows(file: Frozen) throws {
    let folder = try TemporaryFolder()
    let pages = try storedPages(fixture(file.name, in: folder), file.key)
    let schema = try StoredSchema(pages)
    #expect(schema.isWhole)
    let note = try #require(schema.entries.first { $0.name == "note" })
    var notes: [Int64: [RecordValue]] = [:]
    let scan = try TreeScan(pages: pages, root: note.root, isTable: true) {
      notes[try #require($0.rowID)] = $0.record?.values
    }
    #expect(scan.gaps.isEmpty)
    #expect(
      notes
        == Dictionary(
          uniqueKeysWithValues: (1...40).map {
            (Int64($0), [.null, .text(Array("note number \($0) of the fixture".utf8))])
          }))
    let pet = try #require(schema.entries.first { $0.name == "pet" })
    #expect(pet.isWithoutRowID)
    var pets: [[RecordValue]] = []
    _ = try TreeScan(pages: pages, root: pet.root, isTable: false) {
      pets.append($0.record?.values ?? [])
    }
    #expect(
      pets == [
        [.text(Array("Mia".utf8)), .integer(7)], [.text(Array("Rex".utf8)), .integer(3)],
      ])
  }

  @Test("all have an owner, and the list of tables is that of the engine", arguments: files)
  func owners(file: Frozen) throws {
    let folder = try TemporaryFolder()
    let path = try fixture(file.name, in: folder)
    let pages = try storedPages(path, file.key)
    let owners = try PageOwners(pages)
    #expect(owners.isWhole)
    #expect(owners.unreadable.isEmpty)
    for page in 1...pages.count {
      #expect(owners.isKnown(page), "page \(page)")
      // Every page but those of overflowing records is laid out to the byte.
      if let tree = try pages.tree(page) { #expect(tree.fills(pages.usableSize)) }
    }
  }

  @Test("may be full of the smallest entries, and claim no more of them than fit")
  func smallestEntries() throws {
    // Each row is a size, a rowid, and a record with one NULL: four bytes, and two that point to it.
    func page(_ count: Int) -> BTreePage? {
      var bytes = [UInt8](repeating: 0, count: 512)
      bytes[0] = 13
      (bytes[3], bytes[4]) = (UInt8(count >> 8), UInt8(count & 0xFF))
      let content = 512 - 4 * count
      (bytes[5], bytes[6]) = (UInt8(content >> 8), UInt8(content & 0xFF))
      for row in 0..<count {
        let (pointer, entry) = (8 + 2 * row, content + 4 * row)
        (bytes[pointer], bytes[pointer + 1]) = (UInt8(entry >> 8), UInt8(entry & 0xFF))
        bytes.replaceSubrange(entry..<entry + 4, with: [2, UInt8(row + 1), 2, 0])
      }
      return BTreePage(bytes, number: 2, usableSize: 512)
    }
    let full = try #require(page(84))
    #expect(full.cells.map(\.rowID) == (1...84).map { $0 })
    #expect(full.isWhole && full.fills(512))
    #expect(page(85) == nil)
  }

  @Test("of a write-ahead log are those of its last commit")
  func writeAheadLog() throws {
    let folder = try TemporaryFolder()
    let path = try fixture("hot-wal.db", in: folder)
    _ = try fixture("hot-wal.db-wal", in: folder)
    func pets(_ pages: StoredPages) throws -> Int {
      let pet = try #require(try StoredSchema(pages).entries.first { $0.name == "pet" })
      return try TreeScan(pages: pages, root: pet.root, isTable: false) { _ in }.rowCount
    }
    let pages = try storedPages(path, frozenRawKey)
    #expect(pages.overlay?.kind == .writeAheadLog)
    #expect(try pets(pages) == 3)
    try FileManager.default.removeItem(atPath: path + "-wal")
    #expect(try pets(try storedPages(path, frozenRawKey)) == 2)
  }

  @Test("that were being changed are those of the rollback journal")
  func rollbackJournal() throws {
    let folder = try TemporaryFolder()
    let path = try fixture("hot-journal.db", in: folder)
    _ = try fixture("hot-journal.db-journal", in: folder)
    let pages = try storedPages(path, frozenRawKey)
    #expect(pages.overlay?.kind == .rollbackJournal)
    let note = try #require(try StoredSchema(pages).entries.first { $0.name == "note" })
    var texts: Set<[UInt8]> = []
    _ = try TreeScan(pages: pages, root: note.root, isTable: true) {
      if case .text(let text) = $0.record?.values.last { texts.insert(text) }
    }
    #expect(texts == Set((1...40).map { Array("note number \($0) of the fixture".utf8) }))
  }

  @Test("with records that go on on other pages, in UTF-16, with a map of pointers and free pages")
  func unusual() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("unusual.db")
    let output = try CipherShell.run(
      path,
      [
        "PRAGMA key='\(passphrase)';", "PRAGMA auto_vacuum=INCREMENTAL;",
        "PRAGMA encoding='UTF-16be';", "CREATE TABLE big(id INTEGER PRIMARY KEY, body TEXT);",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<60) "
          + "INSERT INTO big SELECT i, replace(hex(zeroblob(i * 100)), '0', 'é') FROM n;",
        "CREATE INDEX by_body ON big(body);", "DELETE FROM big WHERE id BETWEEN 20 AND 40;",
      ])
    #expect(!output.contains("rror"), "\(output)")
    let pages = try storedPages(path, .passphrase(passphrase))
    #expect(pages.encoding == .utf16BigEndian)
    #expect(pages.header?.hasPointerMap == true)
    let owners = try PageOwners(pages)
    #expect((1...pages.count).allSatisfy { owners.isKnown($0) })
    #expect(owners.owner(of: 2) == .pointerMap)
    let known = (1...pages.count).map { owners.owner(of: $0) }
    #expect(Set(known).contains(.index("by_body", of: "big")))
    #expect(known.filter { $0 == .freeSpace }.count == pages.header.map { Int($0.freeCount) })
    var found: [Int64: String] = [:]
    _ = try TreeScan(
      pages: pages, root: try #require(owners.schema.entries.first).root, isTable: true
    ) {
      if case .text(let text) = $0.record?.values.last {
        found[try #require($0.rowID)] = pages.encoding.text(text)
      }
    }
    let ids = Array(1...19) + Array(41...60)
    #expect(
      found
        == Dictionary(
          uniqueKeysWithValues: ids.map {
            (Int64($0), String(repeating: "é", count: $0 * 200))
          }))
  }

  @Test("that hold anything at all stop nothing: no crash, no circle")
  func anyBytes() throws {
    var random = SeededGenerator(for: "pages of any bytes")
    let folder = try TemporaryFolder()
    let path = try fixture("plain.db", in: folder)
    let good = [UInt8](try bytes(path))
    for _ in 0..<randomRounds(400) {
      var bad = good
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        // The text that it begins with and the page size stay, or it is no database.
        let offset = Int.random(in: 18..<bad.count, using: &random)
        bad[offset] =
          random.oneIn(3)
          ? random.pick([0, 2, 5, 10, 13, 255]) : .random(in: 0...255, using: &random)
      }
      let image = bad
      let pages = try StoredPages(
        fileSize: image.count, pageSize: 512, decryption: nil, overlay: nil
      ) { offset, count in Array(image.dropFirst(offset).prefix(count)) }
      let owners = try PageOwners(pages)
      for page in 1...min(pages.count, 2000) {
        _ = owners.owner(of: page)
        guard let tree = try pages.tree(page) else { continue }
        _ = tree.fills(pages.usableSize)
        for payload in tree.cells.compactMap(\.payload) {
          _ = try pages.record(of: payload, on: tree)
        }
      }
    }
  }

  @Test("in a circle are read once for each page of the file")
  func circle() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("circle.db")
    try write(Data(circularFile), to: path)
    #expect(
      code {
        try DatabaseFile(at: path, key: nil).encrypt(with: frozenRawKey, to: folder.file("new.db"))
      } == .damaged)
    let pages = try storedPages(path, nil)
    let page = try #require(try pages.tree(1))
    let payload = try #require(page.cells.first?.payload)
    #expect(try pages.record(of: payload, on: page).overflow == [2, 2])
    #expect(try pages.overflow(of: payload) == [2, 2])
  }

  @Test("name an entry once, however many of their pointers lead to it")
  func repeatedEntries() throws {
    // Every byte is a size and a rowid: an entry of 102 bytes begins everywhere.
    func page(_ offsets: [Int]) throws -> BTreePage {
      var bytes = [UInt8](repeating: 100, count: 512)
      bytes[0] = 13
      (bytes[3], bytes[4]) = (0, UInt8(offsets.count))
      for (index, offset) in offsets.enumerated() {
        (bytes[8 + 2 * index], bytes[9 + 2 * index]) = (UInt8(offset >> 8), UInt8(offset & 0xFF))
      }
      return try #require(BTreePage(bytes, number: 2, usableSize: 512))
    }
    let repeated = try page(Array(repeating: 400, count: 80))
    #expect(repeated.cells.count == 1 && !repeated.isWhole)
    let overlapping = try page(Array(200..<280))
    #expect(overlapping.cells.count == 4 * 512 / 102 && !overlapping.isWhole)
    #expect(try page([200, 302, 404]).isWhole)
  }

  /// Returns the pages of a file whose rows have the same overflow page.
  private func overflowingPages(rows: Int) throws -> StoredPages {
    let image = overflowingFile(size: 489 + 4092, rows: rows)
    return try StoredPages(
      fileSize: image.count, pageSize: 4096, decryption: nil, overlay: nil
    ) { offset, count in Array(image.dropFirst(offset).prefix(count)) }
  }

  @Test("belong to one record of a tree each")
  func sharedOverflow() throws {
    let pages = try overflowingPages(rows: 2)
    var lost: [UInt32?] = []
    let scan = try TreeScan(pages: pages, root: 1, isTable: true) { row in
      lost.append(row.lostPage)
      #expect(row.record?.values.contains(.lost) == (row.lostPage != nil))
    }
    #expect(lost == [nil, 2] && scan.rowCount == 2)
  }

  @Test("are read no further once the operation is cancelled")
  func cancelled() throws {
    let pages = try overflowingPages(rows: 3)
    let operation = Cancellation()
    var rows = 0
    let found = code {
      try Cancellation.withCurrent(operation) {
        _ = try TreeScan(pages: pages, root: 1, isTable: true) { _ in
          rows += 1
          operation.cancel()
        }
      }
    }
    #expect(found == .cancelled)
    #expect(rows == 1)
  }

  @Test("have records of no more values than SQLite allows", arguments: [32_767, 32_768, 100_000])
  func valueCount(count: Int) {
    // The size of the header in three bytes, and a NULL for each further byte.
    let size = count + 3
    let number = [UInt8(size >> 14 | 0x80), UInt8(size >> 7 & 0x7F | 0x80), UInt8(size & 0x7F)]
    let bytes = number + [UInt8](repeating: 0, count: count)
    let record = RecordContent(bytes, of: bytes.count)
    #expect(record?.values.count == (count <= 32_767 ? count : nil))
  }

  @Test("that many entries refer to are read once and named once")
  func sharedRoots() throws {
    var file = [UInt8](repeating: 0, count: 2 * 512)
    func put(_ bytes: [UInt8], at offset: Int) {
      file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(Array("SQLite format 3\0".utf8), at: 0)
    put([2, 0, 1, 1, 0, 64, 32, 32, 0, 0, 0, 1, 0, 0, 0, 2], at: 16)
    (file[47], file[59], file[95]) = (4, 1, 1)
    put([13, 0, 0, 0, 8, 1, 128, 0], at: 100)
    // An index of an interior page, on which every entry has the same child.
    put([2, 0, 0, 0, 8, 1, 128, 0, 0, 0, 0, 9], at: 512)
    for index in 0..<8 {
      let entry = 384 + 16 * index
      put([UInt8(entry >> 8), UInt8(entry & 0xFF)], at: 108 + 2 * index)
      let name = UInt8(97 + index)
      put([14, UInt8(index + 1), 6, 23, 15, 15, 1, 0], at: entry)
      put(Array("index".utf8) + [name, 98, 2], at: entry + 8)
      put([UInt8(entry >> 8), UInt8(entry & 0xFF)], at: 524 + 2 * index)
      put([0, 0, 0, 9, 2, 2, 0], at: 512 + entry)
    }
    let image = file
    var reads = 0
    let pages = try StoredPages(
      fileSize: image.count, pageSize: 512, decryption: nil, overlay: nil
    ) { offset, count in
      reads += offset == 512 ? 1 : 0
      return Array(image.dropFirst(offset).prefix(count))
    }
    let owners = try PageOwners(pages)
    #expect(owners.schema.entries.count == 8 && owners.schema.isWhole)
    #expect(owners.unreadable.map(\.page) == [9])
    #expect(reads == 1)
  }

  /// A database of two pages whose list of tables has one definition of 2 GB: page 2 continues on
  /// page 2.
  private var circularFile: [UInt8] { overflowingFile(size: 489 + 500_000 * 4092, rows: 1) }

  /// Returns a database of two pages whose list of tables has definitions that continue on page 2,
  /// as does page 2.
  ///
  /// - Parameters:
  ///   - size: The size of each record: 489 bytes on page 1, and pages of 4092 bytes.
  ///   - rows: The number of definitions.
  /// - Returns: The contents of the file.
  private func overflowingFile(size: Int, rows: Int) -> [UInt8] {
    var file = [UInt8](repeating: 0, count: 2 * 4096)
    func put(_ bytes: [UInt8], at offset: Int) {
      file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    func number(_ value: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      for shift in [28, 21, 14, 7, 0] {
        bytes.append(UInt8(value >> shift & 0x7F) | (shift > 0 ? 0x80 : 0))
      }
      return bytes
    }
    put(Array("SQLite format 3\0".utf8), at: 0)
    // The page size, the versions, the number of changes, and the number of pages.
    put([0x10, 0, 1, 1, 0, 64, 32, 32, 0, 0, 0, 1, 0, 0, 0, 2], at: 16)
    (file[47], file[59], file[95]) = (4, 1, 1)
    // The header of a leaf, and the offsets of its entries.
    let content = 4096 - 499 * rows
    put([13, 0, 0, 0, UInt8(rows), UInt8(content >> 8), UInt8(content & 0xFF), 0], at: 100)
    for row in 0..<rows {
      let entry = content + 499 * row
      put([UInt8(entry >> 8), UInt8(entry & 0xFF)], at: 108 + 2 * row)
      put(number(size) + [UInt8(row + 1)], at: entry)
      // The types of the values: text, text, text, integer, text.
      put([10, 23, 15, 15, 1] + number(13 + 2 * (size - 18)), at: entry + 6)
      put(Array("tablett".utf8) + [1], at: entry + 16)
      put([0, 0, 0, 2], at: entry + 495)
    }
    put([0, 0, 0, 2], at: 4096)
    return file
  }

  @Test("that page 1 tells of are not looked for behind the end of the file")
  func claimedPages() throws {
    let folder = try TemporaryFolder()
    var image = [UInt8](try bytes(try fixture("plain.db", in: folder)))
    // The number of pages; and a list of tables that is elsewhere, on a page that there is not.
    image.replaceSubrange(28..<32, with: [0xFF, 0xFF, 0xFF, 0xF0])
    image[100] = 5
    image.replaceSubrange(103..<105, with: [0, 0])
    image.replaceSubrange(108..<112, with: [0x7F, 0xFF, 0xFF, 0xFF])
    let claiming = image
    let pages = try StoredPages(
      fileSize: claiming.count, pageSize: 512, decryption: nil, overlay: nil
    ) { offset, count in Array(claiming.dropFirst(offset).prefix(count)) }
    #expect(pages.count == 0xFFFF_FFF0)
    #expect(pages.presentCount == claiming.count / 512)
    let owners = try PageOwners(pages)
    #expect(!owners.isWhole && !owners.schema.isWhole)
  }
}

@Suite("A set of pages") struct PageSetTests {
  @Test("contains the pages of the file and those beyond its end, each once")
  func model() {
    var random = SeededGenerator(for: "sets of pages")
    var (set, model) = (PageSet(upTo: 500), Set<UInt32>())
    for _ in 0..<2000 {
      let page =
        Bool.random(using: &random)
        ? UInt32.random(in: 0...600, using: &random)
        : UInt32.random(in: 0...UInt32.max, using: &random)
      #expect(set.insert(page) == model.insert(page).inserted)
    }
    var found: [UInt32] = []
    set.forEach { found.append($0) }
    #expect(Set(found) == model && found.count == model.count)
    let present = found.prefix { $0 <= 500 }
    #expect(present.count == model.count { $0 <= 500 } && present.elementsEqual(present.sorted()))
  }
}
