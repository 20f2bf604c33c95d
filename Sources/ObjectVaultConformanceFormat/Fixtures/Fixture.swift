package import ObjectVaultModel

/// One file of fixtures.
package struct Fixture: Sendable {
  /// The path below the folder of fixtures, such as `objectid/generated.yaml`.
  package var path: String
  package var description: String
  package var classes: [FixtureClass]
  package var cases: [FixtureCase]
}

/// A class that cases can use.
package struct FixtureClass: Sendable {
  /// The name of the class in steps.
  package var label: String
  package var description: ClassDescription
  /// The names of the objectID's properties, as written in the fixture.
  ///
  /// They include names without a property, which a class description cannot represent and a testee
  /// must reject.
  package var objectID: [String]

  package init(label: String, description: ClassDescription, objectID: [String]) {
    self.label = label
    self.description = description
    self.objectID = objectID
  }
}

/// One case: the initial state, the steps and the expected result.
package struct FixtureCase: Sendable {
  package var name: String
  /// The acceptance rows that the case covers.
  package var covers: [String]
  /// The required major version of SQLCipher; `nil` for any version.
  package var engine: Int?
  package var vault: GivenVault
  package var objects: [GivenObjects]
  package var steps: [Step]
  package var after: [FileExpectation]
  package var place: SourcePlace

  /// Returns whether a text can be the name of an acceptance row: a letter and a number, `S45`.
  package static func isRow(_ text: String) -> Bool {
    text.wholeMatch(of: #/[A-Z][0-9]+/#) != nil
  }
}

/// The vault that exists before the first step of a case.
package enum GivenVault: Sendable {
  case none
  /// The vault that `open` creates with these arguments, after `copying` was copied to its path.
  case open(arguments: FixtureValue, copying: String?)
}

/// The objects of one class that exist before the first step.
package struct GivenObjects: Sendable {
  /// The label of the class.
  package var label: String
  /// The objects, each a ``FixtureValue/object(_:)``.
  ///
  /// Repetitions are expanded.
  package var objects: [FixtureValue]
}

/// One step of a case.
package struct Step: Sendable {
  package var operation: FixtureOperation
  /// A ``FixtureValue/object(_:)`` of the arguments, without `steps`.
  package var arguments: FixtureValue
  /// The steps of a `transaction` or `read`.
  package var steps: [Step]
  package var expected: Outcome
  package var thread: String?
  package var process: String?
  package var place: SourcePlace

  /// Whether the step kills its process.
  package var crashes: Bool { operation == .crash || steps.contains { $0.crashes } }
}

/// The expected outcome of a step.
package enum Outcome: Sendable, Equatable {
  /// The step succeeds; its answer is not compared.
  case success
  case returns(FixtureValue)
  case fails(code: String, offset: Int?)
}

/// A location in a file.
package struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
  /// The path below the folder of fixtures.
  package var path: String
  /// The line number, counted from 1.
  package var line: Int

  package init(path: String, line: Int) {
    self.path = path
    self.line = line
  }

  package var description: String { "\(path):\(line)" }
}
