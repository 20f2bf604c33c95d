import TestSupport
import Testing

import ObjectVaultCore

@Suite("Queries put together") struct CompositionTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...6).map { Person(name: "n\($0)", age: $0) })
  }

  private func ages(_ query: Query<Person>) throws -> [Int] { try query.all().map(\.age) }

  @Test("and, or and not combine conditions, whatever stands in them", .covers("X34"))
  func combining() throws {
    let small = people.where("age < 3 || age == 4")
    let even = people.where("age IN {2, 4, 6}")
    #expect(try ages(small.and(even)) == [2, 4])
    #expect(try ages(small.or(even)) == [1, 2, 4, 6])
    #expect(try ages(small.not()) == [3, 5, 6])
    #expect(try ages(small.or(even).not()) == [3, 5])
    #expect(try ages(small.not().not()) == [1, 2, 4])
    #expect(try ages(small.not().where("age > 3").or(people.where("age == 1"))) == [1, 5, 6])
    #expect(try ages(people.query.and(even)) == [2, 4, 6])
    #expect(try ages(even.or(people.query)).count == 6)
    #expect(try ages(people.query.not()).isEmpty)
    #expect(try ages(people.query.not().not()).count == 6)
  }

  @Test("the order is that of the query that others are added to")
  func order() throws {
    let small = people.where("age < 3").sorted(by: .descending("age"))
    #expect(try ages(small.or(people.where("age == 6"))) == [6, 2, 1])
    #expect(try ages(small.not()) == [6, 5, 4, 3])
  }

  @Test("ranges, orders of what is added, and other stores are refused")
  func refusals() throws {
    let small = people.where("age < 3")
    let other = try TestVault()
    let elsewhere = try other.vault.store(of: Person.self).query
    for body: () -> Query<Person> in [
      { small.range(length: 1).and(small) }, { small.or(small.range(offset: 1)) },
      { small.range(length: 3).not() }, { small.and(small.sorted(by: "age")) },
      { small.or(small.reversed()) }, { small.and(elsewhere) },
    ] {
      #expect(code { try body().validate() } == .invalidArgument)
    }
  }

  @Test("two handles on one file have the same stores")
  func handles() throws {
    let again = try test.another().store(of: Person.self)
    #expect(try ages(people.where("age < 3").or(again.where("age > 5"))) == [1, 2, 6])
  }

  @Test("many are combined flat, and what is nested too deep is refused")
  func bounds() throws {
    var flat = people.where("age == 1")
    for _ in 0..<3000 { flat = flat.or(people.where("age == 3")) }
    #expect(try ages(flat) == [1, 3])
    var deep = people.where("age == 1")
    var error: VaultError.Code?
    for _ in 0..<50 {
      let deeper = (0..<20).reduce(deep) { query, _ in
        query.or(people.where("age == 3")).and(people.query.not().not())
      }
      error = code { try deeper.validate() }
      if error != nil { break }
      deep = deeper
    }
    #expect(error == .invalidCondition)
    #expect(try deep.count() >= 0)
  }
}
