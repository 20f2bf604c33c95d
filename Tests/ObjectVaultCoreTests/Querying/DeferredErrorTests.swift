import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

/// A query whose building failed throws at each of its operations, and nothing else happens.
@Suite("Errors of building a query") struct DeferredErrorTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...3).map { Person(name: "n\($0)", age: $0) })
  }

  private var broken: [(query: Query<Person>, code: VaultError.Code)] {
    [
      (people.where("age >"), .invalidCondition),
      (people.where("agge == 1"), .noSuchProperty),
      (people.where("age == %@", arguments: []), .invalidCondition),
      (people.where(Where("agge").isEqual(to: 1)), .noSuchProperty),
      (people.where(sql: "agge = 1"), .engineRefused),
      (people.search("x"), .invalidArgument),
      (people.sorted(by: "agge"), .noSuchProperty),
      (people.query.range(offset: -1), .invalidArgument),
      (people.query.and(people.query.range(length: 1)), .invalidArgument),
      (people.where("age > 0").or(people.where("agge > 0")), .noSuchProperty),
      (people.where("agge > 0").not(), .noSuchProperty),
      (people.where("agge > 0").and(people.query), .noSuchProperty),
      (people.query.and(people.where("agge > 0")), .noSuchProperty),
    ]
  }

  /// The operations of a query, each of which must throw.
  private var operations: [(name: String, run: (Query<Person>) throws -> Void)] {
    [
      ("validate", { try $0.validate() }), ("all", { _ = try $0.all() }),
      ("first", { _ = try $0.first() }), ("last", { _ = try $0.last() }),
      ("count", { _ = try $0.count() }), ("exists", { _ = try $0.exists() }),
      ("forEach", { try $0.forEach { _ in } }), ("cursor", { _ = try $0.cursor() }),
      ("page", { _ = try $0.page(number: 1, size: 2) }), ("remove", { try $0.remove() }),
      ("update", { try $0.update(set: ["age": 9]) }),
      ("update nothing", { try $0.update { _ in } }),
      ("deletionPlan", { _ = try $0.deletionPlan() }), ("explain", { _ = try $0.explain() }),
      ("values", { _ = try $0.values(of: "age", as: Int.self) }),
      ("distinct", { _ = try $0.distinctValues(of: "age", as: Int.self) }),
      ("sum", { _ = try $0.sum(of: "age", as: Int.self) }),
      ("average", { _ = try $0.average(of: "age") }),
      ("max", { _ = try $0.max(of: "age", as: Int.self) }),
      ("groups", { _ = try $0.grouped(by: "age").rows() }),
      ("typed groups", { _ = try $0.grouped(by: "age").rows(as: Int.self) }),
      ("count of groups", { _ = try $0.grouped(by: "age").count() }),
      ("more steps", { _ = try $0.where("age > 0").sorted(by: "age").reversed().all() }),
      ("no range", { _ = try $0.range(length: 0).all() }),
    ]
  }

  @Test("do not occur if SQL of the program and long lists have many values together")
  func manyValues() throws {
    let list = Array(1...400)
    var sql: SQLStatement = "age NOT IN (0"
    for number in 4..<304 { sql += ", \(number)" }
    sql += ")"
    let query = people.where(sql: sql).where("age IN %@ OR age IN %@", list, list)
    #expect(try query.count() == 3)
    #expect(try query.all().map(\.age) == [1, 2, 3])
  }

  @Test("are thrown by every operation, and no object changes")
  func operationsThrow() throws {
    let before = try people.all().map(\.age)
    for (query, expected) in broken {
      for (name, run) in operations {
        #expect(code { try run(query) } == expected, "\(name)")
      }
    }
    try test.vault.read(caching: .objects(10)) {
      for (query, expected) in broken {
        #expect(code { _ = try query.all() } == expected)
        #expect(code { _ = try query.first() } == expected)
      }
    }
    #expect(try people.all().map(\.age) == before)
  }

  @Test("are the first error")
  func first() {
    let query = people.where("agge == 1").where("age >").range(offset: -1)
    #expect(code { try query.validate() } == .noSuchProperty)
    #expect(
      code { try people.query.range(offset: -1).where("agge == 1").validate() }
        == .invalidArgument)
  }

  @Test("of groups are thrown by every operation of groups")
  func groups() throws {
    let grouped = people.query.grouped(by: "age")
    let broken: [(GroupedQuery<Person>, VaultError.Code)] = [
      (people.query.grouped(by: "agge"), .noSuchProperty),
      (grouped.aggregating(.sum(of: "agge", as: "s")), .noSuchProperty),
      (grouped.aggregating(.count(as: "age")), .invalidArgument),
      (grouped.having("n > 1"), .noSuchProperty), (grouped.sorted(by: "n"), .noSuchProperty),
      (grouped.range(offset: -1), .invalidArgument),
      (people.query.grouped(by: []), .invalidArgument),
      (grouped.having("n > 1").sorted(by: "age").range(length: 1), .noSuchProperty),
    ]
    for (query, expected) in broken {
      #expect(code { try query.validate() } == expected)
      #expect(code { _ = try query.rows() } == expected)
      #expect(code { _ = try query.count() } == expected)
    }
    try grouped.aggregating(.count(as: "n")).having("n > 0").validate()
  }

  @Test("reach observers and streams")
  func observing() async throws {
    let query = people.where("agge == 1")
    await #expect(throws: VaultError.self) { for try await _ in query.objects {} }
    await #expect(throws: VaultError.self) { try await query.count() }
    await #expect(throws: VaultError.self) { for try await _ in query.observe() {} }
  }
}
