import ObjectVaultCore
import ObjectVaultDriver
import Testing
import TestSupport

@testable import ObjectVaultStores

/// Observations whose reads fail.
@Suite struct RepeatedReadTests {
  let test: TestVault
  let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
  }

  /// Returns an observation of the number of its reads, some of which fail.
  private func reads(failing failures: [Int: VaultError.Code]) -> ObservationSequence<Int> {
    ObservationSequence(
      observed: Observed(database: test.vault) {
        var count = 0
        return { reads in
          reads.note(table: "Person")
          count += 1
          if let code = failures[count] { throw VaultError(code, "The test makes a read fail.") }
          return count
        }
      })
  }

  @Test(
    "A later read that fails for a time is repeated until it succeeds",
    arguments: [VaultError.Code.busy, .connectionLost, .conflict])
  func repeated(code: VaultError.Code) async throws {
    var results = reads(failing: [2: code, 3: code]).makeAsyncIterator()
    #expect(try await results.next() == 1)
    try await people.insert(Person(name: "Li", age: 20))
    #expect(try await results.next() == 4)
    try await people.insert(Person(name: "Bo", age: 30))
    #expect(try await results.next() == 5)
  }

  @Test("A first read that fails, and a later one with another error, end the observation")
  func ending() async throws {
    var first = reads(failing: [1: .busy]).makeAsyncIterator()
    var error = await #expect(throws: VaultError.self) { try await first.next() }
    #expect(error?.code == .busy)
    var later = reads(failing: [2: .damaged]).makeAsyncIterator()
    #expect(try await later.next() == 1)
    try await people.insert(Person(name: "Li", age: 20))
    error = await #expect(throws: VaultError.self) { try await later.next() }
    #expect(error?.code == .damaged)
  }

  @Test("An observation that is delayed ends with the vault") func closing() async throws {
    let seen = Deliveries(reads(failing: [2: .busy, 3: .busy, 4: .busy, 5: .busy]))
    _ = try await seen.first(1)
    try await people.insert(Person(name: "Li", age: 20))
    test.vault.close()
    #expect(try await seen.end() == nil)
  }
}
