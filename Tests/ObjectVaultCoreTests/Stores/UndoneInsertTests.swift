import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

/// A class whose number is a property, and may be left to the vault.
private struct Chair: StoredObject, Hashable {
  var number: Int?
  var row: String

  static let classDescription = ClassDescription(
    "Chair",
    properties: [
      PropertyDescription("number", Int?.self), PropertyDescription("row", String.self),
    ],
    objectID: ["number"])

  init(row: String) { self.row = row }

  init(row: Row) throws {
    number = try row.value(at: 0)
    self.row = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(number, at: 0)
    try binder.bind(row, at: 1)
  }

  var storedObjectID: Int? { number }
  mutating func assignObjectID(_ id: Int) { number = id }
}

@Suite("An insert that is undone") struct UndoneInsertTests {
  struct Undo: Error {}

  private func undoing(_ vault: Vault, _ body: () throws -> Void) {
    #expect(throws: Undo.self) {
      try vault.transaction {
        try body()
        throw Undo()
      }
    }
  }

  @Test("leaves its number to no other object", .covers("S4"))
  func generated() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(Person(name: "first"))
    var undone = Person(name: "undone")
    undoing(test.vault) { try people.insert(assigningIDTo: &undone) }
    let other = try people.insert(Person(name: "other"))
    #expect(undone.objectID == 2 && other.objectID == 3)
    // Stored after all, it overwrites nothing.
    try people.save(undone)
    #expect(try people.all().map(\.name) == ["first", "undone", "other"])
    #expect(try people.insert(Person(name: "last")).objectID == 4)
  }

  @Test("leaves its number to no other, several at once and in a savepoint", .covers("S4"))
  func several() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    let many = (1...100).map { Person(name: "n\($0)") }
    undoing(test.vault) {
      let given = try people.insert(contentsOf: many)
      #expect(given == Array(1...100))
    }
    #expect(try people.insert(contentsOf: many) == Array(101...200))
    try test.vault.transaction {
      undoing(test.vault) {
        let given = try people.insert(Person(name: "x")).objectID
        #expect(given == 201)
      }
      let kept = try people.insert(Person(name: "y")).objectID
      #expect(kept == 202)
    }
    undoing(test.vault) {
      let given = try people.insert(Person(name: "z")).objectID
      #expect(given == 203)
    }
    undoing(test.vault) {
      let given = try people.insert(Person(name: "z")).objectID
      #expect(given == 204)
    }
    #expect(try people.insert(contentsOf: many) == Array(205...304))
    // Nothing more is looked up once the file has recorded all numbers.
    let statements = try test.statements { try people.insert(Person(name: "plain")) }
    #expect(statements.count { $0.contains("Person") } == 1)
  }

  @Test("leaves its number to no other after a failed one with a greater number", .covers("S4"))
  func greaterNumberUndone() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try test.vault.execute("CREATE UNIQUE INDEX byName ON Person (name)")
    var undone = Person(name: "undone")
    undoing(test.vault) { try people.insert(assigningIDTo: &undone) }
    var named = Person(name: "same")
    named.objectID = 5
    let failing = [named, Person(name: "same")]
    #expect(code { try people.insert(contentsOf: failing) } == .duplicate)
    #expect(try people.insert(Person(name: "other")).objectID == 2)
    try people.save(undone)
    #expect(try people.all().map(\.name) == ["undone", "other"])
  }

  @Test("leaves its number to no other where it is a property", .covers("S4"))
  func bound() throws {
    let test = try TestVault()
    let seats = try test.vault.store(of: Chair.self)
    try seats.insert(Chair(row: "a"))
    var undone = Chair(row: "b")
    undoing(test.vault) { try seats.insert(assigningIDTo: &undone) }
    #expect(undone.number == 2)
    #expect(try seats.insert(Chair(row: "c")).number == 3)
    #expect(try seats.insert(Chair(row: "d")).number == 4)
  }

  @Test("takes the number back from an instance of a class", .covers("S17"))
  func instances() throws {
    let test = try TestVault()
    let accounts = try test.vault.store(of: Account.self)
    let first = Account(owner: "a")
    let second = Account(owner: "b")
    undoing(test.vault) {
      try accounts.insert(first)
      try test.vault.transaction { try accounts.insert(contentsOf: [second]) }
      #expect(first.objectID == 1 && second.objectID == 2)
    }
    #expect(first.objectID == nil && second.objectID == nil)
    // One of several fails.
    #expect(
      code { try accounts.insert(contentsOf: [first, second, Account(owner: "a")]) } == .duplicate)
    #expect(first.objectID == nil && second.objectID == nil)
    #expect(code { try accounts.save(contentsOf: [first, Account(owner: "a")]) } == .duplicate)
    #expect(first.objectID == nil)
    try accounts.insert(contentsOf: [first, second])
    #expect(try accounts.all().map(\.objectID) == [first.objectID, second.objectID])
    // What was stored before keeps its own.
    undoing(test.vault) {
      second.balance = 1
      try accounts.save(second)
    }
    #expect(second.objectID != nil)
  }

  @Test("a commit that fails leaves the object without a number", .covers("S17"))
  func failedCommit() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    let accounts = try test.vault.store(of: Account.self)
    try test.vault.execute("CREATE TABLE target (id INTEGER PRIMARY KEY)")
    try test.vault.execute(
      "CREATE TABLE late (id REFERENCES target (id) DEFERRABLE INITIALLY DEFERRED)")
    try test.vault.execute(
      "CREATE TRIGGER a AFTER INSERT ON Person BEGIN INSERT INTO late VALUES (1); END")
    try test.vault.execute(
      "CREATE TRIGGER b AFTER INSERT ON Account BEGIN INSERT INTO late VALUES (1); END")
    var person = Person(name: "p")
    let account = Account(owner: "a")
    #expect(code { try people.insert(assigningIDTo: &person) } == .danglingReference)
    #expect(code { try accounts.insert(account) } == .danglingReference)
    #expect(person.objectID == nil && account.objectID == nil)
    #expect(try people.count() == 0 && accounts.count() == 0)
  }

  @Test("a table that is removed begins again", .covers("S4"))
  func removedTable() throws {
    let test = try TestVault()
    undoing(test.vault) {
      try test.vault.store(of: Person.self).insert(Person(name: "a"))
    }
    try test.vault.store(of: Person.self).insert(Person(name: "b"))
    try test.vault.removeStore(of: Person.self)
    #expect(try test.vault.store(of: Person.self).insert(Person(name: "c")).objectID == 1)
  }

  @Test("a number that an object was given later is not given again", .covers("S4"))
  func changedID() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(Person(name: "a"))
    try people.changeID(of: 1, to: 50)
    try people.remove(id: 50)
    #expect(try people.insert(Person(name: "b")).objectID == 51)
  }
}

@Suite("A trigger of the application that leaves rows out") struct IgnoringTriggerTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
    try people.insert(Person(name: "first"))
    try test.vault.execute(
      "CREATE TRIGGER none BEFORE INSERT ON Person WHEN new.name = 'none' "
        + "BEGIN SELECT RAISE(IGNORE); END")
  }

  @Test("lets no insert return the number of another object", .covers("S17"))
  func inserts() throws {
    let none = Person(name: "none")
    #expect(code { try people.insert(none) } == .constraint)
    #expect(code { try people.save(none) } == .constraint)
    #expect(code { try people.replace(none) } == .constraint)
    var named = none
    named.objectID = 9
    #expect(code { try people.insert(named) } == .constraint)
    for count in [2, 200] {
      var several = (1...count).map { Person(name: "n\($0)") }
      several[count / 2] = none
      #expect(code { try people.insert(contentsOf: several) } == .constraint, "\(count)")
    }
    #expect(try people.all().map(\.name) == ["first"])
    #expect(try people.insert(Person(name: "second")).objectID != 1)
  }
}
