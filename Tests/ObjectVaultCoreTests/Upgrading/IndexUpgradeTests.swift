import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultSchema
import ObjectVaultSession
import Testing
import TestSupport

@Suite("A class whose indexes, objectID or references changed")
struct IndexUpgradeTests {
  private static let person = ClassDescription(
    "Person",
    properties: [.init("name", String.self), .init("age", Int.self), .init("team", Int64?.self)],
    indexes: [IndexDescription(["name"])])

  private func people(_ description: ClassDescription = person) throws -> ChangingVault {
    let vault = try ChangingVault()
    try vault.insert(
      description, [.text("Li"), .integer(20), .integer(1)], [.text("Bo"), .integer(30), .null],
      [.text("Li"), .integer(40), .null])
    return vault
  }

  private func indexes(_ vault: ChangingVault) throws -> [String] {
    try vault.rows(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY 1"
    )
    .compactMap { if case .text(let name) = $0[0] { name } else { nil } }
  }

  @Test("has a unique index whose name one of other columns had", .covers("J61"))
  func sameName() throws {
    let number = PropertyDescription("number", Int.self)
    let former = ClassDescription(
      "Person", properties: [PropertyDescription("first_name", String.self), number],
      indexes: [IndexDescription(["first_name"], unique: true)])
    let present = former.with(
      [
        PropertyDescription("first", String.self, defaultValue: ""),
        PropertyDescription("name", String.self, defaultValue: ""), number,
      ], indexes: [IndexDescription(["first", "name"], unique: true)])
    var vault = try ChangingVault()
    func columns() throws -> [StoredValue?] {
      try vault.rows("PRAGMA index_info(ovu_Person__first_name)").map(\.last)
    }
    try vault.insert(former, [.text("x y"), .integer(1)])
    #expect(try columns() == [.text("first_name")])
    try vault.insert(present, [.text("x"), .text("y"), .integer(2)])
    #expect(try columns() == [.text("first"), .text("name")])
    let error = #expect(throws: VaultError.self) {
      try vault.insert(present, [.text("x"), .text("y"), .integer(3)])
    }
    #expect(error?.code == .duplicate)
    // A class that is the same needs no upgrade.
    let schema = try vault.schema()
    vault = try vault.reopened()
    _ = try vault.vault.store(of: present)
    #expect(try vault.schema() == schema)
    // An earlier version did not replace the index.
    try vault.run(
      "DROP INDEX ovu_Person__first_name",
      "CREATE UNIQUE INDEX \"ovu_Person__first_name\" ON \"Person\" (\"first_name\")",
      "INSERT INTO Person (first, name, number) VALUES ('x', 'y', 4)")
    vault = try vault.reopened()
    #expect(try vault.refusal(present).contains("the same value in 'first' and 'name'"))
    try vault.run("DELETE FROM Person WHERE number = 4")
    _ = try vault.vault.store(of: present)
    #expect(try columns() == [.text("first"), .text("name")])
  }

  @Test(
    "has the indexes that it declares; those of others stay", .covers("J61", "P29"))
  func indexes() throws {
    let vault = try people()
    try vault.run("CREATE INDEX theirs ON Person (age)")
    #expect(try indexes(vault) == ["ov_Person__name", "theirs"])
    _ = try vault.vault.store(
      of: Self.person.with(indexes: [.init(["age", "name"]), .init(["age"], unique: true)]))
    #expect(try indexes(vault) == ["ov_Person__age_name", "ovu_Person__age", "theirs"])
    _ = try vault.vault.store(of: Self.person)
    #expect(try indexes(vault) == ["ov_Person__name", "theirs"])
    // Also where the table is made anew.
    _ = try vault.vault.store(
      of: Self.person.with(
        [
          .init("called", String.self, renamedFrom: ["name"]), .init("age", Double.self),
          Self.person.properties[2],
        ], indexes: [.init(["called"])]))
    #expect(try indexes(vault) == ["ov_Person__called", "theirs"])
  }

  @Test("is refused where objects agree in what shall be unique, and they are named")
  func duplicates() throws {
    let vault = try people()
    let message = try vault.refusal(Self.person.with(indexes: [.init(["name"], unique: true)]))
    #expect(message.contains("'name'") && message.contains("objects 1 and 3"), "\(message)")
    #expect(!message.contains("Li"))
    _ = try vault.vault.store(
      of: Self.person.with(indexes: [.init(["name", "age"], unique: true)]))
  }

  @Test("goes from a generated objectID to one of its own and back, with every object")
  func objectIDs() throws {
    let vault = try people()
    let message = try vault.refusal(Self.person.with(objectID: ["name"]))
    #expect(message.contains("objects 1 and 3 would have the same object ID"), "\(message)")
    let byAge = try vault.vault.store(of: Self.person.with(objectID: ["age"]))
    #expect(
      try byAge.find(DynamicObjectID([.integer(30)]))?.allValues
        == [.text("Bo"), .integer(30), .null])
    #expect(
      try vault.rows("SELECT rowid FROM Person ORDER BY 1") == [
        [.integer(20)], [.integer(30)], [.integer(40)],
      ])
    let both = try vault.vault.store(of: Self.person.with(objectID: ["name", "age"]))
    #expect(try both.find(DynamicObjectID([.text("Li"), .integer(40)])) != nil)
    let generated = try vault.vault.store(of: Self.person)
    #expect(
      try generated.all().map { try $0.value(of: "age") } == [
        .integer(20), .integer(30), .integer(40),
      ])
    #expect(
      try vault.rows("SELECT count(DISTINCT objectID), count(*) FROM Person") == [
        [.integer(3), .integer(3)]
      ])
    try vault.insert(Self.person, [.text("Al"), .integer(50), .null])
    #expect(try vault.rows("SELECT max(objectID) FROM Person") == [[.integer(41)]])
  }

  @Test("has no objectID that was only added")
  func addedObjectID() throws {
    let vault = try people()
    let message = try vault.refusal(
      Self.person.with(
        Self.person.properties + [.init("code", String.self, defaultValue: "x")], objectID: ["code"]
      ))
    #expect(message.contains("'code' of its object ID is new"), "\(message)")
  }

  private static let team = ClassDescription("Team", properties: [.init("title", String.self)])
  private static func referring(_ rule: DeleteRule) -> ClassDescription {
    person.with(references: [ReferenceDescription("team", target: "Team", onDelete: rule)])
  }

  @Test("refers to objects from now on, by other rules, and no more", .covers("J61"))
  func references() throws {
    let vault = try people()
    try vault.insert(Self.team, [.text("red")])
    func rules() throws -> [String] {
      try vault.vault.file().read {
        try Schema(on: $0).foreignKeys(of: "Person").map(\.onDelete)
      }
    }
    _ = try vault.vault.store(of: Self.referring(.nullify))
    #expect(try rules() == ["SET NULL"])
    #expect(try indexes(vault) == ["ov_Person__name", "ov_Person__team"])
    _ = try vault.vault.store(of: Self.referring(.cascade))
    #expect(try rules() == ["CASCADE"])
    let before = try vault.schema()
    _ = try vault.another().store(of: Self.referring(.cascade))
    #expect(try vault.schema() == before)
    _ = try vault.vault.store(of: Self.person)
    #expect(try rules() == [])
    #expect(try indexes(vault) == ["ov_Person__name"])
    #expect(try vault.rows("SELECT count(*) FROM Person WHERE team = 1") == [[.integer(1)]])
  }

  @Test("is refused where a reference would lead nowhere, and the first objects are named")
  func dangling() throws {
    let vault = try people()
    _ = try vault.vault.store(of: Self.team)
    let message = try vault.refusal(Self.referring(.nullify))
    #expect(message.contains("'team' of object 1 refers"), "\(message)")
  }

  @Test("a reference that is added with its column needs no new table")
  func addedReference() throws {
    let vault = try people()
    _ = try vault.vault.store(of: Self.team)
    let more = Self.person.with(
      Self.person.properties + [.init("second", Int64?.self)],
      references: [ReferenceDescription("second", target: "Team", onDelete: .deny)])
    try vault.vault.transaction { _ = try vault.vault.store(of: more) }
    let keys = try vault.vault.file().read { try Schema(on: $0).foreignKeys(of: "Person") }
    #expect(keys.map(\.columns) == [["second"]])
  }

  @Test("a reference that goes with its property binds nobody any more")
  func removedReference() throws {
    let vault = try ChangingVault()
    try vault.insert(Self.team, [.text("red")])
    let person = Self.referring(.cascade)
    try vault.insert(person, [.text("Li"), .integer(20), .integer(1)])
    _ = try vault.vault.store(
      of: person.with(Array(person.properties.prefix(2)), references: []))
    try vault.run("DELETE FROM Team")
    #expect(try vault.rows("SELECT name, team FROM Person") == [[.text("Li"), .integer(1)]])
  }

  @Test("a composite reference comes and goes")
  func compositeReference() throws {
    let seat = ClassDescription(
      "Seat", properties: [.init("row", Int.self), .init("number", Int.self)],
      objectID: ["row", "number"])
    let guest = ClassDescription(
      "Guest",
      properties: [
        .init("name", String.self), .init("seat_row", Int?.self), .init("seat_number", Int?.self),
      ])
    let vault = try ChangingVault()
    try vault.insert(seat, [.integer(1), .integer(2)])
    try vault.insert(guest, [.text("a"), .integer(1), .integer(2)], [.text("b"), .null, .null])
    let seated = guest.with(references: [
      ReferenceDescription(
        "seat", properties: ["seat_row", "seat_number"], target: "Seat",
        targetColumns: ["row", "number"], onDelete: .nullify)
    ])
    _ = try vault.vault.store(of: seated)
    try vault.run("DELETE FROM Seat")
    #expect(
      try vault.rows("SELECT name, seat_row FROM Guest") == [
        [.text("a"), .null], [.text("b"), .null],
      ])
    _ = try vault.vault.store(of: guest)
    #expect(
      try vault.vault.file().read { try Schema(on: $0).foreignKeys(of: "Guest") }.isEmpty)
  }
}
