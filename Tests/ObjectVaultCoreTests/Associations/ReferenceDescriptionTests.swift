import ObjectVaultCore
import ObjectVaultEngine
import Testing
import TestSupport

/// A class with two parts to its objectID, for others to refer to.
private let region = ClassDescription(
  "Region",
  properties: [
    PropertyDescription("country", type: .string), PropertyDescription("code", type: .int),
  ], objectID: ["country", "code"])

private func town(
  optional: Bool = true, onDelete: DeleteRule = .nullify, indexes: [IndexDescription] = []
) -> ClassDescription {
  ClassDescription(
    "Town",
    properties: [
      PropertyDescription("name", type: .string),
      PropertyDescription("region_country", type: .string, isOptional: optional),
      PropertyDescription("region_code", type: .int, isOptional: optional),
      PropertyDescription("mayor", type: .int64, isOptional: true),
    ], indexes: indexes,
    references: [
      ReferenceDescription(
        "region", properties: ["region_country", "region_code"], target: "Region",
        targetColumns: ["country", "code"], onDelete: onDelete),
      ReferenceDescription("mayor", target: "Person", onDelete: .deny),
    ])
}

/// A class with two views of the same objects.
private struct Project: StoredObject {
  var name: String
  var byDate: [ProjectTask]?
  var byPriority: [ProjectTask]?

  static let classDescription = ClassDescription(
    "Project",
    members: [
      .property(.init("name", String.self)),
      .owned("byDate", ProjectTask.self, reference: "project", sortedBy: ["date"]),
      .owned("byPriority", ProjectTask.self, reference: "project", sortedBy: ["priority"]),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "Project", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [ProjectTask.self] }
  static var ownedProperties: [OwnedProperty<Project>] {
    [
      .many(\.byDate, by: \ProjectTask.project), .many(\.byPriority, by: \ProjectTask.project),
    ]
  }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  var storedObjectID: String? { name }
}

private struct ProjectTask: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var date: Int
  var priority: Int
  var project: Ref<Project>?

  static let classDescription = ClassDescription(
    "ProjectTask",
    members: [
      .property(.init("date", Int.self)), .property(.init("priority", Int.self)),
      .reference("project", Ref<Project>?.self, onDelete: .cascade),
    ])
  static var referencedClasses: [any StoredObject.Type] { [Project.self] }
  init(row: Row) throws {
    (date, priority) = (try row.value(at: 0), try row.value(at: 1))
    (project, objectID) = (try row.value(at: 2), try row.value(at: 3))
  }
  func encode(into binder: Binder) throws {
    try binder.bind(date, at: 0)
    try binder.bind(priority, at: 1)
    try binder.bind(project, at: 2)
  }
}

