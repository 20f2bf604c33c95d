import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

@Suite("Shared contents in a file")
struct SharedBlobFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let key = VaultKey.ofTests
  private let newKey = VaultKey.raw([UInt8](repeating: 9, count: 32))
  private let first = Data.picture(1)
  private let second = Data.picture(2)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("a.vault")
  }

  private func made(_ configuration: VaultConfiguration = VaultConfiguration()) throws {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    try vault.store(of: Photo.self).insert(contentsOf: [
      Photo("a", first), Photo("b", second, preview: [1]), Photo("c", first),
    ])
    vault.close()
  }

  private func check(_ path: String, _ key: VaultKey, _ kind: String) throws {
    let vault = try Vault(at: path, key: key)
    let photos = try vault.store(of: Photo.self)
    #expect(try photos.all().map(\.picture) == [first, second, first], "\(kind)")
    #expect(try photos.where("picture == %@", first).count() == 2, "\(kind)")
    #expect(try vault.sharedUses == [1, 2], "\(kind)")
    try photos.insert(Photo("d", second))
    #expect(try vault.sharedUses == [2, 2], "\(kind)")
    vault.close()
    #expect(try DatabaseFile(at: path, key: key).verify().isSound, "\(kind)")
  }

  @Test("come through rekeying, backup, decrypting, encrypting, upgrading and a salvage")
  func copies() throws {
    var configuration = VaultConfiguration()
    configuration.cipherFormat = .portable
    try made(configuration)
    let (backup, plain) = (folder.file("backup"), folder.file("plain"))
    let (encrypted, salvaged) = (folder.file("encrypted"), folder.file("salvaged"))
    let file = try DatabaseFile(at: path, key: key)
    try file.backup(to: backup)
    try file.decrypt(to: plain)
    try DatabaseFile(at: plain, key: nil).encrypt(with: key, to: encrypted)
    let report = try file.salvage(to: salvaged)
    #expect(report.notRestored == [])
    if try Engine.prove().newestCipherFormat > 3 { try file.upgrade() }
    try file.rekey(to: newKey)
    for (path, key) in [(path, newKey), (backup, key), (encrypted, key), (salvaged, key)] {
      try check(path, key, path)
    }
  }

  @Test("are counted by the stock shell, which cannot write what is no content", .covers("X17"))
  func stockShell() throws {
    try made()
    let lines = try CipherShell.lines(
      path, CipherShell.keyOfTests,
      [
        "DELETE FROM Photo WHERE name = 'b';",
        "INSERT INTO Photo (name, picture) SELECT 'e', picture FROM Photo WHERE name = 'a';",
        "SELECT count(*), (SELECT uses FROM objectvault_blob_uses) FROM objectvault_blobs;",
        "UPDATE Photo SET name = 'f' WHERE name = 'e';",
      ])
    #expect(lines == ["1|3"])
    _ = try CipherShell.lines(
      path, CipherShell.keyOfTests, ["UPDATE Photo SET picture = zeroblob(50) WHERE name = 'a';"])
    let vault = try Vault(at: path, key: key)
    #expect(try vault.store(of: Photo.self).all().map(\.picture) == [first, first, first])
    #expect(try vault.verify().isSound)
  }

  private func shell(_ sql: String) throws {
    _ = try CipherShell.lines(path, CipherShell.keyOfTests, [sql])
  }

  private func contents(_ vault: Vault, of table: String) throws -> [Data] {
    try vault.rows("SELECT ov_content(picture) FROM \(unchecked: table) ORDER BY objectID")
      .map { try $0.value(at: 0, as: Data.self) }
  }

  @Test("stay if the stock shell renames the table: verify names it, and a recount follows it")
  func renamedByShell() throws {
    try made()
    try shell("ALTER TABLE Photo RENAME TO Pictures;")
    let vault = try Vault(at: path, key: key)
    let problems = try vault.verify().sharedBlobProblems
    #expect(
      problems.contains(
        "the list of columns with shared contents lacks column 'picture' of table 'Pictures'; "
          + "reindex the file to fix it"), "\(problems)")
    #expect(!problems.contains { $0.contains("counts") })
    try vault.recountSharedBlobs()
    #expect(try vault.verify().sharedBlobProblems == [])
    #expect(try contents(vault, of: "Pictures") == [first, second, first])
    try vault.execute("DELETE FROM Pictures WHERE name = 'a'")
    #expect(try contents(vault, of: "Pictures") == [second, first])
    #expect(try vault.sharedUses == [1, 1])
    vault.close()
    try shell("DROP TABLE Pictures;")
    let dropped = try Vault(at: path, key: key)
    try dropped.recountSharedBlobs()
    #expect(try dropped.sharedCount == 0)
  }

  @Test("are counted once in a table that the stock shell renamed and a class declares")
  func declaredAfterRenaming() throws {
    try made()
    try shell("ALTER TABLE Photo RENAME TO Pictures;")
    let vault = try Vault(at: path, key: key)
    let photos = try vault.store(of: .photos(table: "Pictures"))
    #expect(try vault.verify().sharedBlobProblems == [])
    try photos.where("name == 'a'").remove()
    #expect(try contents(vault, of: "Pictures") == [second, first])
    #expect(try vault.verify().sharedBlobProblems == [])
  }

  @Test("are verified with their counts, which are mended")
  func verified() throws {
    try made()
    let vault = try Vault(at: path, key: key)
    let photos = try vault.store(of: Photo.self)
    func problems() throws -> [String] { try vault.verify().sharedBlobProblems }
    #expect(try problems() == [])
    func damage(_ sql: String) throws {
      try vault.file().transaction { try $0.execute(sql) }
    }
    try damage("UPDATE objectvault_blob_uses SET uses = uses + 1")
    #expect(try problems().count == 1)
    #expect(try !vault.verify().isSound)
    try vault.recountSharedBlobs()
    #expect(try problems() == [] && vault.sharedUses == [1, 2])
    try damage("DROP TRIGGER objectvault_Photo_shared_delete")
    #expect(try problems().count == 1)
    try damage("DELETE FROM Photo WHERE name = 'b'")
    try vault.recountSharedBlobs()
    #expect(try problems() == [] && vault.sharedUses == [2])
    try photos.where("name == 'c'").remove()
    #expect(try vault.sharedUses == [1])
    try damage("UPDATE objectvault_blobs SET content = x'00'")
    #expect(try problems().contains { $0.contains("differs from the one") })
    try damage("DELETE FROM objectvault_blobs")
    #expect(try problems().contains { $0.contains("lost the shared content") })
    // What is lost is an error, and never bytes that nobody stored.
    #expect(code { _ = try photos.all() } == .damaged)
    #expect(
      code { _ = try vault.store(named: "Photo").all() } == .damaged)
    #expect(code { _ = try photos.objects("SELECT * FROM Photo") } == .damaged)
    #expect(try photos.count() == 1)
    // Storing the content again brings it back.
    try photos.insert(Photo("z", first))
    #expect(try photos.all().map(\.picture) == [first, first])
    try vault.recountSharedBlobs()
    #expect(try problems() == [])
  }

  @Test("have digests that nobody can make without the file's own key", .covers("X17"))
  func keyed() throws {
    try made()
    let vault = try Vault(at: path, key: key)
    let digest = try #require(
      try vault.value("SELECT picture FROM Photo WHERE name = 'a'", as: String.self))
    let secret = try #require(
      try vault.value("SELECT value FROM objectvault_info WHERE key = 'blob_key'", as: String.self))
    #expect(secret.utf8.count == 64 && digest.utf8.count == 64)
    let content = folder.file("content")
    try first.write(to: URL(fileURLWithPath: content))
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = [
      "python3", "-c",
      """
      import hmac, hashlib, sys
      content = open(sys.argv[2], "rb").read()
      print(hmac.new(sys.argv[1].encode(), content, hashlib.sha256).hexdigest())
      """, secret, content,
    ]
    let pipe = Pipe()
    python.standardOutput = pipe
    try python.run()
    let printed = pipe.fileHandleForReading.readDataToEndOfFile()
    python.waitUntilExit()
    #expect(String(decoding: printed, as: UTF8.self) == "\(digest)\n")
    let other = try Vault(at: folder.file("b.vault"), key: key)
    try other.store(of: Photo.self).insert(Photo("a", first))
    #expect(try other.value("SELECT picture FROM Photo", as: String.self) != digest)
  }

  @Test("are made anew with another key where the transaction that made it was undone")
  func undoneKey() throws {
    struct Stop: Error {}
    let vault = try Vault(at: path, key: key)
    try vault.store(of: ClassDescription("Other", properties: [])).insert(
      DynamicObject(of: ClassDescription("Other", properties: [])))
    try? vault.transaction {
      try vault.store(of: Photo.self).insert(Photo("a", first))
      throw Stop()
    }
    try vault.store(of: Photo.self).insert(Photo("a", first))
    #expect(try vault.verify().isSound)
    #expect(try vault.sharedUses == [1])
  }

  @Test("are not lost with a page of another table, and named where they are")
  func salvaged() throws {
    try made()
    let pages = try storedPages(path, key)
    let owners = try PageOwners(pages)
    let page = try #require(
      (1...pages.count).last { number in
        if case .objects("objectvault_blobs") = owners.owner(of: number) { true } else { false }
      })
    var data = try bytes(path)
    data[(Int(page) - 1) * 4096 + 777] ^= 1
    try write(data, to: path)
    let new = folder.file("new")
    let report = try DatabaseFile(at: path, key: key).salvage(to: new)
    #expect(!report.notRestored.isEmpty)
    let vault = try Vault(at: new, key: key)
    let pictures = try vault.store(of: Photo.self).all().map(\.picture)
    #expect(pictures.count == 3 && pictures.contains(Data()))
    #expect(try vault.verify().isSound)
  }

  @Test("come back where the list of tables is lost, with their counts")
  func withoutList() throws {
    try made()
    var data = try bytes(path)
    data[777] ^= 1
    try write(data, to: path)
    let new = folder.file("new")
    let report = try DatabaseFile(at: path, key: key).salvage(to: new)
    #expect(report.schema == .classes)
    try check(new, key, "salvaged")
  }

  @Test(
    "come back where the key of their digests is lost, with the list of tables or without",
    arguments: [true, false])
  func withoutKey(hasList: Bool) throws {
    try made()
    let owners = try PageOwners(try storedPages(path, key))
    let facts = try #require(
      owners.schema.entries.first { $0.name == "objectvault_info" && $0.type == "table" })
    var data = try bytes(path)
    if !hasList { data[777] ^= 1 }
    data[(Int(facts.root) - 1) * 4096 + 777] ^= 1
    try write(data, to: path)
    let new = folder.file("new")
    _ = try DatabaseFile(at: path, key: key).salvage(to: new)
    try check(new, key, "salvaged")
  }

  @Test("are counted right where several processes write at once", .covers("X17"))
  func processes() async throws {
    let vault = try Vault(at: path, key: .ofTests)
    let photos = try await vault.store(of: Photo.self)
    let path = path
    async let one = onOwnThread { try ChildProcess.run("vault-share", path, "1", "150") }
    async let other = onOwnThread { try ChildProcess.run("vault-share", path, "2", "150") }
    async let here: Void = onOwnThread {
      for number in 0..<60 {
        try photos.insert(Photo("here", Data(repeating: UInt8(number % 3 + 1), count: 2000)))
        try photos.where("name == 'here'").range(length: 1).remove()
      }
    }
    for child in [try await one, try await other] {
      #expect(child.output == "shared\n" && child.status == 0, "\(child.output)\(child.errors)")
    }
    try await here
    try checkCounts(of: photos)
  }

  private func checkCounts(of photos: ObjectStore<Photo>) throws {
    let all = try photos.all()
    let counts = Dictionary(grouping: all, by: \.picture).values.map(\.count).sorted()
    #expect(counts.count == 4 && all.count > 50)
    #expect(all.allSatisfy { $0.picture.count == 2000 && Set($0.picture).count == 1 })
    #expect(try photos.vault.sharedUses == counts)
    #expect(try photos.vault.verify().isSound)
    try photos.removeAll()
    #expect(try photos.vault.sharedCount == 0)
  }
}
