import Foundation
@testable import ObjectVaultConformance
import Testing

/// Holds `Fixtures/acceptance.yaml` against the tests and fixtures that it speaks of.
///
/// With OBJECTVAULT_REWRITE_ACCEPTANCE=1 in the environment the lists of tests are written anew
/// first, and the run fails, so that nobody leaves the setting on.
@Suite("The list of what must hold") struct AcceptanceTests {
  private let folder: URL
  private let text: String
  private let list: AcceptanceList
  private let covering: CoveringTests

  init() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    folder = package.appendingPathComponent("Fixtures")
    text = try String(
      contentsOf: folder.appendingPathComponent(AcceptanceList.fileName), encoding: .utf8)
    list = try AcceptanceList(yaml: text)
    covering = try CoveringTests(below: package.appendingPathComponent("Tests"))
  }

  @Test("has every row of every group once")
  func rows() {
    let counts = [("S", 68), ("X", 49), ("J", 67), ("A", 59), ("P", 79), ("D", 12)]
    #expect(
      list.rows.map(\.id)
        == counts.flatMap { letter, count in
          (1...count).map { "\(letter)\($0)" }
        })
    #expect(list.rows.count { $0.notApplicable != nil } <= 5)
  }

  @Test("names for each row the tests that cover it, and no others")
  func tests() throws {
    #expect(covering.namesByRow.keys.allSatisfy { row in list.rows.contains { $0.id == row } })
    var wrong = ""
    for row in list.rows {
      let expected = (covering.namesByRow[row.id] ?? []).sorted()
      guard row.tests != expected else { continue }
      wrong += "  \(row.id):\n" + Self.lines(of: expected)
    }
    if ProcessInfo.processInfo.environment["OBJECTVAULT_REWRITE_ACCEPTANCE"] == "1" {
      try Self.rewritten(text, with: covering).write(
        to: folder.appendingPathComponent(AcceptanceList.fileName), atomically: true,
        encoding: .utf8)
      Issue.record("\(AcceptanceList.fileName) was written anew; unset the variable")
      return
    }
    #expect(
      wrong.isEmpty,
      """
      The tests that these rows must name (OBJECTVAULT_REWRITE_ACCEPTANCE=1 writes them; \
      '.covers' in the tests is what counts):
      \(wrong)
      """)
  }

  /// The lines of `tests` in the list; none where there are no tests.
  private static func lines(of tests: [String]) -> String {
    tests.isEmpty ? "" : "    tests:\n" + tests.map { "      - \(scalar($0))\n" }.joined()
  }

  /// A name of words needs no quotes; names of any characters may stand in back-quotes.
  private static func scalar(_ name: String) -> String {
    name.contains(": ") || name.contains(" #") || name.contains("\"") ? JSONText.quoted(name) : name
  }

  static func rewritten(_ text: String, with covering: CoveringTests) -> String {
    var result: [Substring] = []
    var row = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: #/\ {2}([A-Z][0-9]+):/#) { row = String(match.1) }
      if !row.isEmpty, line == "    tests:" || line.hasPrefix("      - ") { continue }
      result.append(line)
      if !row.isEmpty, line.hasPrefix("    must: ") {
        result += lines(of: (covering.namesByRow[row] ?? []).sorted())
          .split(separator: "\n")
      }
    }
    return result.joined(separator: "\n")
  }

  @Test("writing it anew changes nothing but the lists of tests")
  func rewriting() throws {
    let covering = CoveringTests(
      source:
        #"@Suite struct A { @Test(.covers("S2")) func b() {}; @Test(.covers("S2")) func a() {} }"#,
      target: "T")
    let old = """
      rows:
        S1:
          must: One.
          tests:
            - T.A/gone
          open: x
        # A comment.
        S2:
          must: Two.

      """
    let new = """
      rows:
        S1:
          must: One.
          open: x
        # A comment.
        S2:
          must: Two.
          tests:
            - T.A/a
            - T.A/b

      """
    #expect(Self.rewritten(old, with: covering) == new)
    #expect(Self.rewritten(new, with: covering) == new)
  }

  @Test("has for each row a fixture, a test, an open feature or a reason")
  func held() throws {
    let (fixtures, errors) = FixtureLoader.load(folder.path)
    #expect(errors == [])
    #expect(list.unknownRows(in: fixtures).map { "\($0.place): \($0.row)" } == [])
    let covered = Set(fixtures.flatMap(\.cases).flatMap(\.covers))
    var wrong: [String] = []
    for row in list.rows {
      let isHeld = covered.contains(row.id) || !row.tests.isEmpty
      switch (isHeld, row.open, row.notApplicable) {
      case (true, nil, nil), (false, .some, nil), (false, nil, .some): break
      case (false, nil, nil): wrong.append("\(row.place): nothing holds \(row.id)")
      case (true, .some, _) where row.note != nil: break
      case (true, .some, _):
        wrong.append("\(row.place): \(row.id) is open and held; a note must say what is missing")
      default: wrong.append("\(row.place): \(row.id) does not apply and is held")
      }
    }
    #expect(wrong == [])
  }
}
