import Foundation
import ObjectVaultCore
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultFile

@Suite("A salvage of shared contents")
struct SharedBlobSalvageTests {
  private let folder: TemporaryFolder
  private let path: String
  private let new: String
  private let first = Data.picture(1)
  private let second = Data.picture(2)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("a.vault")
    new = folder.file("new.vault")
  }

  /// Damages the root pages of tables, and salvages the file.
  private func salvaged(damaging tables: [String]) throws -> SalvageReport {
    let entries = try PageOwners(try storedPages(path, .ofTests)).schema.entries
    var data = try bytes(path)
    for table in tables {
      let root = try #require(entries.first { $0.type == "table" && $0.name == table }).root
      data[(Int(root) - 1) * 4096 + 777] ^= 1
    }
    try write(data, to: path)
    return try DatabaseFile(at: path, key: .ofTests).salvage(to: new)
  }

  @Test(
    "recovers all contents although the list of their columns is lost",
    arguments: [["objectvault_shared"], ["objectvault_shared", "objectvault_classes"]])
  func withoutColumns(tables: [String]) throws {
    let vault = try Vault(at: path, key: .ofTests)
    try vault.store(of: Photo.self).insert(contentsOf: [
      Photo("a", first), Photo("b", second, preview: [UInt8](first)), Photo("c", first),
    ])
    vault.close()
    let report = try salvaged(damaging: tables)
    #expect(report.notRestored == [])
    let copy = try Vault(at: new, key: .ofTests)
    #expect(try copy.verify().isSound)
    #expect(try copy.sharedBlobs().uses == 4)
    let photos = try copy.store(of: Photo.self)
    #expect(try photos.all().map(\.picture) == [first, second, first])
    #expect(try photos.all().map(\.preview) == [nil, [UInt8](first), nil])
    #expect(try copy.sharedUses == [1, 3])
    #expect(try copy.verify().isSound)
  }

  @Test(
    "recovers the contents of a removed property, with the list of tables or without",
    arguments: [true, false])
  func removed(hasList: Bool) throws {
    let preview = PropertyDescription("preview", type: .data, isOptional: true).shared()
    let all = ClassDescription.photos(with: [preview])
    let vault = try Vault(at: path, key: .ofTests)
    try vault.store(of: all).insert(
      DynamicObject(
        of: all,
        [
          "name": .text("a"), "picture": .blob([UInt8](first)), "preview": .blob([UInt8](second)),
        ]))
    _ = try vault.store(of: .photos())
    vault.close()
    if !hasList {
      var data = try bytes(path)
      data[777] ^= 1
      try write(data, to: path)
    }
    let report = try salvaged(damaging: hasList ? ["objectvault_shared"] : [])
    #expect(report.notRestored == [])
    let copy = try Vault(at: new, key: .ofTests)
    #expect(try copy.verify().isSound)
    #expect(try copy.sharedUses == [1, 1])
    let object = try #require(try copy.store(of: all).all().first)
    #expect(try object.value(of: "picture") == .blob([UInt8](first)))
    #expect(try object.value(of: "preview") == .blob([UInt8](second)))
  }

  @Test("leaves a content that only a rejected row uses, and reports it")
  func rejected() throws {
    let photos = ClassDescription.photos(with: [PropertyDescription("text", type: .string)])
    let vault = try Vault(at: path, key: .ofTests)
    try vault.store(of: photos).insert(
      DynamicObject(
        of: photos,
        [
          "name": .text("a"), "picture": .blob([UInt8](first)),
          "text": .text(String(repeating: "t", count: 30_000)),
        ]))
    vault.close()
    try damageLongValue(of: "Photo", in: path)
    let report = try DatabaseFile(at: path, key: .ofTests).salvage(to: new)
    #expect(report.tables.first { $0.name == "Photo" }?.refusedRowsTable == "lost_1")
    #expect(
      report.notRestored.contains(
        "the rows that use 1 shared contents, which are stored until the file is reindexed"),
      "\(report.notRestored)")
    let copy = try Vault(at: new, key: .ofTests)
    #expect(
      try copy.value(
        "SELECT content FROM objectvault_blobs, lost_1 WHERE digest = c2", as: Data.self) == first)
    try copy.recountSharedBlobs()
    #expect(try copy.verify().isSound)
    #expect(try copy.rows("SELECT 1 FROM objectvault_blobs").isEmpty)
  }

  @Test("is not needed if the list of columns lacks one: verify names it, and a recount adds it")
  func unlisted() throws {
    let vault = try Vault(at: path, key: .ofTests)
    try vault.store(of: Photo.self).insert(contentsOf: [Photo("a", first), Photo("b", second)])
    try vault.file().transaction {
      try $0.execute("DELETE FROM objectvault_shared WHERE \"column\" = 'picture'")
    }
    let problems = try vault.verify().sharedBlobProblems
    #expect(
      problems.first == "the list of columns with shared contents lacks column 'picture' of table "
        + "'Photo'; reindex the file to fix it")
    #expect(try !vault.verify().isSound)
    try vault.recountSharedBlobs()
    #expect(try vault.verify().sharedBlobProblems == [])
    #expect(try vault.store(of: Photo.self).all().map(\.picture) == [first, second])
  }
}
