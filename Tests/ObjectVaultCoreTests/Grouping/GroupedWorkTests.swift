import Foundation
import Synchronization
import TestSupport
import Testing

import ObjectVaultCore

@Suite("Threads whose writes may share commits") struct GroupedWorkTests {
  /// What eight threads leave behind that insert, update, remove and fail as their numbers say.
  private func leftBehind(_ configuration: VaultConfiguration) throws -> [String] {
    let notes = try Notes(configuration)
    let threads = (0..<8).map { thread in
      OnThread {
        var mine: [Note] = []
        for step in 0..<40 {
          let text = "\(thread)-\(step)"
          switch step % 5 {
          case 0, 1: mine.append(try notes.store.insert(Note(text)))
          case 2:
            try? notes.vault.transaction {
              try notes.store.insert(Note("undone \(text)"))
              throw OnPurpose()
            }
            try notes.store.update(Note("changed \(text)", objectID: mine[0].objectID))
          case 3:
            try notes.vault.transaction {
              try notes.store.insert(contentsOf: [Note(text), Note(text)])
              #expect(throws: VaultError.self) { try notes.store.insert(mine[0]) }
            }
          default: try notes.store.remove(mine.removeLast())
          }
          #expect(try notes.store.find(try #require(mine[0].objectID)) != nil)
        }
      }
    }
    for thread in threads { try thread.result() }
    return try notes.texts.sorted()
  }

  @Test("leave behind what they would otherwise")
  func same() async throws {
    try await onOwnThread {
      var configuration = VaultConfiguration()
      let expected = try leftBehind(configuration)
      #expect(!expected.contains { $0.hasPrefix("undone") })
      for durability in [VaultConfiguration.Durability.processCrash, .powerFailure] {
        configuration.commitGrouping = .on
        configuration.durability = durability
        #expect(try leftBehind(configuration) == expected)
      }
    }
  }

  @Test("take fewer commits than they write, where the disk is waited for")
  func fewerCommits() async throws {
    try await onOwnThread {
      var configuration = VaultConfiguration()
      configuration.commitGrouping = .on
      configuration.durability = .powerFailure
      let notes = try Notes(configuration)
      let before = try notes.vault.commitCount()
      let threads = (0..<8).map { thread in
        OnThread { for step in 0..<50 { try notes.store.insert(Note("\(thread)-\(step)")) } }
      }
      for thread in threads { try thread.result() }
      #expect(try notes.store.count() == 400)
      #expect(try notes.vault.commitCount() - before < 400)
    }
  }

  @Test("work with tasks and another process for seconds", .covers("S16"))
  func stress() async throws {
    let folder = try TemporaryFolder()
    let random = SeededGenerator(for: "grouped stress")
    var scenario = StressScenario(
      path: folder.file("stress.vault"), seconds: 4, seed: random.seed)
    scenario.groupsCommits = true
    let report = try await scenario.run()
    #expect(report.violations == [])
  }

  // The child prints a line for each transaction that returned. A line that was not written is no claim.
  @Test("find all that returned, and nothing in part, after a process was killed")
  func killed() async throws {
    try await onOwnThread {
      let random = SeededGenerator(for: "killed groups")
      let seed = random.seed
      for round in 0..<6 {
        let folder = try TemporaryFolder()
        let path = folder.file("a.vault")
        let child = try ChildProcess.run(
          "group-killed", path, "\(20 + (Int(seed % 97) + round * 37) % 150)")
        #expect(!child.exited && child.status == SIGKILL, "\(child.output) \(child.errors)")
        let returned = Set(child.output.split(separator: "\n").map(String.init))
        let notes = try Vault(at: path, key: .ofTests).store(of: Note.self).all().map(\.text)
        let counts = Dictionary(grouping: notes) { $0 }.mapValues(\.count)
        #expect(counts.values.allSatisfy { $0 == 3 })
        #expect(returned.isSubset(of: counts.keys))
        #expect(!returned.isEmpty)
      }
    }
  }
}
