import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Conditions on sealed properties")
struct SealedConditionTests {
  private let folder: TemporaryFolder
  private let vault: Vault
  private let patients: ObjectStore<Patient>

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
    patients = try vault.store(of: Patient.self)
    for (number, name) in ["Ada", "Bob", "Cy"].enumerated() {
      var patient = Patient(
        name, "D\(number)", note: number == 1 ? nil : "n", email: number == 2 ? nil : "\(name)@x")
      patient.visits = number == 0 ? nil : number
      try patients.insert(patient)
    }
  }

  @Test(
    "A findable property is found by ==, != and IN, also repeatedly", .covers("E4"),
    arguments: [
      ("email == 'Ada@x'", ["Ada"]), ("email != 'Ada@x'", ["Bob", "Cy"]),
      ("email IN {'Bob@x', 'Ada@x', 'z'}", ["Ada", "Bob"]), ("email IN {'z', nil}", ["Cy"]),
      ("NOT email IN {'Bob@x'}", ["Ada", "Cy"]), ("email == nil", ["Cy"]),
      ("email != nil", ["Ada", "Bob"]), ("visits == 1", ["Bob"]), ("visits == 1.0", ["Bob"]),
      ("visits == 1.5", []), ("visits != 1.5", ["Ada", "Bob", "Cy"]),
      ("visits IN {1, 2}", ["Bob", "Cy"]), ("note == nil", ["Bob"]),
      ("note != nil AND email != 'Cy@x'", ["Ada", "Cy"]),
      ("NOT (email == 'Ada@x' OR visits == 2)", ["Bob"]), ("'Bob@x' == email", ["Bob"]),
    ])
  func found(condition: String, names: [String]) throws {
    for _ in 0..<4 {
      #expect(try patients.where(condition).all().map(\.name) == names)
      #expect(try patients.where(condition).count() == names.count)
    }
  }

  @Test("Arguments and long lists are found", .covers("E4"))
  func arguments() throws {
    for name in ["Ada", "Bob", "none", "Ada"] {
      let found = try patients.where("email == %@", "\(name)@x").all().map(\.name)
      #expect(found == (name == "none" ? [] : [name]))
    }
    let many = (0..<40_000).map { "\($0)" } + ["Bob@x"]
    #expect(try patients.where("email IN %@", many).all().map(\.name) == ["Bob"])
    let plan = try patients.where("email == 'Ada@x'").explain()
    #expect("\(plan)".contains("ovu_Patient__email_sealed"))
  }

  @Test(
    "A condition that the file cannot answer is rejected with the name of the property",
    .covers("E5"),
    arguments: [
      "diagnosis == 'D0'", "diagnosis != 'D0'", "diagnosis IN {'D0'}", "diagnosis < 'x'",
      "diagnosis BEGINSWITH 'D'", "diagnosis LIKE 'D*'", "diagnosis CONTAINS[c] 'd'",
      "diagnosis == name", "name == diagnosis", "diagnosis.length == 2", "diagnosis ==[c] 'd0'",
      "born > 0", "born BETWEEN {0, 2}", "weight + 1 == 71.5",
      "weight > 1", "tags CONTAINS 'a'", "ANY tags == 'a'", "tags.@count == 2",
      "email < 'x'", "email BEGINSWITH 'A'", "email ==[c] 'ada@X'", "email == name",
      "email == note", "visits > 1", "visits + 1 == 2", "visits BETWEEN {1, 2}",
      "name == 'x' AND NOT (diagnosis == 'D0' OR name == 'y')",
    ])
  func rejected(condition: String) throws {
    let error = #expect(throws: VaultError.self, "\(condition)") {
      try patients.where(condition).all()
    }
    #expect(error?.code == .invalidCondition, "\(condition)")
    let names = ["diagnosis", "born", "weight", "tags", "email", "visits"]
    #expect(names.contains { error?.message.contains($0) == true }, "\(condition): \(error!)")
  }

  @Test(
    "Sorts, projections, groups and aggregates of sealed properties are rejected", .covers("E5"),
    arguments: ["diagnosis", "email"])
  func rejectedQueries(property: String) throws {
    func rejects(_ name: String, _ body: () throws -> Void) {
      let error = #expect(throws: VaultError.self, "\(name)") { try body() }
      #expect(error?.message.contains("'\(property)'") == true, "\(name): \(error!)")
    }
    let query = patients.query
    rejects("sort") { _ = try query.sorted(by: Sort(spelling: property)).all() }
    rejects("values") { _ = try query.values(of: property, as: String.self) }
    rejects("stored") { _ = try query.values(of: ["name", property]) }
    rejects("distinct") { _ = try query.distinctValues(of: property, as: String.self) }
    rejects("min") { _ = try query.min(of: property, as: String.self) }
    rejects("sum") { _ = try query.sum(of: property, as: Int.self) }
    rejects("group") { _ = try query.grouped(by: property).count() }
    rejects("update") { try query.update(set: [property: "x"]) }
    rejects("copy") { try query.update { $0.set("name", toValueOf: property) } }
    rejects("partition") { _ = try patients.partition(property, is: "x") }
  }

  @Test("A unique findable property rejects a second object", .covers("E4"))
  func unique() throws {
    let error = #expect(throws: VaultError.self) {
      try patients.insert(Patient("Eve", "x", email: "Bob@x"))
    }
    #expect(error?.code == .duplicate)
    #expect(error?.propertyNames == ["email"])
    try patients.insert(Patient("Eve", "x"))
    try patients.replace(Patient("New", "x", email: "Bob@x"))
    #expect(try patients.all().map(\.name) == ["Ada", "Cy", "Eve", "New"])
  }

  @Test(
    "An object that replaces another by a sealed value removes what refers to it", .covers("E4"))
  func replaceReferred() throws {
    let person = ClassDescription(
      "Person",
      properties: [
        PropertyDescription("id", String.self), PropertyDescription("city", String.self),
        PropertyDescription("email", String?.self).sealed(.findable),
      ],
      objectID: ["id"], indexes: [IndexDescription(["email", "city"], unique: true)])
    let pet = ClassDescription(
      "Pet",
      properties: [
        PropertyDescription("id", String.self), PropertyDescription("owner", String.self),
      ],
      objectID: ["id"],
      references: [
        ReferenceDescription("owner", target: "Person", targetColumns: ["id"], onDelete: .cascade)
      ])
    let (persons, pets) = (try vault.store(of: person), try vault.store(of: pet))
    func put(_ id: String, _ email: String?, _ city: String = "Oslo") throws {
      var object = try DynamicObject(of: person)
      try object.set("id", to: .text(id))
      try object.set("city", to: .text(city))
      try object.set("email", to: email.map { .text($0) } ?? .null)
      try persons.replace(object)
    }
    for (id, email) in [("a", "a@x"), ("b", nil), ("c", "c@x")] {
      try put(id, email)
      var object = try DynamicObject(of: pet)
      try object.set("id", to: .text(id))
      try object.set("owner", to: .text(id))
      try pets.insert(object)
    }
    try put("d", nil)
    try put("e", "a@x", "Rome")
    #expect(try persons.count() == 5)
    #expect(try pets.count() == 3)
    try put("f", "a@x")
    #expect(try persons.where("id == 'a'").count() == 0)
    #expect(try persons.count() == 5)
    #expect(try pets.all().map { try $0.value(of: "id") } == [.text("b"), .text("c")])
  }

  @Test(
    "Statements by hand do not read sealed values, and a store opens their rows",
    .covers("E5"))
  func byHand() throws {
    #expect(
      try patients.objects("SELECT * FROM Patient WHERE name = 'Bob'").map(\.diagnosis) == ["D1"])
    let row = try #require(try vault.rows("SELECT * FROM Patient").first)
    #expect(throws: VaultError.self) { try row.object(Patient.self) }
  }

  @Test("Rows of SQL by hand are checked in classes with sealed properties, too", .covers("E5"))
  func checkedRows() throws {
    let description = ClassDescription(
      "Entry",
      properties: [
        PropertyDescription("text", String.self).sealed(), PropertyDescription("age", Int.self),
      ])
    let entries = try vault.store(of: description)
    try entries.insert(
      DynamicObject(of: description, ["text": .text("secret"), "age": .integer(3)]))
    let found = try entries.objects("SELECT age + 1 AS age, text, objectID FROM Entry")
    #expect(try found.map { try $0.value(of: "age") } == [.integer(4)])
    #expect(try found.map { try $0.value(of: "text") } == [.text("secret")])
    for wrong in ["2.5", "NULL", "'x'"] {
      let error = #expect(throws: VaultError.self) {
        try entries.objects("SELECT objectID, text, \(unchecked: wrong) AS age FROM Entry")
      }
      #expect(error?.code == .invalidValue)
      #expect(error?.message.contains("'age'") == true, "\(error!)")
    }
    #expect(throws: VaultError.self) {
      try entries.objects("SELECT objectID, 'plain' AS text, age FROM Entry")
    }
  }

  @Test(
    "SQL by hand changes no sealed value and nothing that it is bound to", .covers("E2", "E5"),
    arguments: [
      ("UPDATE Patient SET diagnosis = 'plain' WHERE name = 'Ada'", "diagnosis"),
      ("UPDATE patient SET name = 'x', \"DIAGNOSIS\" = note", "diagnosis"),
      ("UPDATE Patient SET email = NULL", "email"),
      ("UPDATE Patient SET objectID = objectID + 100", "objectID"),
      ("UPDATE Patient SET _rowid_ = 99 WHERE name = 'Ada'", "ROWID"),
      ("INSERT INTO Patient (name, diagnosis) VALUES ('Eve', 'plain')", "insert"),
      ("INSERT INTO Patient SELECT * FROM Patient WHERE 0", "insert"),
      ("REPLACE INTO Patient (objectID, name) VALUES (1, 'Eve')", "insert"),
      ("INSERT INTO visit VALUES ('x')", "note"),
    ])
  func writtenByHand(sql: String, name: String) throws {
    let before = try patients.all()
    try vault.execute("CREATE TABLE visit (x)")
    try vault.execute(
      "CREATE TRIGGER visited AFTER INSERT ON visit BEGIN UPDATE Patient SET note = new.x; END")
    let statement = SQLStatement(unchecked: sql)
    let bodies: [() throws -> Void] = [
      { try vault.execute(statement) }, { try vault.validate(statement) },
      { try vault.execute([statement]) },
    ]
    for body in bodies {
      let error = #expect(throws: VaultError.self) { try body() }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains(name) == true, "\(error!)")
    }
    #expect(try patients.all() == before)
    #expect(try !vault.rows("EXPLAIN UPDATE Patient SET diagnosis = 'plain'").isEmpty)
    #expect(try vault.execute("UPDATE Patient SET name = 'Al' WHERE objectID = 1") == 1)
    #expect(try vault.execute("DELETE FROM Patient WHERE name = 'Bob'") == 1)
    #expect(try patients.all().map(\.diagnosis) == ["D0", "D2"])
  }

  @Test("A verification finds plaintext in sealed columns, without the key", .covers("E2"))
  func verified() throws {
    #expect(try vault.verify().unsealedValues == [])
    try vault.runAsOtherProgram("UPDATE Patient SET diagnosis = 'plain' WHERE name <> 'Ada'")
    try vault.runAsOtherProgram("UPDATE Patient SET visits = 5 WHERE name = 'Cy'")
    try vault.runAsOtherProgram("UPDATE Patient SET scan = zeroblob(80) WHERE name = 'Cy'")
    try vault.runAsOtherProgram("UPDATE Patient SET note = x'0100000001' WHERE name = 'Cy'")
    vault.close()
    let report = try DatabaseFile(at: vault.path, key: .ofTests).verify()
    #expect(!report.isSound)
    #expect(
      report.unsealedValues == [
        "2 values of property 'diagnosis' of class 'Patient'",
        "a value of property 'note' of class 'Patient'",
        "a value of property 'visits' of class 'Patient'",
        "a value of property 'scan' of class 'Patient'",
      ])
  }
}
