import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import ObjectVaultStores
import Testing
import TestSupport

/// Words of SQL as names, and names that need quoting.
private struct Order: StoredObject, GeneratesObjectID, Hashable {
  var objectID: Int64?
  var group: Int
  var select: String

  init(group: Int, select: String) {
    self.group = group
    self.select = select
  }

  static let classDescription = ClassDescription(
    "Order", table: "order",
    properties: [
      PropertyDescription("group", Int.self, column: "group"),
      PropertyDescription("select", String.self, column: "sel\"ect — 選択"),
    ],
    indexes: [IndexDescription(["group", "select"])])

  init(row: Row) throws {
    group = try row.value(at: 0)
    select = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(group, at: 0)
    try binder.bind(select, at: 1)
  }
}

private class Base {
  var lost = "lost"
}

private final class Derived: Base, StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var kept = ""

  override init() {}
  static let classDescription = ClassDescription(
    "Derived", properties: [PropertyDescription("kept", String.self)])
  init(row: Row) throws { kept = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(kept, at: 0) }
}

@Suite("A class's table") struct TableTests {
  private func rows(_ vault: Vault, _ sql: String) throws -> [[StoredValue]] {
    try vault.file().read { connection in
      try connection.with(sql) { statement in
        var rows: [[StoredValue]] = []
        while try statement.step() {
          rows.append((0..<statement.columnCount).map { statement.row.storedValue(at: $0) })
        }
        return rows
      }
    }
  }

  @Test(
    "is made by asking for a store, named after the class, with a column for each property",
    .covers("S5", "S14", "S15", "S60", "X2", "X3", "J3", "J66", "P53"))
  func made() throws {
    let test = try TestVault()
    _ = try test.vault.store(of: Person.self)
    _ = try test.vault.store(of: Item.self)
    let tables = try rows(
      test.vault,
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name IN ('Person', 'Item')")
    #expect(
      tables == [
        [
          .text("Person"),
          .text(
            "CREATE TABLE \"Person\" (\"objectID\" INTEGER PRIMARY KEY AUTOINCREMENT, "
              + "\"name\" TEXT NOT NULL, \"age\" INTEGER NOT NULL, \"note\" TEXT)"),
        ],
        [
          .text("Item"),
          .text(
            "CREATE TABLE \"Item\" (\"code\" TEXT PRIMARY KEY NOT NULL, "
              + "\"price\" REAL NOT NULL, \"isSold\" INTEGER)"),
        ],
      ])
    #expect(try test.vault.classes().map(\.name) == ["Item", "Person"])
    #expect(try test.vault.classes().first { $0.name == "Item" } == Item.classDescription)
  }

  @Test("is left alone, without a lock, when it is as it must be")
  func unchanged() throws {
    let test = try TestVault()
    try test.vault.store(of: Account.self).insert(Account(owner: "Li"))
    test.vault.close()
    let again = try test.another()
    try again.open()
    let before = try again.file().read { try $0.engine.pragma("data_version") }
    #expect(try again.store(of: Account.self).count() == 1)
    let after = try again.file().read { try $0.engine.pragma("data_version") }
    #expect(before == after)
  }

  @Test("may have words of SQL and any text as names", .covers("S59", "X37", "X42", "P58"))
  func keywords() throws {
    let test = try TestVault()
    let orders = try test.vault.store(of: Order.self)
    try orders.insert(contentsOf: [Order(group: 2, select: "b"), Order(group: 1, select: "a")])
    #expect(try orders.where("group == 1 && #select == 'a'").count() == 1)
    #expect(try orders.query.sorted(by: "group").all().map(\.select) == ["a", "b"])
    var first = try #require(try orders.first())
    first.select = "changed"
    try orders.update(first)
    #expect(try orders.find(1)?.select == "changed")
    try orders.remove(first)
    #expect(try orders.count() == 1)
  }

