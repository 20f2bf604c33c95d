import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

@Suite("What a class says of its columns")
struct ColumnDefinitionTests {
  private static func person(_ name: PropertyDescription) -> ClassDescription {
    ClassDescription("Person", properties: [name, .init("age", Int.self)])
  }
  private static let name = PropertyDescription("name", String.self)

  @Test(
    "is in the file, comes back from it, and differs from none", .covers("J8", "J9", "P59", "P60"))
  func description() throws {
    let vault = try ChangingVault()
    var description = ClassDescription(
      "Person",
      properties: [
        Self.name.columnDefined(length: .atMost(10), constraints: "CHECK (\"name\" <> 'x')"),
        PropertyDescription("born", Double.self).columnDefined(type: "DATETIME"),
        PropertyDescription("photo", type: .data).columnDefined(length: .declared(3)),
      ], objectID: ["name"],
      options: TableOptions(
        columnOrder: .listed(["photo"]), withoutRowID: true, insertionTime: true))
    _ = try vault.vault.store(of: description)
    #expect(try vault.vault.classes() == [description])
    let next = try vault.reopened()
    #expect(try next.vault.store(named: "Person").classDescription == description)
    let before = try next.schema()
    _ = try next.vault.store(of: description)
    #expect(try next.schema() == before)
    description.options.columnOrder = .keysFirst
    _ = try next.vault.store(of: description)
    #expect(try next.vault.classes() == [description])
    #expect(try SchemaSnapshot(of: next.vault).text.contains("\"columnOrder\": \"keysFirst\""))
    #expect(
      try next.rows("SELECT sql FROM sqlite_master WHERE name = 'Person'") == [
        [
          .text(
            """
            CREATE TABLE "Person" ("name" VARCHAR ( 10 ) PRIMARY KEY NOT NULL CONSTRAINT \
            "at most 10 characters in name" CHECK ( length ( CAST ( "name" AS BLOB ) ) <= 10 OR \
            length ( "name" ) <= 10 AND instr ( "name" , char ( 0 ) ) = 0 ) CHECK ( "name" <> 'x' ), \
            "born" DATETIME NOT NULL, "photo" BLOB ( 3 ) NOT NULL, "ov_inserted" REAL) WITHOUT ROWID
            """)
        ]
      ])
  }

  @Test("names what is too long, and never the value")
  func tooLong() throws {
    let vault = try ChangingVault()
    let person = Self.person(Self.name.columnDefined(length: .atMost(5)))
    let error = #expect(throws: VaultError.self) {
      try vault.insert(person, [.text("Xyzzy-MARKER"), .integer(1)])
    }
    #expect(error?.code == .constraint)
    #expect(error?.message.contains("at most 5 characters in name") == true, "\(error!)")
    #expect("\(error!)".contains("Xyzzy") == false)
  }

  @Test(
    "is refused, with what to do, where it makes no sense", .covers("J9", "P60"),
    arguments: [
      (name.columnDefined(type: "DATETIME"), "affinity NUMERIC"),
      (name.columnDefined(type: "POINT"), "affinity INTEGER"),
      (name.columnDefined(type: ""), "has an invalid type"),
      (name.columnDefined(type: "TEXT NOT NULL"), "has an invalid type"),
      (name.columnDefined(type: "TEXT, x TEXT"), "has an invalid type"),
      (name.columnDefined(type: "TEXT) --"), "has an invalid type"),
      (name.columnDefined(type: "TEXT'"), "has an invalid type"),
      (name.columnDefined(type: "(3)"), "has an invalid type"),
      (name.columnDefined(type: "VARCHAR(3)", length: .atMost(4)), "another"),
      (name.columnDefined(length: .atMost(0)), "length of property 'name' is 0"),
      (name.columnDefined(length: .declared(-1)), "is -1"),
      (
        PropertyDescription("name", Int.self).columnDefined(length: .atMost(1)),
        "has a length, but its type is Int"
      ),
      (name.columnDefined(constraints: ""), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (1"), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (1))"), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (1)) WITHOUT ROWID; --("), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (1), x"), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (name <> '"), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (name <> ?)"), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (name <> :a)"), "are not valid SQL"),
      (name.columnDefined(constraints: "no constraint"), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (1)\u{0}"), "are not valid SQL"),
      (name.columnDefined(constraints: "CHECK (ov_decimal(name))"), "a name of the library"),
      (name.columnDefined(constraints: "NOT NULL"), "may be NULL"),
      (name.columnDefined(constraints: "NULL"), "may be NULL"),
      (name.columnDefined(constraints: "PRIMARY KEY"), "primary key"),
      (name.columnDefined(constraints: "UNIQUE"), "unique index"),
      (name.columnDefined(constraints: "REFERENCES \"Person\""), "foreign key"),
      (name.columnDefined(constraints: "COLLATE NOCASE"), "by its bytes"),
      (name.columnDefined(constraints: "GENERATED ALWAYS AS (1)"), "generate"),
      (name.columnDefined(constraints: "DEFAULT 1 DEFAULT 2"), "default"),
      (
        PropertyDescription("name", String.self, defaultValue: "a")
          .columnDefined(constraints: "DEFAULT 'b'"), "default"
      ),
      (name.columnDefined(constraints: "CHECK (missing > 1)"), "engine rejects"),
      (name.columnDefined(constraints: "CHECK ((SELECT 1))"), "engine rejects"),
    ])
  func refused(_ property: PropertyDescription, _ reason: String) throws {
    let vault = try ChangingVault()
    let error = #expect(throws: VaultError.self) {
      _ = try vault.vault.store(of: Self.person(property))
    }
    #expect(error?.code == .invalidClass, "\(error!)")
    #expect(error?.message.contains(reason) == true, "\(error!)")
    #expect(try vault.vault.classes() == [])
  }

  @Test("is refused for a class as a whole where it makes no sense", .covers("P59", "P66"))
  func refusedOptions() throws {
    let vault = try ChangingVault()
    func refusal(_ description: ClassDescription) -> String? {
      let error = #expect(throws: VaultError.self) { _ = try vault.vault.store(of: description) }
      #expect(error?.code == .invalidClass)
      return error?.message
    }
    var person = Self.person(Self.name)
    person.options.isWithoutRowID = true
    #expect(refusal(person)?.contains("Use properties as its object ID") == true)
    person.options = TableOptions(columnOrder: .listed(["age", "age"]))
    #expect(refusal(person)?.contains("twice") == true)
    person.options = TableOptions(columnOrder: .listed(["ages"]))
    #expect(refusal(person)?.contains("'ages'") == true)
    let optional = ClassDescription(
      "Seat", properties: [.init("number", Int?.self)], objectID: ["number"],
      options: TableOptions(withoutRowID: true))
    #expect(refusal(optional)?.contains("is optional") == true)
    let searched = ClassDescription(
      "Note", properties: [.init("text", String.self)], objectID: ["text"],
      search: SearchDescription(["text"]), options: TableOptions(withoutRowID: true))
    #expect(refusal(searched)?.contains("full-text index") == true)
    let typed = ClassDescription(
      "Seat", properties: [PropertyDescription("number", Int.self).columnDefined(type: "BIGINT")],
      objectID: ["number"])
    #expect(refusal(typed)?.contains("only in a column of type INTEGER") == true)
  }

  @Test("keeps numbers and dates exactly in a column of another program's type", .covers("J9"))
  func exact() throws {
    let vault = try ChangingVault()
    let mixed = ClassDescription(
      "Mixed",
      properties: [
        PropertyDescription("flag", Bool.self).columnDefined(type: "BOOLEAN"),
        PropertyDescription("number", Int.self).columnDefined(type: "NUMERIC(20)"),
        PropertyDescription("real", Double.self).columnDefined(type: "DECIMAL"),
        PropertyDescription("text", String.self).columnDefined(type: "NVARCHAR(9)"),
      ])
    let rows: [[StoredValue]] = [
      [.integer(1), .integer(.max), .real(1e300), .text("1")],
      [.integer(0), .integer(.min), .real(3), .text("01.0")],
      [.integer(1), .integer(9_007_199_254_740_993), .real(-0.1), .text("x")],
    ]
    try vault.insert(mixed, rows[0], rows[1], rows[2])
    let store = try vault.vault.store(of: mixed)
    let found = try store.all()
    #expect(found.map { $0.allValues.map(\.asDouble) } == rows.map { $0.map(\.asDouble) })
    #expect(try found.map { try $0.value(of: "number") } == rows.map { $0[1] })
    #expect(try found.map { try $0.value(of: "text") } == rows.map { $0[3] })
    #expect(try store.where("real == 3 && flag == FALSE && text == '01.0'").count() == 1)
    #expect(try store.where("number == 9007199254740993").count() == 1)
    #expect(try store.where("number == 9007199254740992").count() == 0)
  }

  @Test(
    "changes with the class, and what other programs wrote beside it stays", .covers("P60", "J8"))
  func changed() throws {
    let vault = try ChangingVault()
    let first = Self.person(Self.name.columnDefined(constraints: "CHECK (\"name\" <> 'a')"))
    try vault.insert(first, [.text("b"), .integer(1)])
    // As another program would make the table anew.
    try vault.run(
      "CREATE TABLE other (\"objectID\" INTEGER PRIMARY KEY AUTOINCREMENT, \"name\" TEXT NOT NULL "
        + "CHECK (\"name\" <> 'a') CHECK (\"name\" <> 'theirs'), \"age\" INTEGER NOT NULL)",
      "INSERT INTO other SELECT * FROM \"Person\"", "DROP TABLE \"Person\"",
      "ALTER TABLE other RENAME TO \"Person\"")
    let next = try vault.reopened()
    let second = Self.person(
      Self.name.columnDefined(type: "CLOB", constraints: "CHECK (\"name\" <> 'c')"))
    let store = try next.vault.store(of: second)
    #expect(try store.count() == 1)
    try next.insert(second, [.text("a"), .integer(1)])
    for name in ["c", "theirs"] {
      #expect(throws: VaultError.self) {
        try next.insert(second, [.text(name), .integer(1)])
      }
    }
    let third = Self.person(Self.name)
    try next.insert(third, [.text("c"), .integer(1)])
    #expect(throws: VaultError.self) { try next.insert(third, [.text("theirs"), .integer(1)]) }
    #expect(try next.rows("SELECT count(*) FROM \"Person\"") == [[.integer(3)]])
    #expect("\(try next.schema())".contains("CLOB") == false)
  }

  @Test("gives what was there its default, where a property was added", .covers("P60"))
  func addedDefault() throws {
    let vault = try ChangingVault()
    let person = Self.person(Self.name)
    try vault.insert(person, [.text("Li"), .integer(1)], [.text("Bo"), .integer(2)])
    let more = person.with(
      person.properties + [
        PropertyDescription("town", String.self).columnDefined(
          constraints: "DEFAULT ('a' || 'b') CHECK (length(\"town\") > 1)")
      ])
    let store = try vault.vault.store(of: more)
    #expect(try store.all().map { try $0.value(of: "town") } == [.text("ab"), .text("ab")])
    let stricter = more.with(
      more.properties + [
        PropertyDescription("zip", String?.self).columnDefined(constraints: "CHECK (\"age\" > 1)")
      ])
    #expect(
      try vault.refusal(stricter).contains(
        "the constraints of properties 'town' and 'zip' reject object 1."))
  }

  @Test(
    "refuses what is stored and violates a constraint, by property and object", .covers("P60"))
  func violatedAlready() throws {
    let vault = try ChangingVault()
    let person = Self.person(Self.name)
    try vault.insert(
      person, [.text("Li"), .integer(1)], [.text("Ed"), .integer(1)], [.text("Bo"), .integer(9)])
    try vault.vault.store(of: person).where("name == 'Ed'").remove()
    func limited(_ objectID: [String] = []) -> ClassDescription {
      let age = PropertyDescription("age", Int.self)
      return person.with(
        [Self.name, age.columnDefined(constraints: "CHECK (\"age\" < 2)")], objectID: objectID)
    }
    let message = try vault.refusal(limited())
    #expect(message.contains("the constraints of property 'age' reject object 3."), "\(message)")
    #expect(message.contains("change the constraints"), "\(message)")
    #expect(!message.contains("program"), "\(message)")
    _ = try vault.vault.store(of: person.with(objectID: ["name"]))
    #expect(
      try vault.refusal(limited(["name"])).contains("reject the 2nd object by insertion"))
    // A constraint of another program can be the one that is violated.
    try vault.run(
      "CREATE TABLE other (\"name\" TEXT PRIMARY KEY NOT NULL CHECK (\"name\" <> 'theirs'), "
        + "\"age\" INTEGER NOT NULL)",
      "INSERT INTO other SELECT \"name\", \"age\" FROM \"Person\"", "DROP TABLE \"Person\"",
      "ALTER TABLE other RENAME TO \"Person\"")
    let next = try vault.reopened()
    #expect(try next.refusal(limited(["name"])).contains("a constraint of table 'Person'"))
  }

  @Test(
    "refuses what is stored and too long, by name, and nothing changes", .covers("J8"))
  func tooLongAlready() throws {
    let vault = try ChangingVault()
    let person = Self.person(Self.name)
    try vault.insert(person, [.text("Li"), .integer(1)], [.text("Bartholomew"), .integer(2)])
    let shorter = Self.person(Self.name.columnDefined(length: .atMost(5)))
    #expect(try vault.refusal(shorter).contains("object 2 has more"))
    let fitting = Self.person(Self.name.columnDefined(length: .atMost(11)))
    #expect(try vault.vault.store(of: fitting).count() == 2)
  }

  @Test("is that of the class if a removed property is added again", .covers("J8", "P60"))
  func addedAgain() throws {
    let vault = try ChangingVault()
    let limited = Self.person(
      Self.name.columnDefined(length: .atMost(5), constraints: "CHECK (\"name\" <> 'x')"))
    try vault.insert(limited, [.text("Li"), .integer(1)])
    let less = limited.with([limited.properties[1]])
    _ = try vault.vault.store(of: less)
    try vault.insert(
      Self.person(Self.name), [.text("Bartholomew"), .integer(2)], [.text("x"), .integer(3)])
    #expect("\(try vault.schema())".contains("CHECK") == false)
    _ = try vault.vault.store(of: less)
    let shorter = Self.person(Self.name.columnDefined(length: .atMost(5)))
    #expect(try vault.refusal(shorter).contains("object 2 has more"))
    let fitting = Self.person(Self.name.columnDefined(length: .atMost(11)))
    let error = #expect(throws: VaultError.self) {
      try vault.insert(fitting, [.text("Bartholomew II"), .integer(4)])
    }
    #expect(error?.code == .constraint)
    #expect(try vault.vault.store(of: fitting).count() == 3)
  }
}

extension StoredValue {
  fileprivate var asDouble: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
