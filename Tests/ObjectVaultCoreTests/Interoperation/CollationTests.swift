import ObjectVaultCore
import TestSupport
import Testing

@Suite("Columns that another program created with a collation")
struct CollationTests {
  private let test: TestVault
  private let pupils: ObjectStore<DynamicObject>

  private static let pupil = ClassDescription(
    "Pupil",
    properties: [
      PropertyDescription("id", type: .string), PropertyDescription("name", type: .string),
      PropertyDescription("friend", type: .string, isOptional: true),
    ],
    objectID: ["id"],
    references: [ReferenceDescription("friend", target: "Pupil", targetColumns: ["id"])])

  init() throws {
    test = try TestVault()
    try test.vault.execute([
      "CREATE TABLE Pupil (id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY, "
        + "name TEXT NOT NULL COLLATE \"nocase\", friend TEXT COLLATE NOCASE REFERENCES Pupil (id) "
        + "ON UPDATE CASCADE)",
      "CREATE INDEX named ON Pupil (name)",
      "INSERT INTO Pupil VALUES ('li', 'Li', NULL), ('bo', 'li', 'li'), ('xu', 'LI', 'LI'), "
        + "('zo', 'b', NULL)",
    ])
    pupils = try test.vault.store(of: Self.pupil)
  }

  private func id(_ text: String) -> DynamicObjectID { DynamicObjectID(.text(text)) }

  private func ids(_ condition: String) throws -> [String] {
    try pupils.where(ObjectCondition(condition)).values(of: "id", as: String.self).sorted()
  }

  @Test("A condition compares texts by their bytes")
  func conditions() throws {
    #expect(try ids("name == 'li'") == ["bo"])
    #expect(try ids("name != 'li'") == ["li", "xu", "zo"])
    #expect(try ids("name IN {'li', 'b'}") == ["bo", "zo"])
    #expect(try ids("NOT name IN {'li', 'b'}") == ["li", "xu"])
    #expect(try ids("name BEGINSWITH 'L'") == ["li", "xu"])
    #expect(try ids("name < 'a'") == ["li", "xu"])
    #expect(try ids("name ==[c] 'lI'") == ["bo", "li", "xu"])
    #expect(try ids("friend != nil && friend == 'li'") == ["bo"])
    // The second time, the cached form of the condition is used.
    for (name, id) in [("Li", "li"), ("li", "bo"), ("LI", "xu"), ("lI", nil)] {
      #expect(
        try pupils.where(ObjectCondition("name == %@", name)).first()?.value(of: "id")
          == id.map { .text($0) })
    }
    #expect(try pupils.where("name == 'li'").remove() == 1)
    #expect(try ids("TRUEPREDICATE") == ["li", "xu", "zo"])
  }

  @Test("A condition across a reference follows it by the bytes of the object ID")
  func references() throws {
    #expect(try ids("friend.name == 'Li'") == ["bo"])
    #expect(try ids("friend.name == 'li'") == [])
    #expect(try ids("friend.name BEGINSWITH 'L'") == ["bo"])
  }

  @Test("Sorts, extremes, distinct values and groups use the bytes")
  func order() throws {
    let sorted = ["LI", "Li", "b", "li"]
    #expect(
      try pupils.sorted(by: .ascending("name")).values(of: "name", as: String.self) == sorted)
    #expect(
      try pupils.sorted(by: .descending("name")).range(offset: 1, length: 2)
        .values(of: "name", as: String.self) == ["b", "Li"])
    #expect(try pupils.query.min(of: "name", as: String.self) == "LI")
    #expect(try pupils.query.max(of: "name", as: String.self) == "li")
    #expect(try pupils.query.distinctValues(of: "name", as: String.self) == sorted)
    #expect(try pupils.query.grouped(by: "name").count() == 4)
  }

  @Test("An object ID finds and changes only the object that has its bytes")
  func objectIDs() throws {
    #expect(try pupils.find(id("LI")) == nil && !pupils.contains(id: id("LI")))
    #expect(try pupils.find(id("li"))?.value(of: "name") == .text("Li"))
    #expect(code { try pupils.remove(id: id("LI")) } == .noSuchObject)
    #expect(code { try pupils.changeID(of: id("ZO"), to: id("new")) } == .noSuchObject)
    var other = try #require(try pupils.find(id("zo")))
    try other.set("name", to: .text("B"))
    try pupils.save(other)
    #expect(try pupils.find(id("zo"))?.value(of: "name") == .text("B"))
    try other.set("id", to: .text("ZO"))
    #expect(code { try pupils.update(other) } == .noSuchObject)
    #expect(code { try pupils.insert(other) } == .duplicate)
  }

  @Test("A class without collations has the same statements as always")
  func plainStatements() throws {
    let people = try test.vault.store(of: Person.self)
    let statement = try people.where("name == 'li'").sorted(by: .ascending("name")).explain()
    #expect(!statement.sql.contains("COLLATE"))
    let collated = try pupils.where("name == 'li'").explain()
    #expect(collated.sql.contains("COLLATE BINARY") && collated.suggestions.isEmpty)
  }
}
