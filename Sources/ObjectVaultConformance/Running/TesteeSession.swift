/// A testee in the course of one case: it is told of the case before its first step, and again by a
/// new testee after a crash.
final class TesteeSession {
  private let make: TesteeFactory.Maker
  private let begin: Request
  /// `nil` before the first request and after the testee ended.
  private var testee: (any Testee)?
  /// Whether the testee was told of the case.
  private var hasBegun = false
  /// What the testee said of itself.
  private(set) var facts: TesteeFacts?

  /// - Parameter testee: One to use at first; where it ends, `make` gives the next.
  init(
    _ testee: (any Testee)?, begin: Request, make: @escaping TesteeFactory.Maker
  ) {
    self.testee = testee
    self.begin = begin
    self.make = make
  }

  /// Has the testee answer, beginning the case with it first where that is still to be done.
  ///
  /// - Throws: ``TesteeEnded``, after which the next request goes to a new testee; what `make`
  ///   throws; ``CaseEnd/notSupported(_:)`` where the testee refuses the case as a whole.
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

  /// Tells the testee of the case without asking for anything yet.
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

  /// Ends the case, where the testee was told of it and still lives.
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

  /// Gives up the testee for the next case, once this one has ended with it.
  func takeTestee() -> (any Testee)? {
    defer { testee = nil }
    return hasBegun ? nil : testee
  }

  private func begin(with testee: any Testee) throws {
    switch try testee.answer(begin) {
    case .returns(let value):
      guard case .text(let name)? = value?["name"], case .text(let engine)? = value?["engine"]
      else { return }
      facts = TesteeFacts(name: name, engine: engine)
    case .unsupported(let reason):
      throw CaseEnd.notSupported(reason)
    case .fails(let failure), .steps(_, let failure?):
      throw TesteeEnded(reason: "it did not begin the case: \(failure.words)")
    case .steps(_, nil):
      throw TesteeEnded(reason: "it answered the begin of the case with the answers of steps")
    }
  }
}