  @Test("has its indexes, and they serve", .covers("J61", "P65"))
  func indexes() throws {
    let test = try TestVault()
    _ = try test.vault.store(of: Account.self)
    let indexes = try rows(
      test.vault,
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY name")
    #expect(indexes == [[.text("ov_Account__balance_owner")], [.text("ovu_Account__owner")]])
    let plan = try rows(
      test.vault, "EXPLAIN QUERY PLAN SELECT 1 FROM \"Account\" WHERE \"owner\" = 'x'")
    #expect("\(plan)".contains("ovu_Account__owner"))
  }

  @Test("a class with a superclass is refused, not stored in part", .covers("S6", "D8", "J7"))
  func superclass() throws {
    let test = try TestVault()
    let error = try #require(throws: VaultError.self) {
      _ = try test.vault.store(of: Derived.self)
    }
    #expect(error.code == .invalidClass)
    #expect(error.message.contains("'Base'"))
  }

  @Test(
    "what contradicts itself is refused with its reason",
    arguments: [
      ClassDescription("A", table: "sqlite_a", properties: []),
      ClassDescription("A", table: "OV_a", properties: []),
      ClassDescription("A", table: "objectvault_a", properties: []),
      ClassDescription("A", table: "", properties: []),
      ClassDescription("", table: "a", properties: []),
      ClassDescription("A", table: "a\u{0}b", properties: []),
      ClassDescription(
        "A",
        properties: [PropertyDescription("x", type: .int), PropertyDescription("x", type: .int)]),
      ClassDescription(
        "A",
        properties: [PropertyDescription("x", type: .int), PropertyDescription("X", type: .int)]),
      ClassDescription("A", properties: [PropertyDescription("objectID", type: .int)]),
      ClassDescription("A", properties: [PropertyDescription("x", type: .int)], objectID: ["y"]),
      ClassDescription(
        "A", properties: [PropertyDescription("x", type: .string, isOptional: true)],
        objectID: ["x"]),
      ClassDescription(
        "A", properties: [PropertyDescription("x", type: .int)],
        indexes: [IndexDescription(["y"])]),
      ClassDescription(
        "A", properties: [PropertyDescription("x", type: .int)], indexes: [IndexDescription([])]),
      ClassDescription(
        "A", properties: (0..<1000).map { PropertyDescription("p\($0)", type: .int) }),
      ClassDescription(
        "A", properties: [PropertyDescription("x", type: .double, defaultValue: .real(.nan))]),
      ClassDescription(
        "A",
        properties: ["a_b", "a", "b"].map { PropertyDescription($0, type: .int) },
        indexes: [IndexDescription(["a_b"]), IndexDescription(["a", "b"])]),
    ])
  func refused(description: ClassDescription) throws {
    let test = try TestVault()
    let error = try #require(throws: VaultError.self) {
      _ = try test.vault.store(of: description)
    }
    #expect(error.code == .invalidClass, "\(error)")
    #expect(try test.vault.classes().isEmpty)
  }

  @Test("a table stays its type's under another name, and is no other described class's")
  func renamedType() throws {
    struct Human: StoredObject, GeneratesObjectID {
      var objectID: Int64?
      static let classDescription = ClassDescription(
        "Human", table: "Person", properties: Person.classDescription.properties)
      init(row: Row) throws {}
      func encode(into binder: Binder) throws {}
    }
    let test = try TestVault()
    try test.vault.store(of: Person.self).insert(Person(name: "Li"))
    test.vault.close()
    let vault = try test.another()
    let described = Human.classDescription
    #expect(code { _ = try vault.store(of: described) } == .invalidClass)
    #expect(try vault.classes() == [Person.classDescription])
    #expect(try vault.store(of: Human.self).count() == 1)
    #expect(try vault.classes() == [described])
    #expect(try vault.store(of: described).count() == 1)
    #expect(code { _ = try vault.store(of: Person.self) } == .invalidClass)
  }

  @Test("two types for one table are refused, as are names that differ in case only")
  func oneTable() throws {
    struct Other: StoredObject, GeneratesObjectID {
      var objectID: Int64?
      static let classDescription = ClassDescription("Other", table: "Person", properties: [])
      init(row: Row) throws {}
      func encode(into binder: Binder) throws {}
    }
    let test = try TestVault()
    _ = try test.vault.store(of: Person.self)
    #expect(code { _ = try test.vault.store(of: Other.self) } == .invalidClass)
    #expect(
      code { _ = try test.vault.store(of: ClassDescription("PERSON", properties: [])) }
        == .invalidClass)
  }

  @Test(
    "that differs from the class is refused with every difference, and left as it is",
    arguments: [
      ("CREATE TABLE Item (code TEXT PRIMARY KEY NOT NULL, price REAL NOT NULL)", "'isSold'"),
      ("CREATE TABLE Item (code TEXT PRIMARY KEY, price TEXT NOT NULL, isSold INTEGER)", "REAL"),
      ("CREATE TABLE Item (code TEXT PRIMARY KEY, price REAL, isSold INTEGER)", "may be NULL"),
      (
        "CREATE TABLE Item (code TEXT PRIMARY KEY, price REAL NOT NULL, isSold INTEGER NOT NULL)",
        "is NOT NULL"
      ),
      (
        "CREATE TABLE Item (code TEXT, price REAL NOT NULL PRIMARY KEY, isSold INTEGER)",
        "primary key"
      ),
      (
        "CREATE TABLE Item (code TEXT PRIMARY KEY, price REAL NOT NULL, isSold INTEGER, "
          + "more TEXT NOT NULL)", "'more' needs a value"
      ),
    ])
  func mismatch(sql: String, part: String) throws {
    let test = try TestVault()
    try test.vault.file().join { try $0.execute(sql) }
    let error = try #require(throws: VaultError.self) { _ = try test.vault.store(of: Item.self) }
    #expect(error.code == .schemaMismatch)
    #expect(error.message.contains(part), "\(error)")
    #expect(
      try rows(test.vault, "SELECT sql FROM sqlite_master WHERE name = 'Item'") == [[.text(sql)]])
  }

  @Test(
    "values that are absent stay absent, and apart from empty ones", .covers("S61", "S62", "X45"))
  func absent() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: [Person(name: "", note: nil), Person(name: "'", note: "")])
    #expect(try people.all().map(\.note) == [nil, ""])
    #expect(try people.all().map(\.name) == ["", "'"])
    #expect(try rows(test.vault, "SELECT \"note\" FROM \"Person\"") == [[.null], [.text("")]])
    #expect(try people.where("note == nil").count() == 1)
    #expect(try people.where("note == ''").count() == 1)
  }

  @Test("statements are prepared once and used again", .covers("S66"))
  func statements() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (0..<10).map { Person(name: "\($0)") })
    func prepared() throws -> Int {
      try test.vault.transaction {
        try test.vault.file().join { $0.engine.preparedStatementCount }
      }
    }
    func work() throws {
      try test.vault.transaction {
        for id in Int64(1)...10 {
          _ = try people.find(id)
          var person = Person(name: "x", age: Int(id))
          person.objectID = id
          try people.update(person)
          _ = try people.where("age == %@", Int(id)).all()
        }
      }
    }
    try work()
    let before = try prepared()
    try work()
    #expect(try prepared() == before)
  }
  @Test("is compared once in the transaction that first requests it")
  func againInTransaction() throws {
    let test = try TestVault()
    func prepared() throws -> Int {
      try test.vault.file().join { $0.engine.preparedStatementCount }
    }
    try test.vault.transaction {
      for name in ["a", "b"] { try test.vault.store(of: Person.self).insert(Person(name: name)) }
      let before = try prepared()
      for name in ["c", "d", "e"] {
        try test.vault.store(of: Person.self).insert(Person(name: name))
      }
      #expect(try prepared() == before)
      #expect(throws: OnPurpose.self) {
        try test.vault.transaction {
          try test.vault.store(of: Order.self).insert(Order(group: 1, select: "undone"))
          throw OnPurpose()
        }
      }
      // The rollback removed its table.
      try test.vault.store(of: Order.self).insert(Order(group: 2, select: "kept"))
      try test.vault.removeStore(of: Order.self)
      try test.vault.store(of: Order.self).insert(Order(group: 3, select: "again"))
    }
    #expect(try test.vault.store(of: Person.self).count() == 5)
    #expect(try test.vault.store(of: Order.self).all().map(\.group) == [3])
  }
}
