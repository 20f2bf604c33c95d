package import ObjectVaultConformanceFormat

/// The result of one case.
package struct CaseResult: Sendable {
  package enum Verdict: Sendable {
    case passed
    case failed([Discrepancy])
    /// The testee does not support an operation that the case needs.
    case notSupported(String)
    /// The case is for engines of another major version.
    case otherEngine
  }

  /// The path of the file and the name of the case, such as `objectid/generated.yaml: NAME`.
  package var id: String
  package var covers: [String]
  package var verdict: Verdict
  package var seconds: Double
}

/// A difference from the expectation of a fixture.
package struct Discrepancy: Sendable {
  /// The location of the expectation in the fixture.
  package var place: SourcePlace
  /// The compared item: the step, or the field of a file.
  package var subject: String
  package var expected: String
  package var actual: String
}
