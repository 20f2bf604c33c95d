import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Synchronization
import Testing
import TestSupport

import ObjectVaultFile

@Suite("The log of a vault's statements")
struct StatementLogTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private static let marker = "Xyzzy-MARKER-4711"
  private static let secret = "Plugh-SECRET-0815"

  @Test("has every statement, and no value, argument, default or key", .covers("A57"))
  func redacted() throws {
    let lines = Lines()
    let folder = try TemporaryFolder()
    var configuration = VaultConfiguration()
    configuration.statementLog = StatementLog { lines.add($0) }
    configuration.schema = VaultSchema(version: 2, classes: [])
      .creating { context in
        try context.execute("CREATE TABLE own (x DEFAULT '\(Self.marker)')")
        try context.execute(
          "INSERT INTO own VALUES ('\(Self.marker)'), (x'58797a7a79'), (4711.5e1)")
        try context.execute("INSERT INTO own VALUES (?)", Self.marker)
      }
    let vault = try Vault(
      at: folder.file("a.vault"), key: .passphrase(Self.secret), configuration: configuration)
    let store = try vault.store(of: MarkedObject.self)
    try store.insert(contentsOf: (0..<3).map { MarkedObject(Self.marker, number: $0) })
    #expect(try store.where("word CONTAINS %@ && text != %@", Self.marker, "4711").count() == 3)
    _ = try store.where("word == '\(Self.marker)'").all()
    _ = try store.find("\(Self.marker) id 1")
    try store.remove(id: "\(Self.marker) id 1")
    let described = ClassDescription(
      "Other", properties: [.init("name", String.self, defaultValue: Self.marker)])
    _ = try vault.store(of: described)
    try vault.rekey(to: .passphrase(Self.secret + "2"))
    #expect(try store.count() == 2)
    vault.close()
    let all = lines.all
    for text in ["Xyzzy", "MARKER", "4711", "58797a", "Plugh", "SECRET", "0815"] {
      #expect(!all.contains { $0.contains(text) }, "\(text)")
    }
    for expected in [
      "INSERT INTO own VALUES (?), (?), (?)", "INSERT INTO own VALUES (?)",
      "CREATE TABLE own (x DEFAULT ?)",
      "DELETE FROM \"MarkedObject\" WHERE \"MarkedObject\".\"id\" = ?1", "COMMIT",
    ] {
      #expect(all.contains(expected), "\(expected)")
    }
    #expect(
      all.contains { $0.hasPrefix("INSERT OR ABORT INTO \"MarkedObject\" (\"id\", \"word\"") })
    #expect(all.contains { $0.hasPrefix("PRAGMA ") })
  }

  @Test("is none where none is asked for, and each vault's own", .covers("A57"))
  func off() throws {
    let lines = Lines()
    let folder = try TemporaryFolder()
    var configuration = VaultConfiguration()
    configuration.statementLog = StatementLog { lines.add($0) }
    let silent = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
    let told = try Vault(
      at: folder.file("b.vault"), key: .raw(1...32), configuration: configuration)
    _ = try silent.store(of: MarkedObject.self).all()
    try silent.file().withWriter { #expect($0.engine.trace == nil) }
    #expect(lines.all == [])
    _ = try told.store(of: MarkedObject.self).all()
    #expect(!lines.all.isEmpty)
  }

  @Test(
    "takes literals out of whatever text, and names nothing else",
    arguments: [
      ("SELECT 1", "SELECT ?"), ("select -1.5e-3,.5 , 0x1F", "select - ?, ?, ?"),
      ("SELECT 'it''s' FROM \"it's\"", "SELECT ? FROM \"it's\""),
      (
        "SELECT ?1, ?2 FROM t WHERE a = ? AND b = :b",
        "SELECT ?1, ?2 FROM t WHERE a = ? AND b = : b"
      ),
      ("SELECT t.x FROM t -- secret", "SELECT t.x FROM t"),
      ("-- INSERT INTO t VALUES ('a')", "-- INSERT INTO t VALUES (?)"),
      ("SELECT /* secret */ X'00', x1", "SELECT ?, x1"), ("SELECT 'unclosed", "SELECT ?"),
      ("", ""), ("VACUUM;", "VACUUM;"),
    ])
  func texts(_ sql: String, _ expected: String) {
    #expect(StatementLog.redacted(sql) == expected)
  }
}
