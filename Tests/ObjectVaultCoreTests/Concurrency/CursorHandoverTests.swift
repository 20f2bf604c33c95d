import TestSupport
import Testing

import ObjectVaultCore

/// With one connection for all who read, each has it from the one whose iteration just ended.
@Suite("An iteration that ends has left its connection altogether") struct CursorHandoverTests {
  private let notes: Notes

  init() throws {
    var configuration = VaultConfiguration()
    configuration.maximumReaders = 1
    notes = try Notes(configuration)
    try notes.store.insert(contentsOf: ["a", "b", "c"].map { Note($0) })
  }

  @Test("over objects, before another thread has it") func overObjects() throws {
    let rounds = randomRounds(20_000)
    let threads = (0..<8).map { _ in
      OnThread { [notes] in
        try (0..<rounds).reduce(into: 0) { count, _ in try notes.store.forEach { _ in count += 1 } }
      }
    }
    for thread in threads { #expect(try thread.result() == 3 * rounds) }
  }

  @Test("over rows, before another thread has it") func overRows() async throws {
    let (vault, rounds) = (notes.vault, randomRounds(2000))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var count = 0
          for _ in 0..<rounds {
            for try await _ in try vault.stream("SELECT text FROM Note") { count += 1 }
          }
          return count
        }
      }
      for try await count in group { #expect(count == 3 * rounds) }
    }
  }
}
