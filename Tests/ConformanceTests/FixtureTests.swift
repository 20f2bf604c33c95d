import Foundation
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import TestSupport
import Testing

/// Every case of the fixtures, each a test of its own, on this library.
@Suite("Fixtures", .cheapSlots)
struct FixtureTests {
  /// A case of the fixtures, which prints as its id.
  struct Argument: Sendable, CustomTestStringConvertible {
    let fixture: Fixture
    let fixtureCase: FixtureCase

    var testDescription: String { fixture.id(of: fixtureCase) }
  }

  /// The fixtures and the errors of reading them.
  static let loaded = FixtureLoader.load(FixtureFolder.url.path)

  static let cases = loaded.0.flatMap { fixture in
    fixture.cases.map { Argument(fixture: fixture, fixtureCase: $0) }
  }

  private static let settings = RunSettings(
    folder: FixtureFolder.url,
    testees: TesteeFactory(
      shared: { LibraryTestee() },
      separate: {
        let program = ChildProcess.path(of: "objectvault")
        return try ProcessTestee.start(.program([program, "testee"]))
      }))

  @Test("The folder of fixtures has no errors, and cases of every concept")
  func folder() {
    #expect(Self.loaded.1.map(\.description) == [])
    let folders = Set(Self.loaded.0.compactMap { $0.path.split(separator: "/").first })
    let missing = Self.concepts.subtracting(folders.map(String.init))
    #expect(missing.isEmpty)
    #expect(Self.cases.count > Self.concepts.count)
  }

  private static let concepts: Set<String> = [
    "batch", "conditions", "databases-by-others", "errors", "files", "keyring", "keys",
    "lifecycle", "naming", "objectid", "range", "recovery", "rekey",
    "schema", "secrecy", "sort", "storage", "transactions", "types", "updating",
  ]

  @Test("holds", arguments: cases)
  func holds(_ argument: Argument) {
    let result = CaseRunner(Self.settings).run(argument.fixtureCase, of: argument.fixture)
    switch result.verdict {
    case .passed, .otherEngine: break
    case .notSupported(let reason): Issue.record("not supported: \(reason)")
    case .failed(let discrepancies):
      for one in discrepancies {
        Issue.record(
          """
          \(one.place): \(one.subject)
            expected: \(one.expected)
            actual:   \(one.actual)
          """)
      }
    }
  }
}
