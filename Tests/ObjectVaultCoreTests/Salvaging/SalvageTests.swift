import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

import ObjectVaultFile

@Suite("A salvage")
struct SalvageTests {
  private let folder: TemporaryFolder
  private let path: String
  private let new: String
  private let key = VaultKey.raw([UInt8](repeating: 7, count: 32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
    new = folder.file("new.vault")
  }

  private func made(_ count: Int = 3000, key: VaultKey? = nil) throws {
    let vault = try Vault(at: path, key: key ?? self.key)
    try vault.store(of: Person.self).insert(
      contentsOf: (1...count).map { Person(name: "number \($0)", age: $0) })
    try vault.store(of: Item.self).insert(
      contentsOf: (1...20).map { Item("code \($0)", price: 1) })
    vault.close()
  }

  private func salvaged(_ key: VaultKey? = nil, newKey: VaultKey? = nil) throws -> SalvageReport {
    try DatabaseFile(at: path, key: key ?? self.key).salvage(to: new, key: newKey)
  }

  private func change(_ body: (inout Data) -> Void) throws {
    var data = try bytes(path)
    body(&data)
    try write(data, to: path)
  }

  private func ages(_ key: VaultKey? = nil) throws -> Set<Int> {
    let vault = try Vault(at: new, key: key ?? self.key)
    defer { vault.close() }
    return Set(try vault.store(of: Person.self).all().map(\.age))
  }

  @Test(
    "reads a table without row IDs as such, whatever its definition has in comments",
    arguments: [
      "(k TEXT PRIMARY KEY, v) WITHOUT /* c */ ROWID",
      "(k TEXT PRIMARY KEY, v) WITHOUT -- c)\n ROWID", "(k TEXT PRIMARY KEY, v) without\u{0C}rowid",
      "(k TEXT PRIMARY KEY, v /* ) WITHOUT ROWID */)",
    ])
  func withoutRowIDs(definition: String) throws {
    let connection = try Connection.plain(path: path, mode: .create)
    try connection.execute(
      "CREATE TABLE keyed\(definition); INSERT INTO keyed VALUES('a', 1), ('b', 2);")
    try connection.close()
    let file = try DatabaseFile(at: path, key: nil)
    let check = try file.verify()
    #expect(check.isSound, "\(check)")
    let report = try file.salvage(to: new, key: key)
    #expect(report.tables.map(\.rowsRecovered) == [2] && report.notRestored == [])
  }

  @Test("of a truncated file gives back what is in the rest, and says what the rest was")
  func truncated() throws {
    try made()
    let size = try bytes(path).count
    try change { $0.removeLast(size / 2 / 4096 * 4096 + 1000) }
    let report = try salvaged()
    let people = try #require(report.tables.first { $0.name == "Person" })
    let ages = try ages()
    #expect(ages.count == people.rowsRecovered)
    #expect((500..<2500).contains(ages.count), "\(ages.count)")
    for age in 1...3000 {
      let isLost = people.lost.contains { rows in
        (rows.first ?? .min) <= age && age <= (rows.last ?? .max)
      }
      #expect(ages.contains(age) != isLost, "\(age)")
    }
    #expect(people.rowIDsAreObjectIDs)
  }

  @Test("finds the rows below a bad page that leads to them, with another bad page among them")
  func twoPages() throws {
    try made()
    let pages = try storedPages(path, key)
    let owners = try PageOwners(pages)
    let root = try #require(owners.schema.entries.first { $0.name == "Person" }).root
    let leaves = try #require(try pages.tree(root)).children
    let bad = leaves[5]
    var lost: Set<Int64> = []
    for cell in try #require(try pages.tree(bad)).cells { lost.insert(cell.rowID ?? 0) }
    try change { data in
      for page in [root, bad] { data[(Int(page) - 1) * 4096 + 77] ^= 1 }
    }
    let report = try salvaged()
    #expect(try ages() == Set((1...3000).filter { !lost.contains(Int64($0)) }))
    let people = try #require(report.tables.first { $0.name == "Person" })
    #expect(people.lost.map(\.page) == [Int(bad)])
    #expect(!people.isWhole)
  }

  @Test("keeps numbers from being given twice, version numbers, and the application's mark")
  func fields() throws {
    try made(50)
    let vault = try Vault(at: path, key: key)
    try vault.store(of: Person.self).remove(id: 50)
    vault.close()
    let report = try salvaged()
    #expect(report.isWhole, "\(report)")
    let made = try Vault(at: new, key: key)
    let person = try made.store(of: Person.self).insert(Person(name: "next"))
    #expect(person.objectID == 51)
    #expect(try made.classes().map(\.name) == ["Item", "Person"])
    #expect(try made.verify().isSound)
  }

  @Test("says where the numbers given last are lost, which may be given again then")
  func lostNumbers() throws {
    try made(50)
    let vault = try Vault(at: path, key: key)
    try vault.store(of: Person.self).remove(id: 50)
    vault.close()
    let owners = try PageOwners(storedPages(path, key))
    let numbers = try #require(owners.schema.entries.first { $0.name == "sqlite_sequence" })
    try change { $0[(Int(numbers.root) - 1) * 4096 + 9] ^= 1 }
    let report = try salvaged()
    let areWhole = report.tables.allSatisfy(\.isWhole)
    #expect(areWhole && !report.isWhole)
    let named = report.notRestored.map { $0.contains("may get the IDs of removed objects") }
    #expect(named == [true], "\(report.notRestored)")
    let made = try Vault(at: new, key: key)
    #expect(try made.store(of: Person.self).insert(Person(name: "next")).objectID == 50)
    #expect(try made.verify().isSound)
  }

  @Test("of a vault with a keyring has a keyring of its own with the same slots")
  func keyring() throws {
    let slot = SlotKey.raw([UInt8](repeating: 5, count: 32))
    try made(3000, key: .keyring(slot))
    let pageCount = try bytes(path).count / 4096
    try change { $0[(pageCount - 3) * 4096 + 9] ^= 1 }
    _ = try salvaged(.keyring(slot))
    #expect(try VaultKeyring(ofVaultAt: new).slots().map(\.name) == ["main"])
    let found = try ages(.keyring(slot))
    #expect(found.count > 2500 && found.count < 3000)
    #expect(try DatabaseFile(at: new, key: .keyring(slot)).verify().isSound)
    #expect(try bytes(path + ".keyring") != bytes(new + ".keyring"))
  }

  @Test(
    "with a new keyring opens with it, although the vault records later generations",
    arguments: [false, true])
  func newKeyring(isListLost: Bool) throws {
    let (slot, other) = (SlotKey.raw(1...32), SlotKey.raw(101...132))
    try made(100, key: .keyring(slot))
    for _ in 0..<5 { try DatabaseFile(at: path, key: .keyring(slot)).rotate() }
    if isListLost { try change { $0[500] ^= 1 } }
    _ = try salvaged(.keyring(slot), newKey: .keyring(other))
    let found = try ages(.keyring(other))
    #expect(isListLost || found.count == 100)
  }

  @Test("with its salt damaged too, where the keyring knows it")
  func keyringAndSalt() throws {
    let slot = SlotKey.raw([UInt8](repeating: 5, count: 32))
    try made(100, key: .keyring(slot))
    try change { data in for index in 0..<16 { data[index] = 1 } }
    let report = try salvaged(.keyring(slot))
    #expect(report.isWhole, "\(report)")
    #expect(try ages(.keyring(slot)).count == 100)
  }

  @Test("is encrypted under another key where one is given")
  func newKey() throws {
    try made(100)
    let other = VaultKey.passphrase("other words")
    _ = try salvaged(newKey: other)
    #expect(try ages(other).count == 100)
    #expect(code { _ = try ages(key) } == .wrongKey)
    #expect(try mode(new) == 0o600)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }

  @Test("never writes over a file, and leaves nothing when it is ended")
  func refusals() throws {
    try made(100)
    try write(Data("precious".utf8), to: new)
    #expect(code { _ = try salvaged() } == .invalidArgument)
    #expect(try bytes(new) == Data("precious".utf8))
    try FileManager.default.removeItem(atPath: new)
    let before = try contents(of: folder)
    struct Enough: Error {}
    for phase in RekeyProgress.Phase.allCases {
      #expect(throws: Enough.self) {
        try DatabaseFile(at: path, key: key).salvage(to: new) { report in
          if report.phase == phase { throw Enough() }
        }
      }
      #expect(try contents(of: folder) == before, "\(phase)")
    }
    #expect(code { _ = try salvaged(.raw([UInt8](repeating: 1, count: 32))) } == .wrongKey)
    let open = try Vault(at: path, key: key)
    try open.open()
    #expect(code { _ = try salvaged() } == .busy)
  }

  @Test("of another program's file with every shape of table loses a table's rows by one page only")
  func shapes() throws {
    let frozen = VaultKey.raw(Array(1...32))
    let source = try fixture("shapes.db", in: folder)
    let rows = try SalvageSample.rows(source, frozen)
    let sound = try bytes(source)
    let pages = try storedPages(source, frozen)
    let owners = try PageOwners(pages)
    for page in 1...Int(pages.count) {
      var data = sound
      data[(page - 1) * pages.pageSize + 100] ^= 1
      try write(data, to: path)
      let report: SalvageReport
      do {
        report = try DatabaseFile(at: path, key: frozen).salvage(to: new)
      } catch {
        Issue.record("page \(page): \(error)")
        continue
      }
      let found = try SalvageSample.rows(new, frozen)
      #expect(report.badPages.map(\.number) == [page])
      // Page 1 has some of the list of tables only: all are lost that are named on it alone.
      if page > 1 {
        guard case .objects(let damaged) = owners.owner(of: UInt32(page)) else {
          #expect(found == rows || owners.owner(of: UInt32(page)) == .schema, "page \(page)")
          try FileManager.default.removeItem(atPath: new)
          continue
        }
        for (table, rows) in rows
        // What a full-text table shows stands in others.
        where table != damaged && !(table == "search" && damaged.hasPrefix(table)) {
          #expect(found[table] == rows, "page \(page): \(table)")
        }
      } else {
        #expect(report.schema != .file)
        // Rows without a name are rows all the same.
        let count = found.values.reduce(0) { $0 + $1.count }
        #expect(count >= rows.values.reduce(0) { $0 + $1.count } - 5, "\(count)")
      }
      try FileManager.default.removeItem(atPath: new)
    }
  }

  @Test("leaves the locks of a vault that is opened in the last report")
  func openedInReport() throws {
    try made(10)
    let (new, key) = (new, key)
    var opened: Vault?
    _ = try DatabaseFile(at: path, key: key).salvage(to: new) { report in
      guard report.phase == .replacing, report.done == 1 else { return }
      opened = try Vault(at: new, key: key)
      try opened?.open()
    }
    let vault = try #require(opened)
    let other = try ChildProcess.run("file-hold", FileOperation.compact.rawValue, new, "locked")
    #expect(other.output == "not locked\n")
    vault.close()
  }

  @Test("of a table that is too wide for the engine's statements recovers the other tables")
  func wideTable() throws {
    let other = folder.file("foreign.db")
    let columns = (0..<1_500).map { "c\($0) DEFAULT \($0)" }.joined(separator: ", ")
    let output = try CipherShell.run(
      other,
      [
        "PRAGMA key='\(passphrase)';", "CREATE TABLE wide(\(columns));",
        "INSERT INTO wide DEFAULT VALUES;", "CREATE TABLE t(body);",
        "INSERT INTO t VALUES('kept');",
      ])
    #expect(!output.contains("rror"), "\(output)")
    let report = try DatabaseFile(at: other, key: .passphrase(passphrase)).salvage(to: new)
    let isTooWide = try Engine.prove().maxVariables < 1_500
    #expect(report.tables.map(\.table) == (isTooWide ? ["t"] : ["wide", "t"]))
    #expect(report.tables.allSatisfy { $0.rowsRecovered == 1 })
    #expect(report.notRestored.contains { $0.hasPrefix("table 'wide': ") } == isTooWide)
    #expect(report.isWhole == !isTooWide)
  }

  @Test("keeps text in UTF-16, the map of pointers, triggers, views and full-text tables")
  func settings() throws {
    let other = folder.file("foreign.db")
    let output = try CipherShell.run(
      other,
      [
        "PRAGMA key='\(passphrase)';", "PRAGMA auto_vacuum=FULL;", "PRAGMA encoding='UTF-16le';",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT UNIQUE);",
        "INSERT INTO t VALUES(1, 'héllo'), (7, 'wörld');",
        "CREATE VIRTUAL TABLE search USING fts4(body);",
        "INSERT INTO search VALUES('the quick brown fox');",
        "CREATE TRIGGER copied AFTER INSERT ON t BEGIN INSERT INTO search VALUES(new.body); END;",
        "CREATE VIEW bodies AS SELECT body FROM t;", "PRAGMA user_version=9;",
      ])
    #expect(!output.contains("rror"), "\(output)")
    let report = try DatabaseFile(at: other, key: .passphrase(passphrase)).salvage(to: new)
    #expect(report.isWhole, "\(report)")
    let answer = try CipherShell.run(
      new,
      [
        "PRAGMA key='\(passphrase)';",
        "PRAGMA cipher_page_size=\(report.cipher.pageSize);", "PRAGMA encoding;",
        "PRAGMA auto_vacuum;", "PRAGMA user_version;", "INSERT INTO t VALUES(8, 'new');",
        "SELECT group_concat(body) FROM bodies;",
        "SELECT group_concat(body) FROM search WHERE search MATCH 'fox OR new';",
      ])
    for line in ["UTF-16le", "1", "9", "héllo,wörld,new", "the quick brown fox,new"] {
      #expect(answer.split(separator: "\n").contains(Substring(line)), "\(answer)")
    }
  }
}
