import ObjectVaultConformanceFormat

/// The reason why a case ended early.
enum CaseEnd: Error {
  case failed([Discrepancy])
  case notSupported(String)
  case otherEngine

  static func failed(
    _ place: SourcePlace, _ subject: String, expected: String, actual: String
  ) -> CaseEnd {
    .failed([Discrepancy(place: place, subject: subject, expected: expected, actual: actual)])
  }
}

extension Step {
  /// The name of the step in a report.
  var subject: String {
    var subject = operation.rawValue
    if case .text(let label)? = arguments["class"] { subject += " \(label)" }
    if let process { subject += " in process \(process)" }
    if let thread { subject += " on thread \(thread)" }
    return subject
  }

  /// Returns the request that makes a testee perform the step.
  func request(mayFail: Bool = false) throws -> Request {
    guard operation.performer == .testee else {
      throw CaseEnd.failed(
        place, subject, expected: "an operation of a testee",
        actual: "an operation of the runner")
    }
    return Request(
      .perform(operation), arguments: arguments,
      steps: try steps.map { step in
        if case .fails = step.expected { return try step.request(mayFail: true) }
        return try step.request()
      },
      thread: thread, mayFail: mayFail)
  }

  /// Throws an error if an answer differs from the expectation.
  func check(_ answer: Answer) throws(CaseEnd) {
    switch answer {
    case .unsupported(let reason):
      throw .notSupported(reason)
    case .steps(let answers, let failure):
      try checkNested(answers, failure)
      try checkOwn(failure, value: nil)
    case .fails(let failure):
      try checkOwn(failure, value: nil)
    case .returns(let value):
      guard steps.isEmpty else {
        throw .failed(
          place, subject, expected: "the answers of \(steps.count) steps", actual: "none of them")
      }
      try checkOwn(nil, value: value)
    }
  }

  private func checkNested(
    _ answers: [Answer], _ failure: Answer.Failure?
  ) throws(CaseEnd) {
    guard answers.count <= steps.count else {
      throw .failed(
        place, subject, expected: "the answers of \(steps.count) steps",
        actual: "\(answers.count) answers")
    }
    for (index, step) in steps.enumerated() {
      guard index < answers.count else {
        // A transaction that did not begin has no answers.
        if failure != nil, answers.isEmpty, !steps.contains(where: \.comparesAnswers) { return }
        // A failure that is not the expected one is more important.
        if let failure { try checkOwn(failure, value: nil) }
        throw .failed(
          step.place, step.subject, expected: step.expected.words, actual: "no answer")
      }
      if let failure, index == answers.count - 1,
        step.leavesFailure(failure, to: self, answers[index])
      {
        return
      }
      try step.check(answers[index])
    }
  }

  /// Whether an answer of the step, or of a step in it, is compared.
  private var comparesAnswers: Bool {
    expected != .success || steps.contains { $0.comparesAnswers }
  }

  /// Returns whether this step is expected to end the enclosing transaction with a failure.
  ///
  /// It is if the step has no specific expectation, the transaction is expected to fail, and the
  /// answer is the failure of the transaction.
  private func leavesFailure(
    _ failure: Answer.Failure, to scope: Step, _ answer: Answer
  ) -> Bool {
    guard case .fails = scope.expected, case .success = expected else { return false }
    switch answer {
    case .fails(let own), .steps(_, failure: let own?): return own.code == failure.code
    default: return false
    }
  }

  private func checkOwn(
    _ failure: Answer.Failure?, value: FixtureValue?
  ) throws(CaseEnd) {
    switch (expected, failure) {
    case (.success, nil):
      return
    case (.returns(let expectedValue), nil):
      guard let difference = Difference(expected: expectedValue, actual: value) else { return }
      throw .failed(
        place, subject + difference.path, expected: difference.expected,
        actual: difference.actual)
    case (.fails(let code, let offset), let failure?):
      guard code != failure.code || (offset != nil && offset != failure.offset) else { return }
      throw .failed(place, subject, expected: expected.words, actual: failure.words)
    case (_, let failure?):
      throw .failed(place, subject, expected: expected.words, actual: failure.words)
    case (.fails, nil):
      throw .failed(
        place, subject, expected: expected.words,
        actual: value.map { "returns \($0.shortNotation)" } ?? "success")
    }
  }
}

extension Outcome {
  /// The text of the expectation in a report.
  var words: String {
    switch self {
    case .success: "success"
    case .returns(let value): "returns \(value.shortNotation)"
    case .fails(let code, nil): "fails \(code)"
    case .fails(let code, let offset?): "fails \(code) at offset \(offset)"
    }
  }
}

extension Answer.Failure {
  /// The text of the failure in a report.
  var words: String {
    let place = offset.map { " at offset \($0)" } ?? ""
    return "fails \(code)\(place): \(message)"
  }
}
