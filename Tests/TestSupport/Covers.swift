package import Testing

/// A trait that names the rows of the acceptance list that a test or suite covers.
///
/// If the behaviour of a row breaks, a test that names the row fails. Name rows by string literals:
/// `Scripts/coverage` reads them in the sources.
package struct CoversTrait: SuiteTrait, TestTrait {
  /// The names of the rows, such as `S33`.
  package let rows: [String]

  /// The rows as a comment, which is printed if the test fails.
  package var comments: [Comment] { ["Covers \(rows.joined(separator: ", "))"] }
}

extension Trait where Self == CoversTrait {
  /// Returns a trait with the rows that the test or suite covers.
  package static func covers(_ rows: String...) -> Self { CoversTrait(rows: rows) }
}
