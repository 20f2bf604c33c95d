/// The behaviours that a conformant vault has, as `acceptance.yaml` lists them.
package struct AcceptanceList: Sendable {
  /// The name of the file, in the folder of the fixtures.
  package static let fileName = "acceptance.yaml"

  /// What is not built yet, and a line on each, in the order written.
  package var features: [(name: String, description: String)]
  /// The groups of rows, in the order written.
  package var groups: [Group]
  package var rows: [Row]

  /// A letter and what its rows are about.
  package struct Group: Sendable {
    package var letter: String
    package var title: String
  }

  /// One behaviour.
  package struct Row: Sendable {
    /// The letter of its group and its number in that, such as `S33`.
    package var id: String
    /// What must hold.
    package var must: String
    /// The tests of this package that hold it beside the fixtures.
    package var tests: [String]
    /// The feature that is not built and that it needs.
    package var open: String?
    /// What is missing where something of an open row is there.
    package var note: String?
    /// Why it asks nothing of a vault.
    package var notApplicable: String?
    package var place: SourcePlace

    package var letter: String { String(id.prefix(1)) }
  }

  /// The rows that cases name in `covers` and that are not in the list.
  package func unknownRows(in fixtures: [Fixture]) -> [(row: String, place: SourcePlace)] {
    let known = Set(rows.map(\.id))
    return fixtures.flatMap(\.cases).flatMap { fixtureCase in
      fixtureCase.covers.filter { !known.contains($0) }.map { ($0, fixtureCase.place) }
    }
  }
}
