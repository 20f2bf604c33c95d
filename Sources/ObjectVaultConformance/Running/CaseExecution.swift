import Foundation
import ObjectVaultConformanceFormat

/// A case that is being run: its folder, its testees, and the keys of its files.
final class CaseExecution {
  private let fixture: Fixture
  private let fixtureCase: FixtureCase
  private let folder: CaseFolder
  private let testees: TesteeFactory
  private let main: TesteeSession
  private var others: [String: TesteeSession] = [:]
  private var keys = KnownKeys()
  private let begin: Request
  private let cipherFormat: String?

  /// Creates the execution of a case.
  ///
  /// - Parameters:
  ///   - fixtureCase: The case.
  ///   - fixture: The file of the case.
  ///   - folder: The folder of the case.
  ///   - testees: The factory for the testees that the case needs.
  ///   - testee: A testee from an earlier case, which is used again unless the case needs its own.
  ///   - cipherFormat: The cipher format of the given vault if the case does not specify one.
  init(
    _ fixtureCase: FixtureCase, of fixture: Fixture, in folder: CaseFolder,
    testees: TesteeFactory, testee: (any Testee)?, cipherFormat: String?
  ) {
    self.fixture = fixture
    self.fixtureCase = fixtureCase
    self.folder = folder
    self.testees = testees
    self.cipherFormat = cipherFormat
    begin = .begin(folder: folder.url.path, classes: fixture.classes)
    let make = fixtureCase.needsOwnProcess ? testees.separate : testees.shared
    main = TesteeSession(testee, begin: begin, make: make)
  }

  /// The name and engine that the testee reported.
  var facts: TesteeFacts? { main.facts }

  /// Returns the testee for the next case, if it can be used again.
  func takeTestee() -> (any Testee)? { main.takeTestee() }

  /// Runs the case.
  ///
  /// - Parameters:
  ///   - giver: The testee that stores the given objects; `nil` for the tested one.
  ///   - engineMajor: The major version of the engine if the testee does not report one.
  /// - Throws: ``CaseEnd`` if the case did not pass.
  func run(givenBy giver: TesteeSession?, engineMajor: Int?) throws {
    var found: [Discrepancy] = []
    do {
      try answering("begin", at: fixtureCase.place) { try main.start() }
      if let engine = fixtureCase.engine, engine != main.facts?.engineMajor ?? engineMajor {
        throw CaseEnd.otherEngine
      }
      if main.facts?.hasFiles == false { try checkNeedsNoFile() }
      try give(by: giver)
      for step in fixtureCase.steps { try perform(step) }
      if main.facts?.hasFiles == false {
        let contents = StoredContents(of: main)
        found = try fixtureCase.after.flatMap { expectation in
          try answering("the stored contents", at: expectation.place) {
            try contents.discrepancies(from: expectation)
          }
        }
      }
    } catch {
      // The handles must be closed before the folder is removed. A failure to close adds nothing to
      // the first error.
      for session in [main] + others.values { _ = try? session.end() }
      throw error
    }
    try end()
    if main.facts?.hasFiles != false {
      let inspection = FileInspection(folder: folder, keys: keys)
      found = fixtureCase.after.flatMap { inspection.discrepancies(from: $0) }
    }
    if !found.isEmpty { throw CaseEnd.failed(found) }
  }

  /// Ends a case that examines or changes files, which the testee does not have.
  ///
  /// - Throws: ``CaseEnd/notSupported(_:)``.
  private func checkNeedsNoFile() throws(CaseEnd) {
    if let field = fixtureCase.after.compactMap(StoredContents.fieldOfFile).first {
      throw .notSupported("files: the case examines '\(field)' at its end")
    }
    if case .open(_, _?) = fixtureCase.vault {
      throw .notSupported("files: the case begins with a given file")
    }
    func first(_ steps: [Step]) -> Step? {
      for step in steps {
        let isSQL = step.operation == .rows || step.operation == .execute
        if step.operation.performer == .runner || isSQL { return step }
        if let inner = first(step.steps) { return inner }
      }
      return nil
    }
    if let step = first(fixtureCase.steps) {
      throw .notSupported("files: '\(step.operation.rawValue)'")
    }
  }

  // MARK: Initial state

  private func give(by giver: TesteeSession?) throws {
    guard case .open(var arguments, let copied) = fixtureCase.vault else { return }
    if let copied {
      let path = try arguments.optionalText("path") ?? CaseFolder.defaultPath
      do {
        try FileOperations(folder: folder, keys: keys).copy(copied, to: path)
      } catch {
        throw CaseEnd.failed(
          fixtureCase.place, "the given vault", expected: "a copy of '\(copied)'",
          actual: "\(error)")
      }
    }
    if let cipherFormat, arguments["cipherFormat"] == nil, let members = arguments.members {
      arguments = .object(members + [.init("cipherFormat", .text(cipherFormat))])
    }
    let giver = fixtureCase.objects.isEmpty ? nil : giver
    if let giver {
      try open(arguments, with: giver)
      try store(with: giver)
      if let answer = try answering("end", at: fixtureCase.place, { try giver.end() }) {
        try expectSuccess(of: answer, "the end of the program that stores the given objects")
      }
    }
    try open(arguments, with: main)
    if giver == nil { try store(with: main) } else { try makeStores(with: main) }
    keys.note(.open, arguments)
  }

