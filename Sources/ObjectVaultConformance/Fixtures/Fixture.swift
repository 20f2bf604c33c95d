package import ObjectVaultCore

/// One file of fixtures.
package struct Fixture: Sendable {
  /// The path below the folder of fixtures, such as `objectid/generated.yaml`.
  package var path: String
  package var description: String
  package var classes: [FixtureClass]
  package var cases: [FixtureCase]
}

/// A class that cases may use.
package struct FixtureClass: Sendable {
  /// What steps call it.
  package var label: String
  package var description: ClassDescription
  /// The names that its objectID is made of, as written: a description has no place for one that
  /// no property has, which a testee must refuse.
  package var objectID: [String]

  package init(label: String, description: ClassDescription, objectID: [String]) {
    self.label = label
    self.description = description
    self.objectID = objectID
  }
}

/// One case: what is there, what is done, and what must come of it.
package struct FixtureCase: Sendable {
  package var name: String
  /// The acceptance rows that it holds.
  package var covers: [String]
  /// The major version of SQLCipher that it is for; `nil` for any.
  package var engine: Int?
  package var vault: GivenVault
  package var objects: [GivenObjects]
  package var steps: [Step]
  package var after: [FileExpectation]
  package var place: SourcePlace
}

/// What a case finds when its first step is done.
package enum GivenVault: Sendable {
  case none
  /// The vault that `open` makes with these arguments, after `copying` was copied to its path.
  case open(arguments: FixtureValue, copying: String?)
}

/// Objects of one class that a case finds.
package struct GivenObjects: Sendable {
  /// The class's label.
  package var label: String
  /// Each a ``FixtureValue/object(_:)``; repetitions are expanded.
  package var objects: [FixtureValue]
}

/// One step of a case.
package struct Step: Sendable {
  package var operation: Operation
  /// A ``FixtureValue/object(_:)`` of the arguments, without `steps`.
  package var arguments: FixtureValue
  /// The steps of a `transaction` or `read`.
  package var steps: [Step]
  package var expected: Outcome
  package var thread: String?
  package var process: String?
  package var place: SourcePlace
}

/// What is expected of a step.
package enum Outcome: Sendable, Equatable {
  /// It succeeds; an answer is not compared.
  case success
  case returns(FixtureValue)
  case fails(code: String, offset: Int?)
}

/// A place in a file.
package struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
  /// The path below the folder of fixtures.
  package var path: String
  /// Counted from 1.
  package var line: Int

  package init(path: String, line: Int) {
    self.path = path
    self.line = line
  }

  package var description: String { "\(path):\(line)" }
}
