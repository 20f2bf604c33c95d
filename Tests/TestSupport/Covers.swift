package import Testing

/// Names the rows of the acceptance list that a test or suite holds: breaking the behaviour of a
/// row makes a test that names it fail.
package struct CoversTrait: SuiteTrait, TestTrait {
  /// The names of the rows, such as `S33`.
  package let rows: [String]
}

extension Trait where Self == CoversTrait {
  /// The rows that the test or suite holds.
  package static func covers(_ rows: String...) -> Self { CoversTrait(rows: rows) }
}
