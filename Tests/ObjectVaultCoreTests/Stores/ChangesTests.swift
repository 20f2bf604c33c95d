import ObjectVaultCore
import TestSupport
import Testing

@Suite("Updates of what was changed") struct ChangesTests {
  @Test("write the changed properties alone", .covers("A16", "S19"))
  func changed() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    let old = try people.insert(Person(name: "a", age: 1, note: "x"))
    // Somebody else changes another property meanwhile.
    try people.query.update(set: ["name": "theirs"])
    var new = old
    new.age = 2
    #expect(try people.updateChanges(of: new, from: old) == ["age"])
    let stored = try #require(try people.first())
    #expect(stored.name == "theirs" && stored.age == 2 && stored.note == "x")
    new.note = nil
    new.age = 1
    #expect(try people.updateChanges(of: new, from: old) == ["note"])
    #expect(try people.first()?.note == nil && people.first()?.age == 2)
  }

  @Test("touch no file where nothing was changed", .covers("A16"))
  func unchanged() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    let old = try people.insert(Person(name: "é", age: 1))
    let commits = try test.vault.commitCount()
    #expect(try people.updateChanges(of: old, from: old) == [])
    #expect(try test.vault.commitCount() == commits)
    var new = old
    new.age = 2
    test.vault.close()
    // Any statement would fail.
    #expect(try people.updateChanges(of: old, from: old) == [])
    #expect(code { try people.updateChanges(of: new, from: old) } == .closed)
    // Swift takes these for equal, the file does not.
    new.age = 1
    new.name = "e\u{301}"
    #expect(try ObjectSnapshot(of: old).changes(to: new) == ["name"])
  }

  @Test("need the objectID that the object had", .covers("A16"))
  func identity() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    var new = Person(name: "a")
    let old = new
    #expect(code { try people.updateChanges(of: new, from: old) } == .noObjectID)
    new = try people.insert(new)
    #expect(code { try people.updateChanges(of: new, from: old) } == .invalidArgument)
    let items = try test.vault.store(of: Item.self)
    try items.insert(Item("a"))
    #expect(code { try items.updateChanges(of: Item("b"), from: Item("a")) } == .invalidArgument)
    #expect(
      code { try items.updateChanges(of: Item("c", price: 1), from: Item("c")) } == .noSuchObject)
    #expect(
      code { try items.updateChanges(of: Item("a", price: .nan), from: Item("a")) }
        == .invalidValue)
    #expect(try items.all() == [Item("a")])
    // What is stored alike is no change.
    #expect(try items.updateChanges(of: Item("a", price: -0.0), from: Item("a")) == [])
  }

  @Test("compare an instance of a class with what it was")
  func instances() throws {
    let test = try TestVault()
    let accounts = try test.vault.store(of: Account.self)
    let account = try accounts.insert(Account(owner: "Li"))
    let snapshot = try ObjectSnapshot(of: account)
    #expect(try snapshot == ObjectSnapshot(of: account))
    account.balance = 5
    #expect(try accounts.updateChanges(of: account, since: snapshot) == ["balance"])
    #expect(try accounts.first()?.balance == 5)
  }

  @Test("work for classes described at run time")
  func dynamic() throws {
    let test = try TestVault()
    try test.vault.store(of: Person.self).insert(Person(name: "a", age: 1))
    let people = try test.vault.store(named: "Person")
    let old = try #require(try people.first())
    var new = old
    try new.set("age", to: .integer(7))
    #expect(try people.updateChanges(of: new, from: old) == ["age"])
    #expect(try people.first() == new)
    let part = try people.query.all(only: "age")[0]
    #expect(code { try people.updateChanges(of: part, from: part) } == .notLoaded)
  }

  @Test("save the objects that belong to it where one of them was changed")
  func owned() throws {
    let test = try TestVault()
    let grades = try test.vault.store(of: GradeLevel.self)
    try grades.insert(
      GradeLevel("1", classes: [SchoolClass("1a", pupils: [Human("Li")]), SchoolClass("1b")]))
    let old = try #require(try grades.first())
    let commits = try test.vault.commitCount()
    #expect(try grades.updateChanges(of: old, from: old) == [])
    #expect(try test.vault.commitCount() == commits)
    var new = old
    new.classes?[0].pupils?[0].seat = 4
    new.classes?.removeLast()
    #expect(try grades.updateChanges(of: new, from: old) == ["classes"])
    #expect(try grades.first() == new)
    // A new one gets its objectID.
    let snapshot = try ObjectSnapshot(of: new)
    new.classes?.append(SchoolClass("1c", pupils: []))
    #expect(try grades.updateChanges(of: &new, since: snapshot) == ["classes"])
    #expect(try new.classes?.last?.objectID != nil && grades.first() == new)
    // What is not said is left alone.
    new.classes = nil
    #expect(try grades.updateChanges(of: new, from: old) == [])
    #expect(try grades.first()?.classes?.count == 2)
    try grades.remove(id: "1")
    #expect(code { try grades.updateChanges(of: old, from: new) } == .noSuchObject)
    #expect(try grades.count() == 0 && test.vault.store(of: SchoolClass.self).count() == 0)
  }

  @Test("do not block the caller's thread")
  func asynchronous() async throws {
    let test = try TestVault()
    let people = try await test.vault.store(of: Person.self)
    let old = try await people.insert(Person(name: "a"))
    let snapshot = try ObjectSnapshot(of: old)
    func aged(_ age: Int) -> Person {
      var person = old
      person.age = age
      return person
    }
    let new = aged(3)
    #expect(try await onOwnThread { try people.updateChanges(of: new, from: old) } == ["age"])
    #expect(try await onOwnThread { try people.updateChanges(of: new, since: snapshot) } == ["age"])
    let names = ["age"]
    let changed = aged(4)
    try await onOwnThread { try people.update(changed, only: names) }
    #expect(try await people.first()?.age == 4)
  }
}