@Suite("The description of an association") struct ReferenceDescriptionTests {
  @Test(
    "a reference is a foreign key of the file, deferred and with an index", .covers("S65", "J59"))
  func definition() {
    let definition = TableDefinition(description: town())
    #expect(
      definition.createTable()
        == "CREATE TABLE \"Town\" (\"objectID\" INTEGER PRIMARY KEY AUTOINCREMENT, "
        + "\"name\" TEXT NOT NULL, \"region_country\" TEXT, \"region_code\" INTEGER, "
        + "\"mayor\" INTEGER REFERENCES \"Person\" (\"objectID\") ON UPDATE CASCADE "
        + "ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED, "
        + "FOREIGN KEY (\"region_country\", \"region_code\") REFERENCES \"Region\" "
        + "(\"country\", \"code\") ON UPDATE CASCADE ON DELETE SET NULL "
        + "DEFERRABLE INITIALLY DEFERRED)")
    #expect(
      definition.indexes().map(\.statement) == [
        "CREATE INDEX \"ov_Town__region_country_region_code\" ON \"Town\" "
          + "(\"region_country\", \"region_code\")",
        "CREATE INDEX \"ov_Town__mayor\" ON \"Town\" (\"mayor\")",
      ])
  }

  @Test(
    "each delete rule has its action in SQL, and deny is none",
    arguments: [
      (DeleteRule.cascade, "CASCADE"), (.nullify, "SET NULL"), (.deny, "NO ACTION"),
      (.noAction, "NO ACTION"),
    ])
  func actions(rule: DeleteRule, action: String) {
    let text = TableDefinition(description: town(onDelete: rule)).createTable()
    #expect(text.contains("(\"country\", \"code\") ON UPDATE CASCADE ON DELETE \(action) "))
  }

  @Test("no second index is made where one begins with the reference, or the objectID does")
  func indexes() {
    let description = town(indexes: [
      IndexDescription(["mayor", "name"], unique: true),
      IndexDescription(["region_code", "region_country"]),
    ])
    #expect(
      TableDefinition(description: description).indexes().map(\.name) == [
        "ovu_Town__mayor_name", "ov_Town__region_code_region_country",
        "ov_Town__region_country_region_code",
      ])
    let part = ClassDescription(
      "Part", properties: [PropertyDescription("whole", type: .int64)], objectID: ["whole"],
      references: [ReferenceDescription("whole", target: "Whole", onDelete: .cascade)])
    #expect(TableDefinition(description: part).indexes().isEmpty)
    #expect(
      TableDefinition(description: part).createTable()
        == "CREATE TABLE \"Part\" (\"whole\" INTEGER PRIMARY KEY NOT NULL REFERENCES \"Whole\" "
        + "(\"objectID\") ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED)")
  }

  @Test("is written down with the class and comes back")
  func json() throws {
    var description = town()
    description.owned = [
      OwnedDescription("streets", target: "Street", reference: "town", sortedBy: ["name"]),
      OwnedDescription("hall", target: "Building", reference: "hallOf", isMany: false),
    ]
    #expect(try ClassDescription(json: description.json, table: "Town") == description)
    #expect(!region.json.contains("references") && !region.json.contains("owned"))
    #expect(try ClassDescription(json: region.json, table: "Region") == region)
  }

  @Test(
    "that contradicts itself is refused with its reason",
    arguments: [
      (town(optional: false), "is not optional"),
      (
        ClassDescription("A", properties: [], references: [.init("b", target: "B")]),
        "'b', which is not a property"
      ),
      (
        ClassDescription(
          "A", properties: [.init("b", type: .int64)],
          references: [.init("b", target: "B", targetColumns: ["x", "y"])]),
        "1 properties for the 2 columns"
      ),
      (
        ClassDescription(
          "A",
          properties: [.init("x", type: .int64), .init("y", type: .int64, isOptional: true)],
          references: [
            .init("b", properties: ["x", "y"], target: "B", targetColumns: ["x", "y"])
          ]), "only some properties"
      ),
      (
        ClassDescription(
          "A", properties: [.init("b", type: .int64)],
          references: [.init("b", target: "B"), .init("b", target: "C")]), "two references 'b'"
      ),
      (
        ClassDescription(
          "A", properties: [.init("b", type: .int64), .init("c", type: .int64)],
          references: [.init("b", properties: ["c"], target: "B")]),
        "both a property and a reference"
      ),
      (
        ClassDescription(
          "A", properties: [.init("b", type: .int64, isOptional: true)], objectID: ["b"],
          references: [.init("b", target: "B", onDelete: .nullify)]), "part of the object ID"
      ),
      (
        ClassDescription(
          "A", properties: [.init("b", type: .int64)],
          owned: [.init("b", target: "B", reference: "a")]), "another member"
      ),
      (
        ClassDescription("A", properties: [], owned: [.init("as", target: "A", reference: "a")]),
        "of the class itself"
      ),
      (
        ClassDescription("A", properties: [], owned: [.init("bs", target: "B", reference: "")]),
        "a reference to their owner"
      ),
      (
        ClassDescription("A", properties: [PropertyDescription("room", Ref<Classroom>?.self)]),
        "property 'room' is a reference"
      ),
    ])
  func refused(description: ClassDescription, part: String) throws {
    let error = try #require(throws: VaultError.self) { try description.validate() }
    #expect(error.code == .invalidClass)
    #expect(error.message.contains(part), "\(error)")
  }

  @Test("that does not fit another class is refused with its reason")
  func misfits() throws {
    let others = ["Region": region]
    try town().validateAssociations(among: others)
    func reason(_ description: ClassDescription, _ others: ClassDescription...) throws -> String {
      let error = try #require(throws: VaultError.self) {
        try description.validateAssociations(
          among: Dictionary(uniqueKeysWithValues: others.map { ($0.table, $0) }))
      }
      #expect(error.code == .invalidClass)
      return error.message
    }
    var other = region
    other.objectID = .properties([1, 0])
    #expect(
      try reason(town(), other).contains("but the object ID of that class is 'code', 'country'"))
    other = region
    other.properties[1].type = .string
    #expect(try reason(town(), other).contains("'region_code'"))

    let owner = ClassDescription(
      "Owner", properties: [],
      owned: [.init("parts", target: "Part", reference: "owner", sortedBy: ["place"])])
    var part = ClassDescription(
      "Part", properties: [.init("owner", type: .int64), .init("place", type: .int)],
      references: [.init("owner", target: "Owner")])
    try owner.validateAssociations(among: ["Part": part])
    part.properties[1].name = "position"
    #expect(try reason(owner, part).contains("'place'"))
    part.references[0].target = "Other"
    #expect(try reason(owner, part).contains("which does not refer to class 'Owner'"))

    part = ClassDescription(
      "Part", properties: [.init("owner", type: .int64), .init("place", type: .int)],
      references: [.init("owner", target: "Owner")],
      owned: [.init("owners", target: "Owner", reference: "part")])
    #expect(try reason(owner, part).contains("its owned objects lead back to the class"))
  }

  @Test("of two owned properties of a type by one reference is refused, but not that of a file")
  func sameReference() throws {
    let test = try TestVault()
    let error = #expect(throws: VaultError.self) { _ = try test.vault.store(of: Project.self) }
    #expect(error?.code == .invalidClass)
    #expect(error?.message.contains("'byDate' and 'byPriority' use the same reference") == true)
    #expect(try test.vault.classes().isEmpty)
    let descriptions = (Project.classDescription, ProjectTask.classDescription)
    _ = try test.vault.store(of: descriptions.0, with: [descriptions.1])
    #expect(try test.vault.store(named: "Project").count() == 0)
  }

  @Test("tells whether owned objects refer to others than their owners, and have one owner only")
  func referringAhead() {
    let wall = [Wall.classDescription, Hook.classDescription]
    #expect(wall[0].ownedReferAhead(among: wall))
    let grade = [GradeLevel.classDescription, SchoolClass.classDescription, Human.classDescription]
    #expect(!grade[0].ownedReferAhead(among: grade))
    let tape = [Mixtape.classDescription, MixSide.classDescription, MixSong.classDescription]
    #expect(!tape[0].ownedReferAhead(among: tape))
    #expect(wall[0].soleOwnedTables(among: wall) == ["Hook"])
    #expect(grade[0].soleOwnedTables(among: grade) == ["SchoolClass"])
    #expect(tape[0].soleOwnedTables(among: tape) == ["MixSide"])
  }
}
