import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

import ObjectVaultStores

@Suite struct AlteredFileTests {
  @Test("Files of random and of altered bytes are refused or read; none traps and none is changed")
  func anyBytes() throws {
    var generator = SeededGenerator(for: "AlteredFileTests.anyBytes")
    let folder = try TemporaryFolder()
    let whole = folder.file("whole")
    try makeVault(whole, key: .ofTests, objects: 60)
    let original = try bytes(whole)
    var refused: [VaultError.Code: Int] = [:]
    var opened = 0
    let total = randomRounds(500)
    for number in 0..<total {
      let path = folder.file("altered \(number)")
      let content = altered(original, &generator)
      try write(content, to: path)
      if generator.oneIn(6) {
        let suffix = generator.pick(["-wal", "-journal"])
        try write(
          random(Int.random(in: 1...9000, using: &generator), &generator), to: path + suffix)
      }
      let isReadOnly = generator.oneIn(4)
      if let code = try readAll(path, isReadOnly: isReadOnly) {
        refused[code, default: 0] += 1
      } else {
        opened += 1
      }
      #expect(try bytes(path) == content, "file \(number)")
      for suffix in ["", "-wal", "-journal", "-shm"] { unlink(path + suffix) }
    }
    // The cases reach each kind of outcome.
    for code in [VaultError.Code.wrongKey, .truncated, .damaged, .notEncrypted] {
      #expect(refused[code, default: 0] >= total / 50, "\(code): \(refused)")
    }
    #expect(opened >= total / 50, "\(refused)")
    let known: Set<VaultError.Code> = [
      .wrongKey, .truncated, .damaged, .notEncrypted, .empty, .readOnly, .cannotOpen,
    ]
    #expect(Set(refused.keys).subtracting(known).isEmpty, "\(refused)")
  }

  @Test("A first page that a checkpoint was writing is read from the log, and from no other log")
  func halfWrittenFirstPage() throws {
    let folder = try TemporaryFolder()
    let made = try ChildProcess.run("vault-crash", folder.file("v"), "kept", "100", "10")
    #expect(made.status == SIGKILL)
    // What a write leaves that ended in the middle: the rest of the page is what it was before.
    var torn = try bytes(folder.file("v"))
    for index in 2048..<4096 { torn[index] ^= 0x55 }
    try write(torn, to: folder.file("v"))
    for suffix in ["", "-wal"] {
      try write(bytes(folder.file("v\(suffix)")), to: folder.file("other\(suffix)"))
    }
    var generator = SeededGenerator(for: "AlteredFileTests.halfWrittenFirstPage")
    try write(random(9000, &generator), to: folder.file("other-wal"))
    for isReadOnly in [true, false] {
      #expect(try readAll(folder.file("other"), isReadOnly: isReadOnly) == .damaged)
    }
    #expect(try readAll(folder.file("v"), isReadOnly: true) == nil)
    let vault = try Vault(at: folder.file("v"), key: .ofTests)
    #expect(try vault.store(of: MarkedObject.self).count() == 100)
    vault.close()
    #expect(try bytes(folder.file("v")) != torn)
    #expect(try readAll(folder.file("v"), isReadOnly: false) == nil)
  }

