import ObjectVaultConformanceFormat

/// A testee during one case.
///
/// It receives `begin` before its first request. A new testee receives it again after a crash.
final class TesteeSession {
  private let make: TesteeFactory.Maker
  private let begin: Request
  /// The testee; `nil` before the first request and after the testee ended.
  private var testee: (any Testee)?
  /// Whether the testee received `begin`.
  private var hasBegun = false
  /// The name and engine that the testee reported.
  private(set) var facts: TesteeFacts?

  /// Creates a session.
  ///
  /// It uses `testee` at first. If that ends, `make` creates the next one.
  init(
    _ testee: (any Testee)?, begin: Request, make: @escaping TesteeFactory.Maker
  ) {
    self.testee = testee
    self.begin = begin
    self.make = make
  }

  /// Sends a request to the testee, after `begin` if the case has not begun.
  ///
  /// - Throws: ``TesteeEnded``, after which the next request goes to a new testee; the errors of
  ///   `make`; ``CaseEnd/notSupported(_:)`` if the testee does not support the case as a whole.
  func answer(_ request: Request) throws -> Answer {
    let testee = try self.testee ?? make()
    self.testee = testee
    do {
      if !hasBegun {
        try begin(with: testee)
        hasBegun = true
      }
      return try testee.answer(request)
    } catch let error as TesteeEnded {
      self.testee = nil
      hasBegun = false
      throw error
    }
  }

  /// Sends `begin` to the testee, without a further request.
  func start() throws {
    guard !hasBegun else { return }
    let testee = try self.testee ?? make()
    self.testee = testee
    do {
      try begin(with: testee)
      hasBegun = true
    } catch let error as TesteeEnded {
      self.testee = nil
      throw error
    }
  }

  /// Ends the case if it has begun and the testee still runs.
  func end() throws -> Answer? {
    guard hasBegun, let testee else { return nil }
    hasBegun = false
    do {
      return try testee.answer(.end)
    } catch let error as TesteeEnded {
      self.testee = nil
      throw error
    }
  }

  /// Returns the testee for the next case, if this case has ended, and releases it.
  func takeTestee() -> (any Testee)? {
    defer { testee = nil }
    return hasBegun ? nil : testee
  }

  private func begin(with testee: any Testee) throws {
    switch try testee.answer(begin) {
    case .returns(let value):
      guard let value, case .text(let name)? = value["name"],
        case .text(let engine)? = value["engine"]
      else { return }
      facts = TesteeFacts(name: name, engine: engine, hasFiles: value["files"] != .bool(false))
    case .unsupported(let reason):
      throw CaseEnd.notSupported(reason)
    case .fails(let failure), .steps(_, let failure?):
      throw TesteeEnded(reason: "it did not begin the case: \(failure.words)")
    case .steps(_, nil):
      throw TesteeEnded(reason: "it answered 'begin' with the answers of steps")
    }
  }
}
