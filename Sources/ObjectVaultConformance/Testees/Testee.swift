/// A database that fixtures are run against: this library, or a program behind the protocol.
///
/// A testee serves one case after another and is used by one thread at a time.
package protocol Testee: AnyObject {
  /// Answers one request.
  ///
  /// - Throws: ``TesteeEnded`` where the testee has ended, or speaks something else than the
  ///   protocol. What an operation fails with is an answer, not an error.
  func answer(_ request: Request) throws -> Answer
}

/// A request to a testee.
package struct Request: Sendable {
  /// The name of an operation, `begin` or `end`.
  package var operation: RequestOperation
  /// A ``FixtureValue/object(_:)``, without `steps`.
  package var arguments: FixtureValue
  /// The steps of a `transaction` or `read`.
  package var steps: [Request]
  /// The thread that does it; `nil` for the one that does what it stands in, or the first.
  package var thread: String?
  /// Whether its failing leaves the transaction that it stands in open.
  package var mayFail: Bool
  /// The classes that a case may use, of `begin` alone.
  package var classes: [FixtureClass]

  package init(
    _ operation: RequestOperation, arguments: FixtureValue = .object([]), steps: [Request] = [],
    thread: String? = nil, mayFail: Bool = false, classes: [FixtureClass] = []
  ) {
    self.operation = operation
    self.arguments = arguments
    self.steps = steps
    self.thread = thread
    self.mayFail = mayFail
    self.classes = classes
  }

  /// The begin of a case.
  ///
  /// - Parameter folder: The absolute path of the case's own folder, which is there and empty.
  package static func begin(folder: String, classes: [FixtureClass]) -> Request {
    Request(
      .begin,
      arguments: .object([.init("format", .integer(1)), .init("folder", .text(folder))]),
      classes: classes)
  }

  /// The end of a case.
  package static let end = Request(.end)
}

/// What a request asks for.
package enum RequestOperation: Sendable, Hashable {
  /// A new case: its folder and classes.
  case begin
  /// The end of the case.
  case end
  case perform(Operation)
}

/// What a testee says to a request.
package enum Answer: Sendable, Equatable {
  /// It succeeded, with this value where the operation gives one.
  case returns(FixtureValue?)
  /// A transaction or read did all its steps, with these answers; or those up to the failure that
  /// ended it.
  case steps([Answer], failure: Failure?)
  case fails(Failure)
  /// It does not do that.
  case unsupported(String)

  /// What an operation failed with.
  package struct Failure: Sendable, Equatable {
    package var code: String
    package var offset: Int?
    package var message: String

    package init(code: String, offset: Int? = nil, message: String) {
      self.code = code
      self.offset = offset
      self.message = message
    }
  }
}

/// A testee that cannot answer any more.
package struct TesteeEnded: Error {
  package var reason: String
  /// Whether its process was killed, as `crash` asks; not where the runner killed it.
  package var wasKilled: Bool

  package init(reason: String, wasKilled: Bool = false) {
    self.reason = reason
    self.wasKilled = wasKilled
  }
}