  @Test("A log that ends within its header or its first frame has no changes")
  func cutLog() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    #expect(try ChildProcess.run("vault-crash", path, "gone", "100", "10").status == SIGKILL)
    let log = try bytes(path + "-wal")
    try makeVault(folder.file("backup"), key: .ofTests, objects: 60)
    let backup = try bytes(folder.file("backup"))
    for count in Array(0...36) + [55, 56, 57, 4151] {
      unlink(path + "-shm")
      try write(backup, to: path)
      try write(log.prefix(count), to: path + "-wal")
      #expect(try DatabaseFile(at: path, key: .ofTests).verify().isSound, "\(count)")
      let vault = try Vault(at: path, key: .ofTests)
      #expect(try vault.store(of: MarkedObject.self).count() == 60, "\(count)")
      vault.close()
    }
  }

  @Test("A log that another file left is named, and neither read nor played into the file")
  func logOfAnotherFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let made = try ChildProcess.run("vault-crash", path, "gone", "100", "10")
    #expect(made.status == SIGKILL)
    let log = try bytes(path + "-wal")
    // A backup with the same key is copied to the path.
    try makeVault(folder.file("backup"), key: .ofTests, objects: 60)
    let backup = try bytes(folder.file("backup"))
    for isUntrusted in [false, true] {
      for isReadOnly in [false, true] {
        unlink(path + "-shm")
        try write(backup, to: path)
        try write(log, to: path + "-wal")
        var configuration = VaultConfiguration()
        configuration.isUntrusted = isUntrusted
        configuration.isReadOnly = isReadOnly
        let error = #expect(throws: VaultError.self) {
          try Vault(at: path, key: .ofTests, configuration: configuration).open()
        }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("belongs to another file") == true, "\(error as Any)")
        #expect(try bytes(path) == backup)
        #expect(try bytes(path + "-wal") == log)
      }
    }
    let file = try DatabaseFile(at: path, key: .ofTests)
    let report = try file.verify()
    #expect(report.structureProblems.count == 1)
    #expect(report.structureProblems.first?.contains("belongs to another file") == true)
    let error = #expect(throws: VaultError.self) { try file.backup(to: folder.file("new")) }
    #expect(error?.message.contains("belongs to another file") == true)
    // A salvage reads the file without the log.
    let salvaged = try file.salvage(to: folder.file("salvaged"))
    #expect(salvaged.badPages.isEmpty)
    #expect(salvaged.notRestored == ["the write-ahead log, which belongs to another file"])
    let copy = try Vault(at: folder.file("salvaged"), key: .ofTests)
    #expect(try copy.store(of: MarkedObject.self).count() == 60)
    copy.close()
    // The remedy of the message.
    unlink(path + "-wal")
    #expect(try readAll(path, isReadOnly: false) == nil)
  }

  private func readAll(_ path: String, isReadOnly: Bool) throws -> VaultError.Code? {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    configuration.isReadOnly = isReadOnly
    do {
      let vault = try Vault(at: path, key: .ofTests, configuration: configuration)
      for found in try vault.classes() { _ = try vault.store(named: found.name).all() }
      return nil
    } catch let error as VaultError {
      return error.code
    }
  }

  private func random(_ count: Int, _ generator: inout SeededGenerator) -> Data {
    Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  private func altered(_ original: Data, _ generator: inout SeededGenerator) -> Data {
    var content = original
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return random(Int.random(in: 0...20_000, using: &generator), &generator)
    case 1: return random(512 * Int.random(in: 1...40, using: &generator), &generator)
    case 2: return content.prefix(Int.random(in: 0...content.count, using: &generator))
    case 3:
      content.replaceSubrange(0..<16, with: Data("SQLite format 3\0".utf8))
      // An unencrypted database has zeros here; other bytes follow a plaintext header.
      if generator.oneIn(2) { content.replaceSubrange(72..<92, with: Data(count: 20)) }
      return content
    case 4: return content + random(Int.random(in: 1...5000, using: &generator), &generator)
    case 5:
      let place = 4096 * Int.random(in: 1..<content.count / 4096, using: &generator)
      content.replaceSubrange(place..<place + 4096, with: Data(count: 4096))
    case 6:
      // Two pages change places.
      let pages = content.count / 4096
      let a = 4096 * Int.random(in: 1..<pages, using: &generator)
      let b = 4096 * Int.random(in: 0..<pages, using: &generator)
      content.replaceSubrange(a..<a + 4096, with: original[b..<b + 4096])
    default:
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        content[Int.random(in: 0..<content.count, using: &generator)] ^=
          UInt8.random(in: 1...255, using: &generator)
      }
    }
    return content
  }

  /// Makes a vault, changes the library's own tables in it, and opens it anew.
  private func afterChanging(_ sql: String) throws -> VaultError? {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try makeVault(path, key: .ofTests, objects: 3)
    do {
      let vault = try Vault(at: path, key: .ofTests)
      try vault.file().transaction { try $0.engine.execute(sql) }
    }
    do {
      let vault = try Vault(at: path, key: .ofTests)
      for found in try vault.classes() { _ = try vault.store(named: found.name).all() }
      return nil
    } catch let error as VaultError {
      return error
    }
  }

  @Test("A vault of a newer format is refused, with both versions in the message")
  func newerFormat() throws {
    let error = try afterChanging(
      "UPDATE objectvault_info SET value = '2' WHERE key = 'format_version'")
    #expect(error?.code == .newerFormat)
    #expect(error?.message.contains("format 2") == true)
    #expect(error?.message.contains("up to 1") == true)
    let odd = try afterChanging(
      "UPDATE objectvault_info SET value = 'many' WHERE key = 'format_version'")
    #expect(odd?.code == .newerFormat)
    // The version counts also where another program changed the file's mark.
    let unmarked = try afterChanging(
      "UPDATE objectvault_info SET value = '2' WHERE key = 'format_version'; "
        + "PRAGMA application_id = 7")
    #expect(unmarked?.code == .newerFormat)
  }

  @Test(
    "A description changed by hand is reported as such, never a trap",
    arguments: [
      "", "x", "{", "null", "[]", "{}", "7", #"{"name":"MarkedObject"}"#,
      #"{"name":"M","table":"MarkedObject","objectID":["nope"],"properties":[],"indexes":[]}"#,
      #"{"name":"M","table":"MarkedObject","objectID":"generated","properties":[{"name":"a","column":"a","type":"nope"}],"indexes":[]}"#,
      #"{"name":"M","table":"MarkedObject","objectID":["a","a"],"properties":[{"name":"a","column":"a","type":"Int"}],"indexes":[]}"#,
      #"{"name":"M","table":"MarkedObject","objectID":["a"],"properties":[{"name":"a","column":"a","type":"Int"}],"indexes":[{"properties":["b"],"unique":false}]}"#,
      #"{"name":"M","table":"MarkedObject","objectID":["a"],"properties":[{"name":"a","column":"a","type":"Int","default":{"integer":99999999999999999999}}],"indexes":[]}"#,
      #"{"name":"","table":"","objectID":"generated","properties":[],"indexes":[]}"#,
      #"{"name":"M","table":"sqlite_master","objectID":"generated","properties":[],"indexes":[]}"#,
      String(repeating: "[", count: 100_000),
    ])
  func alteredDescription(json: String) throws {
    let quoted = json.replacingOccurrences(of: "'", with: "''")
    let error = try afterChanging("UPDATE objectvault_classes SET description = '\(quoted)'")
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("'MarkedObject'") == true, "\(error?.message ?? "")")
  }

  @Test("A description that does not fit its table is reported with every difference")
  func wrongDescription() throws {
    let error = try afterChanging(
      #"UPDATE objectvault_classes SET description = '{"name":"M","table":"MarkedObject","objectID":"generated","properties":[{"name":"a","column":"a","type":"Int"}],"indexes":[]}'"#
    )
    #expect(error?.code == .schemaMismatch)
    #expect(error?.message.contains("'a' is missing") == true)
  }

  @Test("The application's version number of the file stays its own; the mark is the library's")
  func versionNumbers() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    func pragma(_ name: String) throws -> String? {
      let vault = try Vault(at: path, key: .ofTests)
      return try vault.file().read { try $0.engine.pragma(name) }
    }
    try makeVault(path, key: .ofTests)
    #expect(try pragma("user_version") == "0")
    #expect(try pragma("application_id") == "\(0x4F56_4C54)")
    do {
      let vault = try Vault(at: path, key: .ofTests)
      try vault.file().join { try $0.execute("PRAGMA user_version = 42") }
      try vault.store(of: MarkedObject.self).insert(MarkedObject("x", number: 1))
    }
    #expect(try pragma("user_version") == "42")
  }
}
