import ObjectVaultCore
import TestSupport
import Testing

@Suite("Update") struct UpdateTests {
  @Test("writes the changed properties of a fetched object", .covers("S19", "X27"))
  func whole() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: [Person(name: "a", age: 1, note: "x"), Person(name: "b")])
    var first = try #require(try people.first())
    first.age = 2
    first.note = nil
    try people.update(first)
    #expect(try people.all().map(\.age) == [2, 0])
    #expect(try people.find(1)?.note == nil)
    #expect(try people.find(1)?.name == "a")
  }

  @Test("writes the named properties and leaves the others", .covers("X26", "A16", "P74"))
  func named() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(Person(name: "a", age: 1, note: "x"))
    var other = Person(name: "other", age: 9, note: nil)
    other.objectID = 1
    try people.update(other, only: "age", "note")
    let stored = try #require(try people.find(1))
    #expect(stored.name == "a" && stored.age == 9 && stored.note == nil)
    #expect(code { try people.update(other, only: "agee") } == .noSuchProperty)
    let items = try test.vault.store(of: Item.self)
    try items.insert(Item("a"))
    #expect(code { try items.update(Item("a"), only: "code") } == .invalidArgument)
    try items.update(Item("a", price: 5), only: [String]())
    #expect(try items.find("a")?.price == 0)
  }

  @Test("fails without an objectID, and without a row", .covers("S21", "X28"))
  func missing() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    #expect(code { try people.update(Person(name: "a")) } == .noObjectID)
    var unknown = Person(name: "a")
    unknown.objectID = 77
    #expect(code { try people.update(unknown) } == .noSuchObject)
    #expect(code { try people.update(unknown, only: "name") } == .noSuchObject)
    #expect(try people.count() == 0)
  }

  @Test("updates a batch wholly or not at all", .covers("S20", "S27"))
  func batch() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(contentsOf: [Item("a"), Item("b")])
    try items.update(contentsOf: [Item("a", price: 1), Item("b", price: 2)])
    #expect(try items.all().map(\.price) == [1, 2])
    let withUnknown = [Item("a", price: 5), Item("unknown"), Item("b", price: 6)]
    #expect(code { try items.update(contentsOf: withUnknown) } == .noSuchObject)
    #expect(try items.all().map(\.price) == [1, 2])
  }

  @Test("writes the named properties of a batch, of all objects or of none", .covers("S20", "X26"))
  func namedBatch() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    let ids = try people.insert(
      contentsOf: ["a", "b", "c"].map { Person(name: $0, age: 1, note: $0) })
    var others = try people.find(ids: ids)
    for index in others.indices {
      others[index].name = "other"
      others[index].age = 10 + index
      others[index].note = nil
    }
    try people.update(contentsOf: others, only: "age", "note")
    #expect(try people.all().map(\.name) == ["a", "b", "c"])
    #expect(try people.all().map(\.age) == [10, 11, 12])
    #expect(try people.all().allSatisfy { $0.note == nil })
    try people.update(contentsOf: others, only: [String]())
    #expect(try people.all().map(\.name) == ["a", "b", "c"])
    #expect(code { try people.update(contentsOf: others, only: "agee") } == .noSuchProperty)
    others[2].objectID = 77
    #expect(code { try people.update(contentsOf: others, only: "name") } == .noSuchObject)
    others[2].objectID = nil
    #expect(code { try people.update(contentsOf: others, only: ["name"]) } == .noObjectID)
    #expect(try people.all().map(\.name) == ["a", "b", "c"])
  }

  @Test("an update of named properties does not look at the others")
  func unwanted() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(Item("a", price: 1.5))
    // The file keeps no NaN.
    let priceless = Item("a", price: .nan, isSold: true)
    try items.update(priceless, only: "isSold")
    #expect(try items.find("a") == Item("a", price: 1.5, isSold: true))
    #expect(code { try items.update(priceless, only: "price") } == .invalidValue)
    #expect(code { try items.update(priceless) } == .invalidValue)
    #expect(try items.find("a") == Item("a", price: 1.5, isSold: true))
  }

  @Test("refuses the value of a unique property that another object has")
  func uniqueness() throws {
    let test = try TestVault()
    let accounts = try test.vault.store(of: Account.self)
    let li = try accounts.insert(Account(owner: "Li"))
    try accounts.insert(Account(owner: "Bo"))
    li.owner = "Bo"
    #expect(code { try accounts.update(li) } == .duplicate)
    #expect(try accounts.find(1)?.owner == "Li")
  }

  @Test("saves what is new and what is known, without deleting", .covers("X18", "A19"))
  func save() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.save(Item("a", price: 1))
    try items.insert(Item("b"))
    try items.save(Item("a", price: 2))
    // A row that was deleted and inserted again would come last.
    #expect(try items.all() == [Item("a", price: 2), Item("b")])
    let people = try test.vault.store(of: Person.self)
    let saved = try people.save(Person(name: "new"))
    #expect(saved.objectID == 1)
    #expect(try people.save(contentsOf: [saved, Person(name: "newer")]) == [1, 2])
    #expect(try people.count() == 2)
  }

  @Test("changes an objectID when asked to")
  func changeID() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(contentsOf: [Item("a", price: 1), Item("b")])
    try items.changeID(of: "a", to: "c")
    #expect(try items.find("a") == nil)
    #expect(try items.find("c")?.price == 1)
    #expect(code { try items.changeID(of: "a", to: "d") } == .noSuchObject)
    #expect(code { try items.changeID(of: "c", to: "b") } == .duplicate)
    let seats = try test.vault.store(of: Seat.self)
    try seats.insert(Seat(hall: "A", number: 1, guest: "Li"))
    try seats.changeID(of: .init(hall: "A", number: 1), to: .init(hall: "B", number: 2))
    #expect(try seats.all() == [Seat(hall: "B", number: 2, guest: "Li")])
  }
}
