import Foundation
@testable import ObjectVaultConformance
import Testing

@Suite("Coverage") struct CoverageTests {
  private let list = try? AcceptanceList(
    yaml: """
      format: 1
      features:
        sql: Statements.
      groups:
        S: stores
        X: storage
      rows:
        S1:
          must: A fixture holds it.
        S2:
          must: A test holds it.
          heldBy: tests
        S3:
          must: It fails.
        S4:
          must: Nothing holds it.
        S5:
          must: No case of it was run to its end.
        X1:
          must: It is open.
          open: sql
          note: Half of it is there.
        X2:
          must: It asks nothing.
          notApplicable: A reason.
        X3:
          must: It is open, and what there is of it fails.
          open: sql
          note: Half of it is there.
      """)

  private func coverage(isFiltered: Bool = false) throws -> Coverage {
    let failed = CaseResult.Verdict.failed([])
    return Coverage(
      of: try #require(list),
      in: RunSummary(
        testee: "t", engine: "e",
        results: [
          SampleRun.result("a/a.yaml: one", ["S1", "S1", "X1"], .passed, 0),
          SampleRun.result("a/a.yaml: two", ["S1", "S3"], .passed, 0),
          SampleRun.result("a/b.yaml: three", ["S3", "X3"], failed, 0),
          SampleRun.result("a/b.yaml: four", ["S5", "S1", "S2"], .notSupported("x"), 0),
          SampleRun.result("a/b.yaml: five", ["S5"], .otherEngine, 0),
        ], seconds: 0, isFiltered: isFiltered))
  }

  @Test("a row is held by a case that passed where none failed, else by a test")
  func states() throws {
    let coverage = try coverage()
    let states = Dictionary(
      uniqueKeysWithValues: coverage.entries.map { ($0.row.id, $0.state) })
    #expect(
      states == [
        "S1": .heldByFixtures, "S2": .heldByTests, "S3": .failing, "S4": .heldByNothing,
        "S5": .heldByNothing, "X1": .open, "X2": .notApplicable, "X3": .failing,
      ])
  }

  @Test("shows the counts, every row with what holds it, and what is missing")
  func text() throws {
    #expect(
      try coverage().text() == """
        Coverage by 5 cases: 2 passed, 1 failed, 1 not supported, 1 for another engine, and by tests, which were not run here and apply to this library only.

                    rows  fixtures  tests only  failing  open  not applicable  not covered
        S: stores      5         1           1        1     0               0            2
        X: storage     3         0           0        1     1               1            0
        all            8         1           1        2     1               1            2

        S1  fixtures: A fixture holds it.
              passed  a/a.yaml: one
              passed  a/a.yaml: two
              not supported  a/b.yaml: four
        S2  tests only: A test holds it.
              not supported  a/b.yaml: four
        S3  FAILING: It fails.
              passed  a/a.yaml: two
              FAILED  a/b.yaml: three
        S4  NOT COVERED: Nothing holds it.
        S5  NOT COVERED: No case of it was run to its end.
              not supported  a/b.yaml: four
              for another engine  a/b.yaml: five
        X1  open: It is open.
              passed  a/a.yaml: one
        X2  not applicable: It asks nothing.
        X3  FAILING: It is open, and what there is of it fails.
              FAILED  a/b.yaml: three

        Not covered: 2
          S4  Nothing holds it.
          S5  No case of it was run to its end.

        Open: 1
          sql: Statements.
            X1  It is open.
                Half of it is there.

        Not applicable: 1
          X2  It asks nothing.
              A reason.

        """)
  }

  @Test("a filtered run says that it is one, and misses nothing that it left out")
  func filtered() throws {
    var coverage = try coverage(isFiltered: true)
    #expect(coverage.text().contains("Only the cases that match the filter were run"))
    #expect(coverage.hasGaps, "S3 fails")
    coverage = Coverage(
      of: coverage.list,
      in: RunSummary(testee: "t", engine: "e", results: [], seconds: 0, isFiltered: true))
    #expect(!coverage.hasGaps)
    coverage = Coverage(
      of: coverage.list, in: RunSummary(testee: "t", engine: "e", results: [], seconds: 0))
    #expect(coverage.hasGaps)
  }

  @Test("is a member of the JSON report too")
  func json() throws {
    let coverage = try coverage()
    let text = coverage.summary.json(coverage: coverage.json())
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let rows = try #require(object["coverage"] as? [String: [String: Any]])
    #expect(rows.count == 8)
    #expect(rows["S1"]?["state"] as? String == "fixtures")
    #expect(
      rows["S1"]?["cases"] as? [String] == ["a/a.yaml: one", "a/a.yaml: two", "a/b.yaml: four"])
    #expect(rows["S2"]?["state"] as? String == "tests")
    #expect(rows["S2"]?["cases"] as? [String] == ["a/b.yaml: four"])
    #expect(rows["X1"]?["note"] as? String == "Half of it is there.")
    #expect(rows["X2"]?["notApplicable"] as? String == "A reason.")
  }
}
