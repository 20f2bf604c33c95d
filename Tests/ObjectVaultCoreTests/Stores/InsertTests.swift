import ObjectVaultCore
import TestSupport
import Testing

@Suite("Insert") struct InsertTests {
  @Test("gives an object the next number as its objectID", .covers("S2", "S4", "S17", "A12", "A13"))
  func generated() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    #expect(try people.insert(Person(name: "a")).objectID == 1)
    var second = Person(name: "b")
    try people.insert(assigningIDTo: &second)
    #expect(second.objectID == 2)
    #expect(try people.insert(contentsOf: [Person(name: "c"), Person(name: "d")]) == [3, 4])
    #expect(try people.all().map(\.objectID) == [1, 2, 3, 4])
  }

  @Test("never gives a number twice, also after deletion", .covers("S2", "S4"))
  func neverTwice() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...3).map { Person(name: "\($0)") })
    try people.remove(id: 3)
    #expect(try people.insert(Person(name: "new")).objectID == 4)
    try people.removeAll()
    #expect(try people.insert(Person(name: "newer")).objectID == 5)
  }

  @Test("sets the objectID of a class object in place", .covers("S4"))
  func inPlace() throws {
    let test = try TestVault()
    let account = Account(owner: "Li")
    let stored = try test.vault.store(of: Account.self).insert(account)
    #expect(account.objectID == 1)
    #expect(stored === account)
  }

  @Test("keeps a bound objectID as it is, and refuses it the second time", .covers("S3", "S28"))
  func bound() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(Item("obj_1", price: 1))
    #expect(code { try items.insert(Item("obj_1", price: 2)) } == .duplicate)
    #expect(try items.all() == [Item("obj_1", price: 1)])
  }

  @Test("refuses a whole batch for one objectID that is taken", .covers("S27", "S28", "J36"))
  func batchWithDuplicate() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(Item("b"))
    #expect(code { try items.insert(contentsOf: [Item("a"), Item("b"), Item("c")]) } == .duplicate)
    #expect(try items.all() == [Item("b")])
  }

  @Test("generates a bound number where none is given, and keeps one that is")
  func boundNumber() throws {
    let test = try TestVault()
    let tickets = try test.vault.store(of: Ticket.self)
    #expect(try tickets.insert(Ticket(title: "a")).number == 1)
    #expect(try tickets.insert(Ticket(number: 40, title: "b")).number == 40)
    #expect(
      try tickets.insert(contentsOf: [Ticket(title: "c"), Ticket(number: 7, title: "d")]) == [
        41, 7,
      ])
    #expect(try tickets.find(41)?.title == "c")
  }

  @Test("takes the parts of a composite objectID together", .covers("X39"))
  func composite() throws {
    let test = try TestVault()
    let seats = try test.vault.store(of: Seat.self)
    try seats.insert(contentsOf: [Seat(hall: "A", number: 1), Seat(hall: "A", number: 2)])
    try seats.insert(Seat(hall: "B", number: 1, guest: "Li"))
    #expect(code { try seats.insert(Seat(hall: "A", number: 2)) } == .duplicate)
    #expect(try seats.find(Seat.ID(hall: "B", number: 1))?.guest == "Li")
    #expect(try seats.find(Seat.ID(hall: "B", number: 2)) == nil)
    try seats.remove(id: Seat.ID(hall: "A", number: 1))
    #expect(try seats.count() == 2)
  }

  @Test("refuses the value of a unique property that is taken", .covers("J61", "P64"))
  func unique() throws {
    let test = try TestVault()
    let accounts = try test.vault.store(of: Account.self)
    try accounts.insert(Account(owner: "Li"))
    #expect(code { try accounts.insert(Account(owner: "Li")) } == .duplicate)
    #expect(try accounts.count() == 1)
  }

  @Test("runs the triggers of the application for what it replaces")
  func replacedWithTriggers() throws {
    let test = try TestVault()
    let description = ClassDescription(
      "Part", properties: [.init("code", String.self), .init("count", Int.self)],
      objectID: ["code"])
    let parts = try test.vault.store(of: description)
    try test.execute("CREATE TABLE total (count INTEGER)", "INSERT INTO total VALUES (0)")
    for (event, change) in [
      ("INSERT", "+ new.count"), ("DELETE", "- old.count"),
      ("UPDATE", "- old.count + new.count"),
    ] {
      try test.execute(
        "CREATE TRIGGER on_\(event) AFTER \(event) ON Part BEGIN "
          + "UPDATE total SET count = count \(change); END")
    }
    func part(_ count: Int64) throws -> DynamicObject {
      try DynamicObject(of: description, ["code": .text("a"), "count": .integer(count)])
    }
    try parts.insert(part(5))
    try parts.replace(part(7))
    #expect(try test.rows("SELECT count FROM total") == [[.integer(7)]])
  }

  @Test("replaces what is in the way only when asked to", .covers("X18", "P67"))
  func replace() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(Item("a", price: 1))
    try items.replace(Item("a", price: 2))
    #expect(try items.all() == [Item("a", price: 2)])
  }

  @Test("an empty batch changes nothing", .covers("X21", "J39"))
  func empty() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    #expect(try people.insert(contentsOf: []).isEmpty)
    #expect(try people.count() == 0)
  }

  @Test("a batch costs one commit where single inserts cost one each", .covers("S18", "S26", "X43"))
  func oneCommit() throws {
    func logSize(_ insert: (ObjectStore<Person>, [Person]) throws -> Void) throws -> Int {
      let test = try TestVault()
      let people = try test.vault.store(of: Person.self)
      let before = try test.folder.size(of: "test.vault-wal")
      try insert(people, (0..<300).map { Person(name: "Person \($0)", age: $0) })
      return try test.folder.size(of: "test.vault-wal") - before
    }
    let single = try logSize { store, people in for person in people { try store.insert(person) } }
    let batch = try logSize { store, people in try store.insert(contentsOf: people) }
    #expect(batch > 0)
    #expect(single > 10 * batch)
  }
}
