/// How one case went.
package struct CaseResult: Sendable {
  package enum Verdict: Sendable {
    case passed
    case failed([Discrepancy])
    /// The testee does not do something that the case needs.
    case notSupported(String)
    /// The case is for engines of another major version.
    case otherEngine
  }

  /// The path of the file and the name of the case, as in `objectid/generated.yaml: NAME`.
  package var id: String
  package var covers: [String]
  package var verdict: Verdict
  package var seconds: Double
}

/// Something that was not as the fixture expects it.
package struct Discrepancy: Sendable {
  /// Where the fixture says what it expects.
  package var place: SourcePlace
  /// What was compared: the step, or the field of a file.
  package var subject: String
  package var expected: String
  package var actual: String
}
