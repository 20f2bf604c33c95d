import ObjectVaultCore
import TestSupport
import Testing

@Suite("Find") struct FindTests {
  @Test(
    "finds all objects of a table; an empty one gives an empty list", .covers("S29", "J40", "X30"))
  func all() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    #expect(try items.all() == [])
    #expect(try items.first() == nil)
    #expect(try items.query.exists() == false)
    try items.insert(contentsOf: [Item("b", price: 2), Item("a", price: 1, isSold: true)])
    #expect(try items.all() == [Item("b", price: 2), Item("a", price: 1, isSold: true)])
    #expect(try items.first() == Item("b", price: 2))
    #expect(try items.count() == 2)
    #expect(try items.query.exists())
  }

  @Test("finds by a bound and by a generated objectID, or nothing", .covers("S30", "X29", "A15"))
  func byID() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(contentsOf: [Item("obj_1", price: 1), Item("obj_2", price: 2)])
    #expect(try items.find("obj_2") == Item("obj_2", price: 2))
    #expect(try items.find("obj_3") == nil)
    #expect(try items.contains(id: "obj_1"))
    #expect(try !items.contains(id: "OBJ_1"))
    let people = try test.vault.store(of: Person.self)
    let id = try #require(try people.insert(Person(name: "Li")).objectID)
    #expect(try people.find(id)?.name == "Li")
    #expect(try people.find(id + 1) == nil)
  }

  @Test("finds by more objectIDs than a statement can bind, in their order", .covers("J40", "J41"))
  func byManyIDs() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    let ids = try people.insert(contentsOf: (0..<2500).map { Person(name: "\($0)") })
    let wanted = Array(ids.reversed()) + [99_999]
    #expect(try people.find(ids: wanted).map(\.objectID) == ids.reversed())
    #expect(try people.find(ids: [Int64]()).isEmpty)
  }

  @Test("iterates lazily over the state at the beginning")
  func cursor() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (0..<50).map { Person(name: "\($0)", age: $0) })
    let cursor = try people.where("age >= 10").cursor()
    #expect(try cursor.next()?.age == 10)
    try people.removeAll()
    var ages: [Int] = []
    while let person = try cursor.next() { ages.append(person.age) }
    #expect(ages == Array(11..<50))
    #expect(try cursor.next() == nil)
    #expect(try people.count() == 0)
  }

  @Test("gives what the closure of an iteration throws, and goes on working")
  func forEach() throws {
    struct Enough: Error {}
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (0..<5).map { Person(name: "\($0)") })
    var seen = 0
    #expect(throws: Enough.self) {
      try people.forEach { _ in
        seen += 1
        if seen == 3 { throw Enough() }
      }
    }
    #expect(seen == 3)
    var names: [String] = []
    try test.vault.transaction {
      try people.insert(Person(name: "5"))
      try people.forEach { names.append($0.name) }
    }
    #expect(names == ["0", "1", "2", "3", "4", "5"])
  }
}
