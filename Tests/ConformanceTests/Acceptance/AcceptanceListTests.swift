import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Testing

@Suite("Reading the list of what must hold") struct AcceptanceListTests {
  private static let sound = """
    format: 1
    features:
      sql: Statements.
    groups:
      S: stores
      X: storage
    rows:
      S1:
        must: One.
        heldBy: tests
      S2:
        must: Two.
        open: sql
        note: Half of it is there.
      X1:
        must: Three.
        notApplicable: A reason.
    """

  @Test("keeps rows, features and groups in their order, with the lines of the rows")
  func sound() throws {
    let list = try AcceptanceList(yaml: Self.sound)
    #expect(list.rows.map(\.id) == ["S1", "S2", "X1"])
    #expect(list.rows.map(\.must) == ["One.", "Two.", "Three."])
    #expect(list.rows.map(\.isHeldByTests) == [true, false, false])
    #expect(list.rows.map(\.open) == [nil, "sql", nil])
    #expect(list.rows.map(\.note) == [nil, "Half of it is there.", nil])
    #expect(list.rows.map(\.notApplicable) == [nil, nil, "A reason."])
    #expect(list.rows.map(\.place.description) == [8, 11, 15].map { "acceptance.yaml:\($0)" })
    #expect(list.features.map(\.name) == ["sql"])
    #expect(list.groups.map(\.letter) == ["S", "X"])
  }

  @Test(
    "refuses what contradicts itself, with the line",
    arguments: [
      ("format: 1", "format: 2", 1, "format must be 1"),
      ("    must: One.", "    must: One.\n    musst: x", 10, "unknown field 'musst'"),
      ("    must: One.\n", "", 9, "lacks 'must'"),
      ("  X1:", "  S1:", 8, "the key 'S1' twice"),
      ("  S2:", "  S3:", 11, "row S3 is in the place of S2"),
      ("  X1:", "  Y1:", 15, "row Y1 belongs to no group"),
      ("open: sql", "open: joins", 11, "open for 'joins', which is not among the features"),
      ("    open: sql\n", "", 11, "has a note and is not open"),
      (
        "    notApplicable: A reason.", "    notApplicable: A.\n    open: sql", 15,
        "is not applicable, so"
      ),
      (
        "    notApplicable: A reason.", "    notApplicable: A.\n    heldBy: tests", 15,
        "is not applicable, so"
      ),
      ("heldBy: tests", "heldBy: T.A/b", 10, "'heldBy' must be 'tests'"),
      ("heldBy: tests", "tests: [T.A/b]", 10, "unknown field 'tests'"),
      ("  sql: Statements.", "  sql: Statements.\n  joins: More.", 1, "no row is open for"),
      ("    must: Three.", "    must: [Three.]", 16, "expected text, found a list"),
      ("groups:\n  S: stores\n  X: storage\n", "", 1, "'groups' is missing"),
    ])
  func contradictions(old: String, new: String, line: Int, message: String) throws {
    let text = Self.sound.replacing(old, with: new, maxReplacements: 1)
    #expect(text != Self.sound)
    let error = try #require(throws: FixtureError.self) { try AcceptanceList(yaml: text) }
    #expect(error.place.line == line, "\(error)")
    #expect(error.message.contains(message), "\(error)")
  }
}
