import Synchronization
import TestSupport
import Testing

import ObjectVaultCore

@Suite("Lists too long to be bound", .covers("P35")) struct ListTableTests {
  @Test("are each iteration's own, in whatever order iterations of one connection begin and end")
  func iterations() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (0..<40).map { Person(name: "n", age: $0) })
    /// Ages from a number on, chosen by a list that does not fit.
    func from(_ age: Int) throws -> ObjectCursor<Person> {
      try people.where("age IN %@", Array(age..<(age + 1_000))).cursor()
    }
    func rest(_ cursor: ObjectCursor<Person>?) throws -> [Int] {
      var ages: [Int] = []
      while let person = try cursor?.next() { ages.append(person.age) }
      return ages
    }
    try test.vault.read {
      var first: ObjectCursor<Person>? = try from(0)
      // The engine takes a copy of a list at the first step, which this iteration makes only later.
      let second = try from(10)
      #expect(try first?.next()?.age == 0)
      first = nil
      // A place of its own, though one was given back.
      let third = try from(20)
      #expect(try second.next()?.age == 10 && third.next()?.age == 20)
      #expect(try people.where("age IN %@", Array(30..<2_000)).count() == 10)
      #expect(try rest(second) == Array(11..<40))
      let fourth = try from(35)
      #expect(try rest(third) == Array(21..<40))
      #expect(try rest(fourth) == Array(35..<40))
    }
  }

  @Test("are filled in one savepoint, so that no value is a transaction of its own")
  func savepoint() throws {
    let log = Log()
    var configuration = VaultConfiguration()
    configuration.statementLog = StatementLog { log.add($0) }
    let test = try TestVault(configuration)
    let people = try test.vault.store(of: Person.self)
    try people.insert(Person(name: "n", age: 7))
    #expect(try people.where("age IN %@", Array(0..<2_000)).count() == 1)
    let statements = log.statements
    let begin = try #require(statements.firstIndex(of: "SAVEPOINT ov_fill"))
    let end = try #require(statements.firstIndex(of: "RELEASE ov_fill"))
    let values = statements.indices.filter { statements[$0].hasPrefix("INSERT INTO temp.") }
    #expect(values.count == 2_000)
    #expect(values.allSatisfy { begin < $0 && $0 < end })
  }

  private final class Log: Sendable {
    private let texts = Mutex<[String]>([])
    var statements: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }
}
