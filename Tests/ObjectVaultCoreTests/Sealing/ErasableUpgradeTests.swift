import Foundation
import ObjectVaultCore
import ObjectVaultModel
import TestSupport
import Testing

@Suite("Classes with erasable keys")
struct ErasableUpgradeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A class of notes with the given properties.
  private func note(
    _ text: PropertyDescription = PropertyDescription("text", String?.self).sealed(by: "person"),
    key: PropertyDescription = PropertyDescription("person", String.self),
    others: [PropertyDescription] = [], table: String = "Note", renamedFrom: [String] = [],
    indexes: [IndexDescription] = [], references: [ReferenceDescription] = []
  ) -> ClassDescription {
    ClassDescription(
      "Note", table: table,
      properties: [PropertyDescription("id", String.self), text, key] + others, objectID: ["id"],
      indexes: indexes, references: references, renamedFrom: renamedFrom)
  }

  private func code(
    _ description: ClassDescription, _ body: (ObjectStore<DynamicObject>) throws -> Void = { _ in }
  ) throws -> VaultError.Code? {
    let vault = try Vault(
      at: folder.file("a.vault"), key: .ofTests,
      configuration: try .erasing(.ofTests(in: folder.url)))
    defer { vault.close() }
    do {
      try body(try vault.store(of: description))
      return nil
    } catch {
      return (error as? VaultError)?.code
    }
  }

  private func fill(_ description: ClassDescription) throws {
    #expect(
      try code(description) { store in
        for name in ["ada", "bob"] {
          var object = try DynamicObject(of: description)
          for property in description.properties {
            try object.set(property.name, to: .text(name))
          }
          try store.insert(object)
        }
      } == nil)
  }

  private func texts(_ description: ClassDescription) throws -> [StoredValue] {
    var texts: [StoredValue] = []
    #expect(
      try code(description) { store in
        texts = try store.all().map { try $0.value(of: description.properties[1].name) }
      } == nil)
    return texts
  }

  @Test("Beginning or ending to need erasable keys is rejected", .covers("E8"))
  func use() throws {
    let (plain, sealed) = (
      PropertyDescription("text", String?.self), PropertyDescription("text", String?.self).sealed()
    )
    for old in [plain, sealed] {
      try fill(note(old))
      #expect(try code(note()) == .upgradeRefused)
      #expect(try texts(note(old)) == [.text("ada"), .text("bob")])
      try FileManager.default.removeItem(atPath: folder.file("a.vault"))
    }
    try fill(note())
    #expect(try code(note(plain)) == .upgradeRefused)
    #expect(try code(note(sealed)) == .upgradeRefused)
    let other = [PropertyDescription("other", String.self, defaultValue: "x")]
    #expect(
      try code(
        note(PropertyDescription("text", String?.self).sealed(by: "other"), others: other))
        == .upgradeRefused)
    #expect(try texts(note()) == [.text("ada"), .text("bob")])
  }

  @Test("The property that names the key can be renamed, and keeps its type", .covers("E8"))
  func key() throws {
    try fill(note())
    #expect(
      try code(
        note(key: PropertyDescription("person", UUID.self))) == .upgradeRefused)
    let renamed = note(
      PropertyDescription("text", String?.self).sealed(by: "owner"),
      key: PropertyDescription("owner", String.self, renamedFrom: ["person"]))
    #expect(try texts(renamed) == [.text("ada"), .text("bob")])
  }

  @Test("A renamed table or column seals the values again, except destroyed ones", .covers("E8"))
  func renaming() throws {
    try fill(note())
    let keys = try ErasableKeys.ofTests(in: folder.url)
    try keys.destroy("bob")
    keys.close()
    let moved = note(table: "Memo", renamedFrom: ["Note"])
    #expect(try texts(moved) == [.text("ada"), .null])
    let renamed = note(
      PropertyDescription("body", String?.self, renamedFrom: ["text"]).sealed(by: "person"),
      table: "Memo")
    #expect(try texts(renamed) == [.text("ada"), .null])
    // A new property has no values.
    let added = note(
      PropertyDescription("body", String?.self).sealed(by: "person"),
      others: [PropertyDescription("more", String?.self).sealed(by: "person")], table: "Memo")
    #expect(try texts(added) == [.text("ada"), .null])
  }

  @Test("A property that is removed and added again keeps its values and its key", .covers("E8"))
  func addedAgain() throws {
    try fill(note())
    var less = note()
    less.properties.remove(at: 1)
    #expect(try code(less) == nil)
    #expect(try texts(note()) == [.text("ada"), .text("bob")])
    #expect(try code(less) == nil)
    // The property that names the key can be renamed meanwhile.
    let owner = PropertyDescription("owner", String.self, renamedFrom: ["person"])
    less = note(key: owner)
    less.properties.remove(at: 1)
    #expect(try code(less) == nil)
    let text = PropertyDescription("text", String?.self)
    let other = [PropertyDescription("other", String.self, defaultValue: "x")]
    for wrong in [text, text.sealed(), text.sealed(by: "other")] {
      #expect(try code(note(wrong, key: owner, others: other)) == .upgradeRefused)
    }
    #expect(
      try texts(note(text.sealed(by: "owner"), key: owner)) == [.text("ada"), .text("bob")])
  }

  @Test("Values of removed properties are not added again if their objects name other keys")
  func changedKey() throws {
    try fill(note())
    var less = note()
    less.properties.remove(at: 1)
    func rename(_ name: String, to key: String) throws {
      #expect(
        try code(less) { store in
          try store.where("id == %@", name).update(set: ["person": key])
        } == nil)
    }
    for key in ["bob", "new"] {
      try rename("ada", to: key)
      #expect(try code(note()) == .upgradeRefused)
      #expect(try code(less) == nil)
    }
    try rename("ada", to: "ada")
    #expect(try texts(note()) == [.text("ada"), .text("bob")])
    #expect(try code(less) == nil)
    try rename("ada", to: "bob")
    #expect(try code(less) { try $0.dropRemovedProperties() } == nil)
    #expect(try texts(note()) == [.null, .null])
  }

  @Test("The values of removed properties follow a changed object ID", .covers("E2", "E8"))
  func changedID() throws {
    let full = ClassDescription(
      "Note",
      properties: [
        PropertyDescription("id", String.self),
        PropertyDescription("text", String?.self).sealed(by: "person"),
        PropertyDescription("person", String.self), PropertyDescription("number", Double.self),
        PropertyDescription("other", String?.self).sealed(.findable),
      ], objectID: ["id", "number"])
    var less = full
    less.properties.removeAll { $0.sealing != nil }
    less.objectID = .properties([0, 2])
    #expect(
      try code(full) { store in
        for name in ["ada", "bob", "cy"] {
          var object = try DynamicObject(of: full)
          for property in full.properties {
            try object.set(property.name, to: property.type == .double ? .real(3) : .text(name))
          }
          if name == "cy" { try object.set("other", to: .null) }
          try store.insert(object)
        }
      } == nil)
    let keys = try ErasableKeys.ofTests(in: folder.url)
    try keys.destroy("bob")
    keys.close()
    #expect(
      try code(less) { store in
        for (name, number) in [("ada", 4), ("bob", 4.5), ("cy", 3)] {
          try store.changeID(
            of: DynamicObjectID([.text(name), .real(3)]),
            to: DynamicObjectID([.text("\(name) 2"), .real(number)]))
        }
      } == nil)
    #expect(try texts(full) == [.text("ada"), .null, .text("cy")])
    var (others, found): ([StoredValue], Int) = ([], 0)
    #expect(
      try code(full) { store in
        others = try store.all().map { try $0.value(of: "other") }
        found = try store.where("other == 'bob'").count()
      } == nil)
    #expect(others == [.text("ada"), .text("bob"), .null])
    #expect(found == 1)
  }

  @Test("The values of removed properties follow an object ID that names their key", .covers("E8"))
  func changedName() throws {
    let full = ClassDescription(
      "Note",
      properties: [
        PropertyDescription("id", String.self),
        PropertyDescription("text", String?.self).sealed(by: "id"),
      ], objectID: ["id"])
    var less = full
    less.properties.removeLast()
    try fill(full)
    func change(_ id: String, to newID: String) throws -> VaultError.Code? {
      try code(less) { store in
        try store.changeID(of: DynamicObjectID(.text(id)), to: DynamicObjectID(.text(newID)))
      }
    }
    #expect(try code(less) == nil)
    for (id, newID) in [("ada", "cy"), ("cy", "di"), ("bob", "ada"), ("ada", "ed"), ("di", "fay")] {
      #expect(try change(id, to: newID) == nil)
    }
    #expect(try texts(full) == [.text("ada"), .text("bob")])
    #expect(try code(less) == nil)
    let keys = try ErasableKeys.ofTests(in: folder.url)
    try keys.destroy("bob")
    try keys.destroy("ed")
    keys.close()
    #expect(try change("fay", to: "bob") == .keyDestroyed)
    #expect(try texts(full) == [.text("ada"), .null])
  }

  @Test("A property that cannot have an erasable key is rejected", .covers("E9"))
  func invalid() throws {
    let text = PropertyDescription("text", String?.self).sealed(by: "person")
    let person = PropertyDescription("person", String.self)
    for description in [
      note(PropertyDescription("text", String.self).sealed(by: "person")),
      note(PropertyDescription("text", String?.self).sealed(by: "nothing")),
      note(key: PropertyDescription("person", String?.self)),
      note(key: person.sealed()),
      note(key: PropertyDescription("person", Double.self)),
      note(key: PropertyDescription("person", Data.self)),
      note(text, indexes: [IndexDescription(["text"])]),
      note(text, indexes: [IndexDescription(["text"], unique: true)]),
      note(
        references: [
          ReferenceDescription(
            "person", properties: ["person"], target: "Note", targetColumns: ["id"],
            onDelete: .deny)
        ]),
    ] { #expect(try code(description) == .invalidClass) }
    for type in [String.self as any ErasableKeyNaming.Type, UUID.self, Int.self, Int64.self] {
      let key = PropertyDescription("person", type: type.propertyType)
      #expect(try code(note(key: key)) == nil)
      try FileManager.default.removeItem(atPath: folder.file("a.vault"))
    }
  }

  @Test("The file's description is one that earlier versions reject", .covers("E9"))
  func description() throws {
    let json = note().json
    // Earlier versions accept only a text.
    #expect(json.contains(#""sealed":{"by":"person"}"#))
    #expect(try ClassDescription(json: json, table: "Note") == note())
    #expect(throws: VaultError.self) {
      try ClassDescription(
        json: json.replacing(#"{"by":"person"}"#, with: #""by""#), table: "Note")
    }
    #expect(throws: VaultError.self) {
      try ClassDescription(
        json: json.replacing(#"{"by":"person"}"#, with: #"{"by":"nothing"}"#), table: "Note")
    }
  }
}
