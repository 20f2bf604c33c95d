import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift code of the guide "Migration", line by line.
@Suite("The guide to changes") struct MigrationGuideTests {
  @Stored
  struct Box {
    var label: String
    var size: Int = 0

    static let conversions = [
      PropertyConversion("size", from: String.self) { (word: String) in word == "large" ? 2 : 1 }
    ]
  }

  @Stored
  struct Person {
    var given: String = ""
    var family: String = ""

    static let version = 2

    static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
      if old == 1 {
        // The column of the property that was split is still there.
        try context.execute(
          """
          UPDATE "Person" SET "given" = substr("name", 1, instr("name", ' ') - 1),
          "family" = substr("name", instr("name", ' ') + 1)
          """)
      }
    }
  }

  @Stored(renamedFrom: ["Box"])
  struct Chest {
    var label: String
    var size: String
  }

  private let folder: TemporaryFolder
  private let key = VaultKey.raw(1...32)

  init() throws { folder = try TemporaryFolder() }

  /// `Vault(at:key:)` of the guide, in the folder of this test.
  private func Vault(
    at path: String, key: VaultKey, configuration: VaultConfiguration = VaultConfiguration()
  ) throws -> ObjectVault.Vault {
    try ObjectVault.Vault(at: folder.file(path), key: key, configuration: configuration)
  }

  /// A vault as an earlier version of the program left it.
  private func makeOld() throws {
    let vault = try Vault(at: "store.vault", key: key)
    defer { vault.close() }
    func add(_ className: String, _ values: [(property: String, value: String)]) throws {
      let description = ClassDescription(
        className, properties: values.map { PropertyDescription($0.property, type: .string) })
      var object = try DynamicObject(of: description)
      for (property, value) in values { try object.set(property, to: .text(value)) }
      try vault.store(of: description).insert(object)
    }
    try add("Box", [("label", "a"), ("size", "large")])
    try add("Box", [("label", "obsolete"), ("size", "small")])
    try add("Person", [("name", "Ada Lovelace")])
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Migration.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Migration.md").count > 30)
  }

  @Test("says how values change their meaning", .covers("X36", "A7", "A8"))
  func classes() throws {
    try makeOld()
    let vault = try Vault(at: "store.vault", key: key)
    let rehearsal = try vault.rehearseMigration(of: [Box.self, Person.self])
    if let refusal = rehearsal.refusal { print(refusal.message) }
    for content in rehearsal.after { print("\(content.name): \(content.rows), \(content.digest)") }
    #expect(rehearsal.refusal == nil)
    #expect(rehearsal.after.map(\.rows) == [2, 1])

    #expect(try vault.store(of: Box.self).all().map(\.size) == [2, 1])
    let people = try vault.store(of: Person.self)
    let ada = try #require(try people.first())
    #expect(ada.given == "Ada" && ada.family == "Lovelace")
    let dropped = try people.dropRemovedProperties()
    #expect(dropped == ["name"])
    #expect(try people.all().map(\.family) == ["Lovelace"])
  }

  @Test("says how a class gets another name", .covers("A1"))
  func renamed() throws {
    try makeOld()
    let vault = try Vault(at: "store.vault", key: key)
    #expect(try vault.store(of: Chest.self).all().map(\.label) == ["a", "obsolete"])
    #expect(try vault.classes().map(\.name) == ["Chest", "Person"])
  }

  @Test("says how a whole vault gets a version")
  func wholeVault() throws {
    for isNew in [true, false] {
      if !isNew { try makeOld() }
      var configuration = VaultConfiguration()
      configuration.schema = VaultSchema(version: 2, classes: [Box.self, Person.self])
        .creating { context in
          try context.database.store(of: Box.self).insert(Box(label: "first", size: 1))
        }
        .step(from: 1) { context in
          try context.execute("DELETE FROM \"Box\" WHERE \"label\" = ?", "obsolete")
        }
      if !isNew {
        // It had a version already.
        let vault = try Vault(at: "store.vault", key: key, configuration: first)
        try vault.open()
        vault.close()
      }
      let vault = try Vault(at: "store.vault", key: key, configuration: configuration)
      try vault.open()
      let labels = try vault.store(of: Box.self).all().map(\.label)
      #expect(labels == (isNew ? ["first"] : ["a"]))
      vault.close()
      try ObjectVault.Vault.remove(at: folder.file("store.vault"))
    }
  }

  /// The configuration of the program's first version.
  private var first: VaultConfiguration {
    var configuration = VaultConfiguration()
    configuration.schema = VaultSchema(version: 1)
    return configuration
  }

  @Test("says how every change shows in review")
  func review() throws {
    try ObjectVault.SchemaSnapshot(of: Box.self, Person.self).write(to: folder.file("Schema.json"))
    try SchemaSnapshot(of: Box.self, Person.self).check(against: "Schema.json")
    #expect {
      try SchemaSnapshot(of: Box.self).check(against: "Schema.json")
    } throws: { error in
      (error as? VaultError)?.code == .schemaMismatch
    }
  }

  /// `SchemaSnapshot(of:)` of the guide, with its file in the folder of this test.
  private func SchemaSnapshot(of types: any StoredObject.Type...) throws -> InFolder {
    InFolder(types: types, folder: folder)
  }

  private struct InFolder {
    let types: [any StoredObject.Type]
    let folder: TemporaryFolder

    func check(against path: String) throws {
      try ObjectVault.SchemaSnapshot(of: types).check(against: folder.file(path))
    }
  }
}