  private func open(_ arguments: FixtureValue, with session: TesteeSession) throws {
    let answer = try answering("the given vault", at: fixtureCase.place) {
      try session.answer(Request(.perform(.open), arguments: arguments))
    }
    try expectSuccess(of: answer, "the given vault")
  }

  private func store(with session: TesteeSession) throws {
    for given in fixtureCase.objects {
      let subject = "the given objects of \(given.label)"
      let answer = try answering(subject, at: fixtureCase.place) {
        try session.answer(
          Request(
            .perform(.insertMany),
            arguments: .object([
              .init("class", .text(given.label)), .init("objects", .list(given.objects)),
            ])))
      }
      try expectSuccess(of: answer, subject)
    }
  }

  /// Creates the stores that the testee would have if it had stored the given objects itself.
  ///
  /// Some cases test what happens to these stores later.
  private func makeStores(with session: TesteeSession) throws {
    for given in fixtureCase.objects {
      let subject = "the store of the given objects of \(given.label)"
      let answer = try answering(subject, at: fixtureCase.place) {
        try session.answer(
          Request(
            .perform(.store), arguments: .object([.init("class", .text(given.label))])))
      }
      try expectSuccess(of: answer, subject)
    }
  }

  private func expectSuccess(of answer: Answer, _ subject: String) throws(CaseEnd) {
    switch answer {
    case .returns, .steps(_, failure: nil): return
    case .unsupported(let reason): throw .notSupported(reason)
    case .fails(let failure), .steps(_, let failure?):
      throw .failed(fixtureCase.place, subject, expected: "success", actual: failure.words)
    }
  }

  // MARK: Steps

  private func perform(_ step: Step) throws {
    if step.operation.performer == .runner { return try performOwn(step) }
    let session = session(of: step.process)
    if step.crashes { return try crash(step, session) }
    let answer = try answering(step.subject, at: step.place, expected: step.expected) {
      try session.answer(try step.request())
    }
    try step.check(answer)
    if case .fails = step.expected { return }
    note(step, process: step.process ?? "")
  }

  private func note(_ step: Step, process: String) {
    keys.note(step.operation, step.arguments, process: process)
    for inner in step.steps {
      if case .fails = inner.expected { continue }
      note(inner, process: process)
    }
  }

  private func crash(_ step: Step, _ session: TesteeSession) throws {
    let answer: Answer
    do {
      answer = try session.answer(try step.request())
    } catch let error as TesteeEnded where error.wasKilled {
      return
    } catch let error as TesteeEnded {
      throw CaseEnd.failed(
        step.place, step.subject, expected: "the process is killed",
        actual: "the testee ended: \(error.reason)")
    }
    if case .unsupported(let reason) = answer { throw CaseEnd.notSupported(reason) }
    // If a step before the crash failed, report that step.
    if case .steps(let answers, _) = answer {
      for (inner, answer) in zip(step.steps, answers) where !inner.crashes {
        try inner.check(answer)
      }
    }
    throw CaseEnd.failed(
      step.place, step.subject, expected: "the process is killed",
      actual: "it is alive and answers")
  }

  private func session(of process: String?) -> TesteeSession {
    guard let process else { return main }
    if let session = others[process] { return session }
    let session = TesteeSession(nil, begin: begin, make: testees.separate)
    others[process] = session
    return session
  }

  private func performOwn(_ step: Step) throws {
    if step.operation == .file {
      let found = FileInspection(folder: folder, keys: keys)
        .discrepancies(from: FileExpectation(step.arguments, at: step.place))
      if !found.isEmpty { throw CaseEnd.failed(found) }
      return
    }
    do {
      try FileOperations(folder: folder, keys: keys).perform(step.operation, step.arguments)
    } catch {
      throw CaseEnd.failed(
        step.place, step.subject, expected: step.expected.words, actual: "\(error)")
    }
    guard step.expected == .success else {
      throw CaseEnd.failed(
        step.place, step.subject, expected: step.expected.words, actual: "success")
    }
    keys.note(step.operation, step.arguments)
  }

  // MARK: End

  private func end() throws {
    for session in [main] + others.sorted(by: { $0.key < $1.key }).map(\.value) {
      let answer = try answering("end", at: fixtureCase.place) { try session.end() }
      if let answer { try expectSuccess(of: answer, "end") }
    }
  }

  /// Returns the result of `body`.
  ///
  /// A testee that does not start or no longer answers becomes a discrepancy.
  private func answering<Result>(
    _ subject: String, at place: SourcePlace, expected: Outcome = .success,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as CaseEnd {
      throw error
    } catch let error as TesteeEnded {
      throw CaseEnd.failed(
        place, subject, expected: expected.words, actual: "the testee ended: \(error.reason)")
    } catch {
      throw CaseEnd.failed(
        place, subject, expected: expected.words, actual: "no testee: \(error)")
    }
  }
}

extension FixtureCase {
  /// Whether the testee must be a separate process, because it is killed or is one of several.
  var needsOwnProcess: Bool { steps.contains { $0.crashes || $0.process != nil } }
}
