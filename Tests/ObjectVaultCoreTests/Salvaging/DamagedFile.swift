import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

import ObjectVaultFile

/// A file of some 500 pages with a table of every kind, to be damaged one page at a time.
final class SalvageSample: Sendable {
  static let key = VaultKey.raw([UInt8](repeating: 0x5a, count: 32))

  let bytes: Data
  let pageSize: Int
  /// What each row is, by table and by rowid or key.
  let rows: [String: [String: String]]
  /// The rows of which something stands on a page: table and rowid or key.
  let rowsOnPage: [UInt32: [SampleRow]]
  /// What each page is.
  let kinds: [UInt32: Kind]
  /// Whose it is.
  let owners: [UInt32: PageOwner]

  struct SampleRow: Hashable, Sendable {
    var table: String
    var id: String
  }

  enum Kind: String, Hashable, CaseIterable {
    case first, tableInterior, tableLeaf, indexInterior, indexLeaf, keyedInterior, keyedLeaf
    case overflow, free
  }

  init(_ cipherFormat: VaultConfiguration.CipherFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sample.vault")
    try Self.make(path, cipherFormat)
    bytes = try ObjectVaultCoreTests.bytes(path)
    rows = try Self.rows(path)
    let pages = try storedPages(path, Self.key)
    pageSize = pages.pageSize
    let owners = try PageOwners(pages)
    var known: [UInt32: PageOwner] = [:]
    var kinds: [UInt32: Kind] = [:]
    var rowsOnPage: [UInt32: [SampleRow]] = [:]
    let keyed = Set(owners.schema.entries.filter(\.isWithoutRowID).map(\.name))
    for number in 1...pages.count {
      let owner = owners.owner(of: number)
      known[number] = owner
      guard number > 1, owner != .freeSpace, let page = try pages.tree(number),
        page.fills(pages.usableSize)
      else {
        kinds[number] = number == 1 ? .first : owner == .freeSpace ? .free : .overflow
        continue
      }
      guard case .objects(let title) = owner else {
        kinds[number] = page.kind.isInterior ? .indexInterior : .indexLeaf
        continue
      }
      kinds[number] =
        switch (page.kind.isInterior, keyed.contains(title)) {
        case (true, true): .keyedInterior
        case (true, false): .tableInterior
        case (false, true): .keyedLeaf
        case (false, false): .tableLeaf
        }
      for cell in page.cells {
        guard let payload = cell.payload else { continue }
        let record = try #require(try pages.record(of: payload, on: page).record)
        let id = cell.rowID.map(String.init) ?? "\(record.values[0])"
        let row = SampleRow(table: title, id: id)
        for place in [number] + (try pages.overflow(of: payload)) {
          rowsOnPage[place, default: []].append(row)
        }
      }
    }
    self.owners = known
    self.kinds = kinds
    self.rowsOnPage = rowsOnPage
  }

  private static func make(
    _ path: String, _ cipherFormat: VaultConfiguration.CipherFormat
  ) throws {
    var configuration = VaultConfiguration()
    configuration.cipherFormat = cipherFormat
    let vault = try Vault(at: path, key: key, configuration: configuration)
    try vault.store(of: Person.self).insert(
      contentsOf: (0..<20000).map { Person(name: "person number \($0) of the sample", age: $0) })
    try vault.store(of: Person.self).where("age < 60").remove()
    try vault.store(of: MarkedObject.self).insert(
      contentsOf: (0..<300).map { MarkedObject("kept", number: $0) })
    try vault.store(of: Seat.self).insert(
      contentsOf: (0..<40).map { Seat(hall: "hall \($0 % 3)", number: $0, guest: nil) })
    vault.close()
    let (held, _) = try HeldFile.acquire(path, readOnly: true, creating: false)
    defer { held.release() }
    let encryption = try FileEncryption(
      examining: path, held: held, key: key.resolve(), recogniser: FormatRecogniser())
    let engine = try encryption.connect(path, .readWrite)
    // Some of it is what other programs make.
    try engine.execute(
      """
      CREATE TABLE word(word TEXT PRIMARY KEY NOT NULL, meaning TEXT) WITHOUT ROWID;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO word SELECT 'word ' || i, 'what word number ' || i || ' means' FROM n;
      CREATE TABLE picture(id INTEGER PRIMARY KEY, title TEXT NOT NULL, small BLOB, large BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO picture SELECT i, 'picture ' || i, randomblob(500), randomblob(i * 150) FROM n;
      CREATE TABLE gone(bytes BLOB);
      INSERT INTO gone SELECT randomblob(3000) FROM picture;
      DROP TABLE gone;
      CREATE VIEW titles AS SELECT title FROM picture;
      CREATE TRIGGER never AFTER INSERT ON word BEGIN DELETE FROM picture; END;
      CREATE INDEX by_meaning ON word(meaning);
      PRAGMA user_version = 42;
      """)
    try engine.close()
  }

  /// What a file holds, as the engine reads it.
  static func rows(_ path: String, _ key: VaultKey = key) throws -> [String: [String: String]] {
    let (held, _) = try HeldFile.acquire(path, readOnly: true, creating: false)
    defer { held.release() }
    let encryption = try FileEncryption(
      examining: path, held: held, key: key.resolve(), recogniser: FormatRecogniser())
    let engine = try encryption.connect(path, .readWrite)
    defer { try? engine.close() }
    var found: [String: [String: String]] = [:]
    let names = try engine.prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    while try names.step() {
      let name = names.row.text(at: 0) ?? ""
      let isKeyed = names.row.text(at: 1)?.hasSuffix("WITHOUT ROWID") == true
      let rows = try engine.prepare(
        isKeyed
          ? "SELECT * FROM \(SQL.quoted(name))" : "SELECT rowid, * FROM \(SQL.quoted(name))")
      var table: [String: String] = [:]
      while try rows.step() {
        let row = rows.row
        let values = (0..<row.columnCount).map { position -> String in
          switch row.storage(at: position) {
          case .null: "nil"
          case .integer: "\(row.integer(at: position))"
          case .real: "\(row.real(at: position))"
          case .text: "'\(row.text(at: position) ?? "")'"
          case .blob: row.withBytes(at: position) { "\(Data($0).hashValue) \($0.count)" }
          }
        }
        let id =
          isKeyed
          ? "\(RecordValue.text(Array((row.text(at: 0) ?? "").utf8)))" : values[0]
        table[id] = values.joined(separator: "|")
      }
      found[name] = table
    }
    return found
  }

  /// Writes the file with some bytes of a page changed.
  func write(damaging number: UInt32, at offset: Int, to path: String) throws {
    var damaged = bytes
    damaged[(Int(number) - 1) * pageSize + offset] ^= 0x11
    try ObjectVaultCoreTests.write(damaged, to: path)
  }
}
