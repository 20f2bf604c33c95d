import ObjectVaultConformanceFormat

/// The differences found in one file.
struct InspectionReport {
  let value: FixtureValue
  var path = CaseFolder.defaultPath
  private let place: SourcePlace
  private(set) var discrepancies: [Discrepancy] = []

  init(_ expectation: FileExpectation) {
    value = expectation.value
    place = expectation.place
  }

  mutating func add(_ subject: String, expected: String, actual: String) {
    discrepancies.append(
      Discrepancy(
        place: place, subject: "\(path): \(subject)", expected: expected, actual: actual))
  }

  mutating func compare(_ subject: String, _ expected: FixtureValue, _ actual: FixtureValue?) {
    guard let difference = Difference(expected: expected, actual: actual) else { return }
    add(subject + difference.path, expected: difference.expected, actual: difference.actual)
  }

  /// Compares each member of a field with the result of `actual` for its name.
  mutating func compareEach(
    _ field: String, _ actual: (_ name: String, _ expected: FixtureValue) throws -> FixtureValue?
  ) {
    guard let expected = value[field] else { return }
    guard let members = expected.members else {
      add(field, expected: "a mapping", actual: expected.notation)
      return
    }
    for member in members {
      let subject = "\(field).\(member.name)"
      do {
        compare(subject, member.value, try actual(member.name, member.value))
      } catch {
        add(subject, expected: member.value.notation, actual: "\(error)")
      }
    }
  }
}
