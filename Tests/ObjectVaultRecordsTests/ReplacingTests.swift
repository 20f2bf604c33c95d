import Foundation
import ObjectVaultRecords
import TestSupport
import Testing

@Suite("A name that means another vault") struct ReplacingTests {
  private let school: School
  private let ofBo = VaultKey.raw([UInt8](2...33))

  init() throws {
    school = try School()
    try school.use { try Note("of Li").save() }
  }

  @Test("has its classes there, and nothing of one user shows under another", .covers("J46", "J47"))
  func users() throws {
    try school.use {
      try Course("shared").save()
      let handle = try Note.store().query
      let new = try school.vaults.replace("private", at: school.path("users/bo"), key: ofBo)
      #expect(school.isThere("users/bo"))
      #expect(try school.vaults.vault(named: "private") === new)
      #expect(try new.classes().map(\.name) == ["Note"])
      #expect(try Note.count() == 0)
      try Note("of Bo").save()
      // What was made before is of the other user, and fails.
      #expect(code { try handle.all() } == .closed)
      try school.vaults.replace("private", at: school.path("li"), key: School.key)
      #expect(try Note.all().map(\.text) == ["of Li"])
      #expect(try Course.count() == 1)
    }
  }

  @Test("stays where it is the same file, whose key is proved", .covers("J46"))
  func same() throws {
    let before = try school.vaults.vault(named: "private")
    let same = try school.vaults.replace("private", at: school.path("li"), key: School.key)
    #expect(same === before)
    #expect(
      code { try school.vaults.replace("private", at: school.path("li"), key: ofBo) } == .wrongKey)
    #expect(try school.use { try Note.count() } == 1)
    // A handle that is of no use is not kept.
    before.close()
    #expect(school.use { code { try Note.count() } } == .closed)
    let new = try school.vaults.replace("private", at: school.path("li"), key: School.key)
    #expect(new !== before)
    #expect(try school.use { try Note.count() } == 1)
  }

  @Test("stays as it was where that fails")
  func refused() throws {
    let (vaults, key) = (school.vaults, School.key)
    let other = school.folder.file("other.vault")
    try Vault(at: other, key: ofBo).store(of: Note.self).insert(Note("x"))
    #expect(code { try vaults.replace("private", at: other, key: key) } == .wrongKey)
    #expect(
      code { try vaults.replace("private", at: school.path("school"), key: key) }
        == .invalidArgument)
    #expect(code { try vaults.replace("nobody", at: school.path("b"), key: key) } == .noSuchVault)
    #expect(!school.isThere("b"))
    #expect(try school.use { try Note.all().map(\.text) } == ["of Li"])
  }

  @Test("a transaction goes on meaning the vault that it began in", .covers("J47"))
  func transaction() throws {
    try school.use {
      let error = failure {
        try Note.transaction {
          try school.vaults.replace("private", at: school.path("bo"), key: ofBo)
          try Note("of Li, too").save()
        }
      }
      #expect(error?.code == .closed)
      #expect(try Note.count() == 0)
      try school.vaults.replace("private", at: school.path("li"), key: School.key)
      #expect(try Note.all().map(\.text) == ["of Li"])
    }
  }

  @Test("without blocking the caller's thread")
  func asynchronous() async throws {
    try await Vaults.$current.withValue(school.vaults) {
      try await school.vaults.replace("private", at: school.path("bo"), key: ofBo)
      #expect(try await Note.read { try Note.count() } == 0)
      try school.vaults.register(
        "late", at: school.path("late"), key: School.key, classes: [Course.self])
      try await school.vaults.start()
      #expect(school.isThere("late"))
      #expect(try await Course.read(in: "late") { try Course.count() } == 0)
    }
  }
}
