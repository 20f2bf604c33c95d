import ObjectVaultCore
import TestSupport
import Testing

@Suite("Remove") struct RemoveTests {
  @Test("removes one object by its objectID", .covers("S22", "J42", "A14"))
  func one() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: [Person(name: "a"), Person(name: "b")])
    try people.remove(try #require(try people.find(1)))
    #expect(try people.all().map(\.name) == ["b"])
    try people.remove(id: 2)
    #expect(try people.all().isEmpty)
  }

  @Test("fails without an objectID, and without a row", .covers("S25", "X22"))
  func missing() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(Person(name: "a"))
    #expect(code { try people.remove(Person(name: "a")) } == .noObjectID)
    #expect(code { try people.remove(id: 9) } == .noSuchObject)
    #expect(try people.count() == 1)
  }

  @Test("removes a batch wholly or not at all", .covers("S23", "S27"))
  func batch() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(contentsOf: ["a", "b", "c"].map { Item($0) })
    #expect(code { try items.remove(contentsOf: [Item("a"), Item("x")]) } == .noSuchObject)
    #expect(code { try items.remove(ids: ["b", "x"]) } == .noSuchObject)
    #expect(try items.count() == 3)
    try items.remove(contentsOf: [Item("a"), Item("c")])
    try items.remove(ids: ["b"])
    #expect(try items.count() == 0)
  }

  @Test("empties a table and leaves it usable", .covers("S24", "X23"))
  func all() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(contentsOf: ["a", "b"].map { Item($0) })
    #expect(try items.removeAll() == 2)
    #expect(try items.all().isEmpty)
    #expect(try items.removeAll() == 0)
    try items.insert(Item("a"))
    #expect(try items.count() == 1)
  }

  @Test("removes what a query finds, and nothing else", .covers("X24", "J42"))
  func byQuery() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...6).map { Person(name: "\($0)", age: $0) })
    #expect(try people.where("age > '4'").remove() == 2)
    #expect(try people.query.sorted(by: .descending("age")).range(length: 1).remove() == 1)
    #expect(try people.all().map(\.age) == [1, 2, 3])
    #expect(try people.query.range(offset: 1).remove() == 2)
    #expect(try people.all().map(\.age) == [1])
    let seats = try test.vault.store(of: Seat.self)
    try seats.insert(contentsOf: (1...4).map { Seat(hall: "A", number: $0) })
    #expect(try seats.query.range(offset: 2, length: 1).remove() == 1)
    #expect(try seats.all().map(\.number) == [1, 2, 4])
    #expect(try people.query.remove() == 1)
  }
}
