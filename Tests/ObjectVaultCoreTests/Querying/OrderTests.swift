import TestSupport
import Testing

import ObjectVaultCore

@Suite("Orders of queries") struct OrderTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: [
      Person(name: "bob", age: 3, note: "b"), Person(name: "Ärger", age: 1),
      Person(name: "Bob", age: 2, note: "a"), Person(name: "alice", age: 3),
    ])
  }

  private func names(_ query: Query<Person>) throws -> [String] { try query.all().map(\.name) }

  @Test(
    "each key has a direction, and what overlooks case has equals in order of insertion",
    .covers("S40", "S41", "X31"))
  func options() throws {
    #expect(try names(people.sorted(by: "name")) == ["Bob", "alice", "bob", "Ärger"])
    #expect(
      try names(people.sorted(by: .ascending("name", .caseInsensitive)))
        == ["alice", "bob", "Bob", "Ärger"])
    #expect(
      try names(people.sorted(by: .ascending("name", [.caseInsensitive, .diacriticInsensitive])))
        == ["alice", "Ärger", "bob", "Bob"])
    #expect(
      try names(people.sorted(by: .descending("age"), .descending("name", .caseInsensitive)))
        == ["bob", "alice", "Bob", "Ärger"])
  }

  @Test("nil comes where it is asked for, in either direction")
  func nils() throws {
    func notes(_ sort: Sort) throws -> [String?] {
      try people.sorted(by: sort).all().map(\.note)
    }
    #expect(try notes(.ascending("note")) == [nil, nil, "a", "b"])
    #expect(try notes(.ascending("note", nils: .last)) == ["a", "b", nil, nil])
    #expect(try notes(.ascending("note", nils: .first)) == [nil, nil, "a", "b"])
    #expect(try notes(.descending("note")) == ["b", "a", nil, nil])
    #expect(try notes(.descending("note", nils: .first)) == [nil, nil, "b", "a"])
    #expect(try notes(.descending("note", .caseInsensitive, nils: .first)) == [nil, nil, "b", "a"])
  }

  @Test("options of text on another property are refused")
  func optionsOfNumbers() throws {
    #expect(
      code { try people.sorted(by: .ascending("age", .caseInsensitive)).validate() }
        == .invalidArgument)
  }

  @Test("the opposite order turns everything round: keys, nil, equals")
  func reversed() throws {
    let sorts: [[Sort]] = [
      [], ["age"], [.descending("age"), "name"], [.ascending("note", nils: .last)],
      [.descending("name", .caseInsensitive)],
    ]
    for sort in sorts {
      let query = people.query.sorted(by: sort)
      #expect(try names(query.reversed()) == names(query).reversed())
      #expect(try names(query.reversed().reversed()) == names(query))
      #expect(try query.last()?.name == names(query).last)
      #expect(try query.range(offset: 1).last()?.name == names(query).last)
      #expect(try query.range(offset: 1, length: 2).last()?.name == names(query)[2])
    }
    #expect(try people.last()?.name == "alice")
    #expect(try people.where("age > 100").last() == nil)
    #expect(try people.query.range(offset: 9).last() == nil)
    // A range counts in the new order, and a new order has nothing of the one before.
    #expect(try names(people.query.range(length: 1).reversed()) == ["alice"])
    #expect(try names(people.query.reversed().sorted(by: "age")).last == "alice")
  }

  @Test("the last object is found without blocking the caller")
  func asynchronous() async throws {
    #expect(try await onOwnThread { try people.last()?.name } == "alice")
    #expect(try await onOwnThread { try people.sorted(by: "name").last()?.name } == "Ärger")
  }
}
