import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Upgrades of sealed properties")
struct SealedUpgradeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func vault() throws -> Vault {
    try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
  }

  private func fill(_ description: ClassDescription, count: Int = 1200) throws {
    let vault = try vault()
    let notes = try vault.store(of: description)
    let empty = try DynamicObject(of: description)
    try notes.insert(
      contentsOf: (0..<count).map { try empty.setting("text", "t\($0)", id: "n\($0)") })
    vault.close()
  }

  private func check(_ description: ClassDescription, count: Int = 1200) throws {
    let vault = try vault()
    let notes = try vault.store(of: description)
    let texts = try notes.all().map { try $0.value(of: "text") }
    #expect(Set(texts) == Set((0..<count).map { .text("t\($0)") }))
    let column = SQLStatement(
      unchecked: "SELECT count(*) AS n FROM \(description.table) "
        + "WHERE typeof(\(description.properties[1].column)) = 'blob'")
    #expect(try vault.rows(column)[0].value("n", as: Int.self) == count)
    if description.properties[1].sealing != .hidden {
      #expect(try notes.where("text == 't7'").count() == 1)
    }
    vault.close()
  }

  @Test("A property that becomes sealed is sealed in all objects", .covers("E8"))
  func sealing() throws {
    try fill(.sealedNote(nil))
    try check(.sealedNote())
  }

  @Test("Objects with one value of a property that becomes sealed and unique are named")
  func sealedAndUnique() throws {
    let vault = try vault()
    let notes = try vault.store(of: .sealedNote(nil))
    let empty = try DynamicObject(of: .sealedNote(nil))
    for id in ["a", "b"] { try notes.insert(try empty.setting("text", "same", id: id)) }
    var unique = ClassDescription.sealedNote(.findable)
    unique.indexes = [IndexDescription(["text"], unique: true)]
    let error = try #require(throws: VaultError.self) { _ = try vault.store(of: unique) }
    #expect(error.code == .upgradeRefused)
    #expect(error.message.contains("the 1st and 2nd objects by insertion"))
    vault.close()
  }

  @Test("A rehearsal seals with the keys of the keyring, as the upgrade does", .covers("E8"))
  func rehearsal() throws {
    let vault = try Vault(at: folder.file("b.vault"), key: .keyring(.raw(1...32)))
    let (plain, sealed) = (ClassDescription.sealedNote(nil), ClassDescription.sealedNote())
    let note = try DynamicObject(of: plain).setting("text", "t0", id: "n0")
    try vault.store(of: plain).insert(note)
    let rehearsal = try vault.rehearseMigration(of: [sealed])
    #expect(rehearsal.refusal == nil)
    #expect(rehearsal.after.map(\.rows) == [1])
    let texts = try vault.store(of: sealed).all().map { try $0.value(of: "text") }
    #expect(texts == [.text("t0")])
    vault.close()
  }

  @Test(
    "Renaming a table or column, or the use in conditions, seals the values again",
    .covers("E8"))
  func resealing() throws {
    try fill(.sealedNote())
    try check(.sealedNote(.findable))
    try check(.sealedNote(.findable, table: "Memo", renamedFrom: ["Note"]))
    try check(
      .sealedNote(
        .findable, table: "Memo", column: "body", renamedFrom: ["Note"],
        columnFrom: ["text"]))
    try check(
      .sealedNote(
        .hidden, table: "Memo", column: "body", renamedFrom: ["Note"],
        columnFrom: ["text"]))
  }

  @Test(
    "A class that no longer seals, or changes the type or the object ID, is rejected",
    .covers("E8"))
  func refused() throws {
    try fill(.sealedNote(), count: 1)
    let vault = try vault()
    var otherID = ClassDescription.sealedNote()
    otherID.objectID = .generated
    for description in [.sealedNote(nil), .sealedNote(type: .int), otherID] {
      let error = #expect(throws: VaultError.self) { try vault.store(of: description) }
      #expect(error?.code == .upgradeRefused)
    }
    vault.close()
    try check(.sealedNote(), count: 1)
  }

  /// The class without its sealed property.
  private func less(
    table: String = "Note", renamedFrom: [String] = []
  ) -> ClassDescription {
    var description = ClassDescription.sealedNote(nil, table: table, renamedFrom: renamedFrom)
    description.properties.removeLast()
    return description
  }

  private func upgrade(to description: ClassDescription) throws {
    let vault = try vault()
    defer { vault.close() }
    _ = try vault.store(of: description)
  }

  @Test("A sealed property that is removed and added again has its values", .covers("E8"))
  func addedAgain() throws {
    try fill(.sealedNote(), count: 9)
    try upgrade(to: less())
    try check(.sealedNote(), count: 9)
    try upgrade(to: less())
    try check(.sealedNote(.findable), count: 9)
    // The values are bound to the table and the column that they had.
    try upgrade(to: less())
    try upgrade(to: less(table: "Memo", renamedFrom: ["Note"]))
    try check(
      .sealedNote(
        .findable, table: "Memo", column: "body", renamedFrom: ["Note"],
        columnFrom: ["text"]), count: 9)
  }

  @Test("The values of a removed sealed property follow a changed object ID", .covers("E2", "E8"))
  func changedID() throws {
    try fill(.sealedNote(), count: 9)
    let vault = try vault()
    let notes = try vault.store(of: less())
    try notes.changeID(of: DynamicObjectID(.text("n3")), to: DynamicObjectID(.text("m")))
    let error = #expect(throws: VaultError.self) {
      try notes.changeID(of: DynamicObjectID(.text("n3")), to: DynamicObjectID(.text("o")))
    }
    #expect(error?.code == .noSuchObject)
    vault.close()
    let unsealed = try Vault(at: folder.file("a.vault"), key: .ofTests)
    let refused = #expect(throws: VaultError.self) {
      try unsealed.store(of: less())
        .changeID(of: DynamicObjectID(.text("n4")), to: DynamicObjectID(.text("o")))
    }
    #expect(refused?.code == .noKey)
    unsealed.close()
    try check(.sealedNote(), count: 9)
  }

  @Test("SQL by hand does not change the values of a removed sealed property", .covers("E2", "E8"))
  func removedByHand() throws {
    try fill(.sealedNote(), count: 9)
    try upgrade(to: less())
    let vault = try vault()
    for sql in ["UPDATE Note SET text = 'plain'", "UPDATE Note SET id = id || 'x'"] {
      let error = #expect(throws: VaultError.self) {
        try vault.execute(SQLStatement(unchecked: sql))
      }
      #expect(error?.code == .invalidArgument, "\(sql)")
    }
    try vault.execute("INSERT INTO Note (id) VALUES ('more')")
    try vault.execute("DELETE FROM Note WHERE id = 'more'")
    vault.close()
    try check(.sealedNote(), count: 9)
  }

  @Test("A removed sealed property has its values if another one got its name", .covers("E8"))
  func displaced() throws {
    func item(_ properties: PropertyDescription...) -> ClassDescription {
      ClassDescription(
        "Item", properties: [PropertyDescription("id", String.self)] + properties,
        objectID: ["id"])
    }
    let (a, b) = (
      PropertyDescription("a", String?.self).sealed(),
      PropertyDescription("b", String?.self).sealed()
    )
    let vault = try vault()
    var object = try DynamicObject(of: item(a, b))
    for name in ["id", "a", "b"] { try object.set(name, to: .text(name)) }
    try vault.store(of: item(a, b)).insert(object)
    let renamed = PropertyDescription("b", String?.self, renamedFrom: ["a"]).sealed()
    #expect(
      try vault.store(of: item(renamed)).first()?.allValues == [.text("id"), .text("a")])
    let again = PropertyDescription("c", String?.self, renamedFrom: ["ov_former_1"]).sealed()
    let store = try vault.store(of: item(renamed, again))
    #expect(try store.first()?.allValues == [.text("id"), .text("a"), .text("b")])
    #expect(try store.dropRemovedProperties() == [])
  }

  @Test("A sealed property that a file does not describe has its values", .covers("E8"))
  func undescribed() throws {
    let configuration = VaultConfiguration.sealing(try .ofTests(1))
    var changing = try ChangingVault(configuration)
    try changing.insert(.sealedNote(), [.text("a"), .text("secret")], [.text("b"), .null])
    _ = try changing.vault.store(of: less())
    try changing.forgetRemovedProperties()
    changing = try changing.reopened(configuration)
    let before = try changing.rows("SELECT text FROM Note ORDER BY id")
    let notes = try changing.vault.store(of: .sealedNote())
    let texts = try notes.all().map { try $0.value(of: "text") }
    #expect(texts == [.text("secret"), .null])
    #expect(try changing.rows("SELECT text FROM Note ORDER BY id") == before)
  }

  @Test("A removed sealed property is not added again in plaintext or with another type")
  func refusedAgain() throws {
    try fill(.sealedNote(), count: 1)
    try upgrade(to: less())
    var otherID = less()
    otherID.objectID = .generated
    for description in [
      .sealedNote(nil), .sealedNote(nil, type: .data), .sealedNote(type: .int), otherID,
    ] {
      let error = #expect(throws: VaultError.self) { try upgrade(to: description) }
      #expect(error?.code == .upgradeRefused)
    }
    try check(.sealedNote(), count: 1)
    try upgrade(to: less())
    let vault = try vault()
    #expect(try vault.store(of: less()).dropRemovedProperties() == ["text"])
    vault.close()
    try upgrade(to: .sealedNote(nil, type: .data))
  }

  @Test("A store of a class whose property is sealed meanwhile no longer writes", .covers("E8"))
  func staleStore() throws {
    let vault = try vault()
    let old = try vault.store(of: .sealedNote(nil))
    let object = try DynamicObject(of: .sealedNote(nil)).setting("text", "x")
    try old.insert(object)
    _ = try vault.store(of: .sealedNote())
    #expect(throws: VaultError.self) {
      try old.insert(object.setting("text", "plain", id: "m"))
    }
    #expect(throws: VaultError.self) { try old.update(object) }
  }

  @Test("Properties that cannot be sealed are rejected", .covers("E9"))
  func invalid() throws {
    func described(
      _ property: PropertyDescription, indexes: [IndexDescription] = [],
      search: SearchDescription? = nil, objectID: [String] = []
    ) -> ClassDescription {
      ClassDescription(
        "C", properties: [property], objectID: objectID, indexes: indexes, search: search)
    }
    enum Sex: String, CaseIterable { case female, male, other }
    let text = PropertyDescription("p", String.self)
    let vault = try vault()
    for description in [
      described(text.sealed(), objectID: ["p"]),
      described(text.sealed(), indexes: [IndexDescription(["p"])]),
      described(text.sealed(), search: SearchDescription(["p"])),
      described(text.columnDefined(length: .atMost(3)).sealed()),
      described(PropertyDescription("p", Data.self).shared().sealed()),
      described(PropertyDescription("p", Bool.self).sealed(.findable)),
      described(PropertyDescription("p", Int8.self).sealed(.findable)),
      described(PropertyDescription("p", UInt16?.self).sealed(.findable)),
      described(PropertyDescription("p", Sex.self).sealed(.findable)),
      described(PropertyDescription("p", Sex?.self).sealed(.findable)),
    ] {
      let error = #expect(throws: VaultError.self) { try vault.store(of: description) }
      #expect(error?.code == .invalidClass)
      #expect(error?.message.contains("'p'") == true)
    }
    _ = try vault.store(
      of: described(
        PropertyDescription("p", Sex.self).sealed(.findable(acceptingFrequencies: true))))
    // The reference in the object ID would change with the object that it refers to.
    let owner = ClassDescription("Owner", properties: [text], objectID: ["p"])
    let part = ClassDescription(
      "Part", properties: [PropertyDescription("o", String.self), text.sealed()], objectID: ["o"],
      references: [ReferenceDescription("o", target: "Owner", targetColumns: ["p"])])
    #expect(throws: VaultError.self) { try vault.store(of: part, with: [owner]) }
  }

  @Test("A class whose owned objects are sorted by a property that becomes sealed is rejected")
  func sortedOwned() throws {
    let vault = try vault()
    let owner = ClassDescription(
      "Owner", properties: [PropertyDescription("id", String.self)], objectID: ["id"],
      owned: [OwnedDescription("items", target: "Item", reference: "owner", sortedBy: ["x"])])
    func item(_ x: PropertyDescription) -> ClassDescription {
      ClassDescription(
        "Item", properties: [x, PropertyDescription("owner", String?.self)],
        references: [
          ReferenceDescription("owner", target: "Owner", targetColumns: ["id"], onDelete: .cascade)
        ])
    }
    let x = PropertyDescription("x", String.self)
    var object = try DynamicObject(of: item(x))
    try object.set("x", to: .text("b"))
    try vault.store(of: item(x), with: [owner]).insert(object)
    let error = #expect(throws: VaultError.self) {
      try vault.store(of: owner, with: [item(x.sealed())])
    }
    #expect(error?.code == .invalidClass)
    #expect(error?.message.contains("sorted by 'x', which is sealed in class 'Item'") == true)
    #expect(try vault.store(named: "Item").where("x == 'b'").count() == 1)
  }
}
