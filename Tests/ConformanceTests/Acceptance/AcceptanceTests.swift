import Foundation
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import TestSupport
import Testing

/// Compares `Fixtures/acceptance.yaml` with the tests and fixtures that name its rows.
@Suite("Acceptance list") struct AcceptanceTests {
  private let list: AcceptanceList

  init() throws { list = try AcceptanceList(in: FixtureFolder.url) }

  @Test("Every row of every group is listed once")
  func rows() {
    let counts = [
      ("S", 78), ("X", 49), ("J", 70), ("A", 59), ("P", 79), ("D", 12), ("F", 5), ("H", 9),
      ("K", 12), ("B", 6), ("E", 12), ("T", 3),
    ]
    #expect(
      list.rows.map(\.id)
        == counts.flatMap { letter, count in
          (1...count).map { "\(letter)\($0)" }
        })
    #expect(list.rows.count { $0.notApplicable != nil } <= 5)
  }

  @Test("Every row has a fixture, a test, a missing feature or a reason not to apply")
  func held() throws {
    let run = try CoverageScript.run()
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.split(separator: "\n").count == list.rows.count)
  }

  @Test("The library reads the fixtures and finds no unknown row")
  func fixtures() {
    let (fixtures, errors) = FixtureTests.loaded
    #expect(errors == [])
    #expect(list.unknownRows(in: fixtures).map { "\($0.place): \($0.row)" } == [])
  }
}
