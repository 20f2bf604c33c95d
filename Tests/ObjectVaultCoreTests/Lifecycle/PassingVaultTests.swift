import Foundation
import ObjectVaultCore
import Testing
import TestSupport

@Suite("Vaults that end with the program", .covers("P8"), .cheapSlots) struct PassingVaultTests {
  /// Both kinds: in memory, and in a temporary file.
  private static let kinds: [@Sendable (VaultConfiguration) throws -> Vault] = [
    { try Vault.inMemory(configuration: $0) }, { try Vault.temporary(configuration: $0) },
  ]

  @Test("keep objects, with everything that stores do", arguments: 0..<2)
  func objects(kind: Int) throws {
    let vault = try Self.kinds[kind](VaultConfiguration())
    #expect(vault.isInMemory == (kind == 0) && vault.isTemporary == (kind == 1))
    let people = try vault.store(of: Person.self)
    let li = try people.insert(Person(name: "Li", age: 20))
    try people.insert(contentsOf: [Person(name: "Bo", age: 7), Person(name: "Al", age: 40)])
    #expect(try people.where("age >= 18").sorted(by: "name").all().map(\.name) == ["Al", "Li"])
    #expect(try people.find(#require(li.objectID))?.name == "Li")
    #expect(try vault.rows("SELECT max(age) FROM \(Person.self)").first?[0] == .integer(40))
    #expect(try vault.execute("UPDATE \(Person.self) SET age = age + \(1)") == 3)
    #expect(
      try people.objects("SELECT * FROM \(Person.self) WHERE age = \(8)").map(\.name) == ["Bo"])
    #expect(throws: Stop.self) {
      try vault.transaction {
        try people.where("age > 0").remove()
        #expect(try people.count() == 0)
        do { try vault.transaction { throw Stop() } } catch is Stop {}
        throw Stop()
      }
    }
    #expect(try people.count() == 3)
    #expect(try vault.read { try people.count() + people.count() } == 6)
    let pages = try vault.store(of: SeaPage.self)
    try pages.insert(contentsOf: SeaPage.samples)
    #expect(try pages.search("whale").all().map(\.number) == [2])
    try vault.removeStore(of: SeaPage.self)
    #expect(try vault.store(of: SeaPage.self).count() == 0)
    #expect(try vault.commitCount() == 1)
    try people.insert(Person(name: "Jo"))
    _ = try people.count()
    #expect(try vault.commitCount() == 2)
  }

  private struct Stop: Error {}

  @Test("see no transaction of another thread before its end", arguments: 0..<2)
  func isolation(kind: Int) async throws {
    let vault = try Self.kinds[kind](VaultConfiguration())
    let people = try await vault.store(of: Person.self)
    try await people.insert(Person(name: "Li"))
    let counts = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<2 {
        group.addTask {
          try await onOwnThread {
            for _ in 0..<40 {
              try vault.transaction {
                let one = try people.insert(Person(name: "one"))
                try people.insert(Person(name: "two"))
                if one.objectID?.isMultiple(of: 3) == true {
                  try people.where("name == 'two'").remove()
                }
                try people.where("name != 'Li'").remove()
              }
            }
            return []
          }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          try await onOwnThread { try (0..<100).map { _ in try people.count() } }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(counts.count == 400)
    #expect(Set(counts) == [1])
  }

  @Test("stream what was there at the beginning", arguments: 0..<2)
  func streams(kind: Int) async throws {
    let vault = try Self.kinds[kind](VaultConfiguration())
    let people = try await vault.store(of: Person.self)
    try await people.insert(contentsOf: (1...20).map { Person(name: "n", age: $0) })
    var ages: [Int] = []
    for try await person in try people.where("age > 0").stream(batchSize: 3) {
      ages.append(person.age)
      if ages.count == 1 { try await onOwnThread { try people.where("age > 1").remove() } }
    }
    #expect(ages == Array(1...20))
    #expect(try await people.count() == 1)
    var values: [StoredValue?] = []
    for try await row in try vault.stream("SELECT age FROM \(Person.self)", batchSize: 1) {
      values.append(row[0])
      try await people.insert(Person(name: "late"))
      _ = try await vault.store(of: Item.self)
    }
    #expect(values == [.integer(1)])
  }

  @Test("tell observers of changes", arguments: 0..<2)
  func observing(kind: Int) async throws {
    let vault = try Self.kinds[kind](VaultConfiguration())
    let people = try await vault.store(of: Person.self)
    var results = people.where("age >= 18").observe().makeAsyncIterator()
    #expect(try await results.next()?.count == 0)
    try await people.insert(Person(name: "Li", age: 20))
    #expect(try await results.next()?.map(\.name) == ["Li"])
  }

  @Test("bring classes to a new form", arguments: 0..<2)
  func upgrading(kind: Int) throws {
    let vault = try Self.kinds[kind](VaultConfiguration())
    let old = ClassDescription("Thing", properties: [PropertyDescription("size", String.self)])
    let new = ClassDescription(
      "Thing",
      properties: [
        PropertyDescription("size", Int.self), PropertyDescription("note", String?.self),
      ])
    var thing = try DynamicObject(of: old)
    try thing.set("size", to: .text("7"))
    try vault.store(of: old).insert(thing)
    let rehearsal = try vault.rehearseMigration(of: [new])
    #expect(rehearsal.refusal == nil && rehearsal.schemaBefore != rehearsal.schemaAfter)
    #expect(try vault.store(of: new).count() == 1)
    #expect(try vault.rows("SELECT size FROM Thing").map(\.values) == [[.integer(7)]])
  }

  @Test("are apart from one another", arguments: 0..<2)
  func apart(kind: Int) throws {
    let first = try Self.kinds[kind](VaultConfiguration())
    let second = try Self.kinds[kind](VaultConfiguration())
    try first.store(of: Person.self).insert(Person(name: "Li"))
    #expect(first.path != second.path)
    #expect(try second.store(of: Person.self).count() == 0)
  }

  @Test("are kept in an encrypted file by a backup", arguments: 0..<2)
  func backup(kind: Int) throws {
    let folder = try TemporaryFolder()
    let vault = try Self.kinds[kind](VaultConfiguration())
    let people = try vault.store(of: Person.self)
    try people.insert(Person(name: "a marker of plaintext"))
    let pages = try vault.store(of: SeaPage.self)
    try pages.insert(contentsOf: SeaPage.samples)
    #expect(code { try vault.backup(to: folder.file("k")) } == .noKey)
    let inside = code {
      _ = try vault.transaction { try vault.backup(to: folder.file("k"), key: .passphrase("p")) }
    }
    #expect(inside == (kind == 0 ? .invalidArgument : nil))
    try? FileManager.default.removeItem(atPath: folder.file("k"))
    let facts = try vault.backup(to: folder.file("kept.vault"), key: .passphrase("p"))
    #expect(facts.pageSize == 4096)
    #expect(try FileScan.filesHolding("a marker of plaintext", in: folder.path) == [])
    let kept = try Vault(at: folder.file("kept.vault"), key: .passphrase("p"))
    #expect(try kept.store(of: Person.self).all().map(\.name) == ["a marker of plaintext"])
    #expect(try kept.store(of: SeaPage.self).search("whale").all().map(\.number) == [2])
    #expect(try kept.verify().isSound)
    let other = try Vault(at: folder.file("ring.vault"), key: .keyring(.passphrase("q")))
    _ = try vault.backup(to: other.path, key: .keyring(.passphrase("q")))
    #expect(try other.store(of: Person.self).count() == 1)
  }

  @Test("refuse settings that mean nothing for them", arguments: 0..<2)
  func settings(kind: Int) throws {
    for change: (inout VaultConfiguration) -> Void in [
      { $0.isReadOnly = true }, { $0.creation = .never }, { $0.upgradeBackup = .keep },
      { $0.maximumReaders = 0 },
    ] {
      var configuration = VaultConfiguration()
      change(&configuration)
      #expect(code { _ = try Self.kinds[kind](configuration) } == .invalidArgument)
    }
    #expect(code { _ = try Vault(at: ":memory:", key: .passphrase("p")) } == .invalidArgument)
  }

  @Test("fail after they were closed or removed", arguments: 0..<2)
  func ends(kind: Int) throws {
    let vault = try Self.kinds[kind](VaultConfiguration())
    let people = try vault.store(of: Person.self)
    vault.close()
    #expect(code { _ = try people.count() } == .closed)
    let other = try Self.kinds[kind](VaultConfiguration())
    let more = try other.store(of: Person.self)
    let log = EventLog()
    let listening = log.listen(to: other)
    try other.removeFile()
    #expect(code { _ = try more.count() } == .invalidated)
    #expect(log.all == [.removed])
    withExtendedLifetime(listening) {}
  }

  @Test("in memory say that nothing is encrypted, and refuse what is for files")
  func memory() throws {
    let vault = try Vault.inMemory()
    #expect(code { _ = try vault.cipherInfo() } == .notEncrypted)
    #expect(code { try vault.rekey(to: .passphrase("p")) } == .invalidArgument)
    #expect(code { try vault.rotate(unlockedBy: .passphrase("p")) } == .invalidArgument)
    #expect(code { _ = try vault.verify() } == .invalidArgument)
    #expect(try vault.openKeyring() == nil)
    #expect(try vault.knownClasses().described.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: ":memory:"))
    #expect(!FileManager.default.fileExists(atPath: vault.path))
  }

  @Test("in memory, hooks are told of the copy that a stream reads")
  func hooks() async throws {
    var configuration = VaultConfiguration()
    let roles = Locked<[ConnectionHandle.Role]>([])
    configuration.hooks.didReady = { handle in roles.withLock { $0.append(handle.role) } }
    let vault = try Vault.inMemory(configuration: configuration)
    for try await _ in try vault.stream("SELECT 1") {}
    #expect(roles.withLock { $0 } == [.writer, .reader])
  }

  @Test(
    "in a temporary file are encrypted, for this user only, and removed at the end")
  func temporary() throws {
    let folder = try TemporaryFolder()
    func names() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }
    do {
      let vault = try Vault.temporary(in: folder.url)
      #expect(try names() == [])
      let people = try vault.store(of: Person.self)
      try people.insert(Person(name: "a marker of plaintext"))
      let own = URL(fileURLWithPath: vault.path).deletingLastPathComponent().path
      let attributes = try FileManager.default.attributesOfItem(atPath: own)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
      #expect(try names().contains { $0.hasSuffix("/temporary.vault") })
      #expect(try vault.cipherInfo().pageSize == 4096)
      try vault.backup(to: folder.file("copy.vault"), key: .raw([UInt8](repeating: 1, count: 32)))
      vault.close()
      // A cursor, a stream and a store may hold the file still; none does here.
    }
    #expect(try names() == ["copy.vault"])
    #expect(try FileScan.filesHolding("a marker of plaintext", in: folder.path) == [])
    let kept = try Vault.temporary(in: folder.url)
    try kept.open()
    let own = URL(fileURLWithPath: kept.path).deletingLastPathComponent()
    try Data("mine".utf8).write(to: own.appendingPathComponent("note.txt"))
    kept.close()
    #expect(try names().filter { $0.hasSuffix("note.txt") }.count == 1)
    #expect(try !names().contains { $0.hasSuffix("temporary.vault") })
  }

  @Test("in a temporary file need a folder that can be written")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault.temporary(in: folder.url.appendingPathComponent("missing"))
    #expect(code { try vault.open() } == .cannotOpen)
  }
}
