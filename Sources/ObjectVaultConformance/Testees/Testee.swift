package import ObjectVaultConformanceFormat

/// A database that fixtures are run against: this library, or a program that uses the protocol.
///
/// A testee serves one case after another and is used by one thread at a time.
package protocol Testee: AnyObject {
  /// Answers one request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The answer. The failure of an operation is an answer, not an error.
  /// - Throws: ``TesteeEnded`` if the testee has ended or violates the protocol.
  func answer(_ request: Request) throws -> Answer
}

/// A request to a testee.
package struct Request: Sendable {
  /// The requested operation, `begin` or `end`.
  package var operation: RequestOperation
  /// A ``FixtureValue/object(_:)``, without `steps`.
  package var arguments: FixtureValue
  /// The steps of a `transaction` or `read`.
  package var steps: [Request]
  /// The thread that performs the request; `nil` for the thread of the enclosing request, or the
  /// first.
  package var thread: String?
  /// Whether the enclosing transaction continues if the request fails.
  package var mayFail: Bool
  /// The classes that a case can use, for `begin` only.
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

  /// Returns the request that begins a case.
  ///
  /// `folder` is the absolute path of the case's own folder, which exists and is empty.
  package static func begin(folder: String, classes: [FixtureClass]) -> Request {
    Request(
      .begin,
      arguments: .object([.init("format", .integer(1)), .init("folder", .text(folder))]),
      classes: classes)
  }

  /// The request that ends a case.
  package static let end = Request(.end)
}

/// The operation of a request.
package enum RequestOperation: Sendable, Hashable {
  /// The begin of a case, with its folder and classes.
  case begin
  /// The end of the case.
  case end
  case perform(FixtureOperation)
}

/// The answer of a testee to a request.
package enum Answer: Sendable, Equatable {
  /// The operation succeeded, with its value if it returns one.
  case returns(FixtureValue?)
  /// The answers of a transaction's or read's steps.
  ///
  /// If a step failed, they are the answers up to the failure that ended the transaction.
  case steps([Answer], failure: Failure?)
  case fails(Failure)
  /// The testee does not support the operation.
  case unsupported(String)

  /// The failure of an operation.
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

/// The error of a testee that can no longer answer.
package struct TesteeEnded: Error {
  package var reason: String
  /// Whether its process was killed by `crash`, as opposed to by the runner.
  package var wasKilled: Bool

  package init(reason: String, wasKilled: Bool = false) {
    self.reason = reason
    self.wasKilled = wasKilled
  }
}
