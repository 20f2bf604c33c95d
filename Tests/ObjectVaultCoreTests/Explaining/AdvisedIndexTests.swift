import ObjectVaultCore
import ObjectVaultSession
import Testing
import TestSupport

@testable import ObjectVaultStores

@Suite("Indexes advised from what was asked") struct AdvisedIndexTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    var configuration = VaultConfiguration()
    configuration.queryStatistics = .on
    test = try TestVault(configuration)
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...50).map { Person(name: "n\($0 % 5)", age: $0) })
  }

  private func advised() throws -> [[String]] {
    try test.vault.advisedIndexes().map(\.suggestion.index.properties)
  }

  @Test("are those that the queries lack, with how often they were asked")
  func asked() throws {
    for age in 1...7 { _ = try people.where("name == %@ && age >= %@", "n1", age).all() }
    for age in 1...3 { _ = try people.where("age == %@", age).first() }
    _ = try people.where("objectID == 3").count()
    let advised = try test.vault.advisedIndexes()
    #expect(
      Dictionary(
        uniqueKeysWithValues: advised.map { ($0.suggestion.index.properties, $0.queryCount) })
        == [["name", "age"]: 7, ["age"]: 3])
    #expect(advised.allSatisfy { $0.duration > .zero && $0.suggestion.className == "Person" })
    #expect(advised.map(\.duration) == advised.map(\.duration).sorted(by: >))
    for index in advised {
      #expect(!index.statements.isEmpty && index.statements.allSatisfy { $0.contains("?") })
    }
  }

  @Test("For the first objects in an order, an index has the order and then the condition")
  func limited() throws {
    let some = people.where("age >= 3 && age < 40").sorted(by: "name").range(length: 4)
    let before = try some.all()
    #expect(try advised() == [["name", "age"]])
    try test.vault.execute("CREATE INDEX mine ON Person (name, age)")
    let plan = try some.explain().plan
    #expect(plan.contains { $0.access == .index("mine") }, "\(plan)")
    #expect(try some.all() == before)
  }

  @Test("stand for those that they begin with")
  func beginnings() throws {
    for _ in 1...4 { _ = try people.where("name == 'n1' && age == 3").exists() }
    for _ in 1...2 { _ = try people.where("name == 'n2'").sorted(by: "age").all() }
    for _ in 1...5 { _ = try people.where("name == 'n3'").count() }
    let advised = try test.vault.advisedIndexes()
    #expect(advised.map(\.suggestion.index.properties) == [["name", "age"]])
    #expect(advised.first?.queryCount == 11 && advised.first?.statements.count == 3)
  }

  @Test("answer alone what reads few properties, by one bound too")
  func covering() throws {
    _ = try people.where("name >= 'n3'").average(of: "age")
    let advised = try test.vault.advisedIndexes()
    #expect(advised.map(\.suggestion.index.properties) == [["name", "age"]])
    #expect(advised.map(\.isCovering) == [true])
    let sql = try #require(advised.first?.statements.first)
    try test.vault.execute("CREATE INDEX mine ON Person (name, age)")
    let plan = try test.vault.file().read { connection in
      try Schema(on: connection).fresh("EXPLAIN QUERY PLAN \(sql)") { statement in
        var steps: [String] = []
        while try statement.step() { steps.append(statement.row.text(at: 3) ?? "") }
        return steps
      }
    }
    #expect(plan.contains { $0.contains("USING COVERING INDEX mine") }, "\(plan)")
    #expect(try test.vault.advisedIndexes().isEmpty)
  }

  @Test("keep no long values beside those that they find objects by")
  func uncovering() throws {
    _ = try people.where("age >= 30").values(of: "name", as: String.self)
    _ = try people.where("age >= 30").all()
    #expect(try test.vault.advisedIndexes().isEmpty)
    _ = try people.where("age == 30").values(of: "name", as: String.self)
    let advised = try test.vault.advisedIndexes()
    #expect(advised.map(\.suggestion.index.properties) == [["age"]])
    #expect(advised.map(\.isCovering) == [false])
  }

  @Test("are none for what an index serves by now")
  func served() throws {
    _ = try people.where("age == 3").all()
    _ = try people.where("name == 'n1'").remove()
    #expect(try Set(advised()) == [["age"], ["name"]])
    try test.vault.execute("CREATE INDEX mine ON Person (age)")
    #expect(try advised() == [["name"]])
  }

  @Test("tell no value, and keep no more statements than they say", .covers("J34"))
  func bounded() throws {
    for count in 1...600 {
      let names = (0..<count).map { "secret-marker-\($0)" }
      _ = try people.where("name IN %@ && note == 'secret-marker'", names).count()
    }
    let advised = try test.vault.advisedIndexes()
    #expect(!advised.isEmpty && !"\(advised)".contains("secret-marker"))
    #expect(test.vault.handle.queryNotes?.all.count ?? 0 <= QueryNotes.capacity)
  }

  @Test("need a vault that notes what it is asked")
  func unnoted() throws {
    let other = try TestVault()
    let store = try other.vault.store(of: Person.self)
    _ = try store.where("age == 3").all()
    #expect(code { _ = try other.vault.advisedIndexes() } == .invalidArgument)
  }
}
