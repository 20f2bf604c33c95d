package import ObjectVaultConformanceFormat

/// The behaviours that a conformant vault has, as listed in `acceptance.yaml`.
package struct AcceptanceList: Sendable {
  /// The name of the file in the folder of the fixtures.
  package static let fileName = "acceptance.yaml"

  /// The features that are not built yet, each with a one-line description, in file order.
  package var features: [(name: String, description: String)]
  /// The groups of rows, in file order.
  package var groups: [Group]
  package var rows: [Row]

  /// A letter and the topic of its rows.
  package struct Group: Sendable {
    package var letter: String
    package var title: String
  }

  /// One behaviour.
  package struct Row: Sendable {
    /// The letter of its group and its number in that group, such as `S33`.
    package var id: String
    /// The behaviour that must hold.
    package var must: String
    /// Whether no fixture covers the row and only the tests of this package check it.
    package var isHeldByTests: Bool
    /// The missing feature that the row depends on.
    package var open: String?
    /// The missing parts of an open row that is partly implemented.
    package var note: String?
    /// The reason why the row requires nothing of a vault.
    package var notApplicable: String?
    package var place: SourcePlace

    package var letter: String { String(id.prefix(1)) }
  }

  /// Returns the rows that cases name in `covers` and that are not in the list.
  package func unknownRows(in fixtures: [Fixture]) -> [(row: String, place: SourcePlace)] {
    let known = Set(rows.map(\.id))
    return fixtures.flatMap(\.cases).flatMap { fixtureCase in
      fixtureCase.covers.filter { !known.contains($0) }.map { ($0, fixtureCase.place) }
    }
  }
}
