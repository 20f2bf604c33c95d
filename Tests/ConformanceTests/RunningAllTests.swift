import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Synchronization
import Testing

@Suite("A run takes the chosen cases and keeps their order")
struct RunningAllTests {
  private static let names = ["one", "two", "three", "four", "five"]

  private func fixture() throws -> Fixture {
    let cases = Self.names.enumerated().map { index, name in
      "  - {name: \(name), covers: [S\(index + 4), D\(index)], vault: none, steps: [{close: {}}]}\n"
    }
    return try readTrial(
      "format: 1\ndescription: Several.\ncases:\n" + cases.joined(), path: "trials/several.yaml")
  }

  private func run(
    _ script: ScriptedTestee.Script = .init(), _ patterns: [String] = [], workers: Int = 3
  ) throws -> ConformanceRun {
    ConformanceRun(
      [try fixture()],
      RunSettings(folder: FixtureFolder.url, testees: script.factory, workers: workers),
      filter: CaseFilter(patterns))
  }

  @Test("Results stand in the order of the file, and each case is told of as it ends")
  func order() throws {
    let seen = Mutex<[(id: String, done: Int, total: Int)]>([])
    let outcome = try run().run { progress in
      seen.withLock { $0.append((progress.result.id, progress.done, progress.total)) }
    }
    let ids = Self.names.map { "trials/several.yaml: \($0)" }
    #expect(outcome.results.map(\.id) == ids)
    #expect(outcome.results.map(\.covers) == (0...4).map { ["S\($0 + 4)", "D\($0)"] })
    #expect(outcome.testee == TesteeFacts(name: "scripted", engine: "SQLCipher 3.4.1"))
    seen.withLock { seen in
      #expect(Set(seen.map(\.id)) == Set(ids))
      #expect(seen.map(\.done) == [1, 2, 3, 4, 5])
      #expect(seen.allSatisfy { $0.total == 5 })
    }
  }

  @Test("One failing case leaves the others alone")
  func oneFails() throws {
    let script = ScriptedTestee.Script([.close: [.returns(nil), .fails("closed"), .dies]])
    let results = try run(script, workers: 1).run().results
    #expect(results.map(\.hasPassed) == [true, false, false, true, true])
  }

  @Test(
    "A filter is a part of the id, a pattern of all of it, or a row",
    arguments: [
      ([], 5), (["TWO"], 1), (["several"], 5), (["*e"], 3), (["trials/*: t*"], 2), (["t*"], 5),
      (["one*"], 0), (["S4"], 1), (["s5", "four"], 2), (["S40"], 0), (["d3"], 1), (["nothing"], 0),
    ] as [([String], Int)])
  func filter(_ patterns: [String], _ count: Int) throws {
    #expect(try run(.init(), patterns).count == count)
    #expect(try run(.init(), patterns).run().results.count == count)
  }

  @Test("A row of any group is a filter", arguments: ["S", "F", "H", "K", "B", "E", "T"])
  func rows(group: String) throws {
    let yaml = """
      format: 1
      description: A row.
      cases:
        - {name: a, covers: [\(group)1], vault: none, steps: [{close: {}}]}

      """
    let covered = try readTrial(yaml, path: "trials/row.yaml").cases[0].covers
    for pattern in ["\(group)1", "\(group.lowercased())1"] {
      #expect(CaseFilter([pattern]).chooses("trials/row.yaml: a", covers: covered))
      #expect(!CaseFilter([pattern]).chooses("trials/\(group)1.yaml: a", covers: ["\(group)12"]))
    }
  }

  @Test(
    "The engine's major version is read from what the testee says",
    arguments: [
      ("SQLCipher 4.12.0", 4), ("SQLCipher 3.4.1", 3), ("4.6.1 community", 4), ("unknown", nil),
    ] as [(String, Int?)])
  func engine(_ engine: String, _ major: Int?) {
    #expect(TesteeFacts(name: "a", engine: engine).engineMajor == major)
  }
}
