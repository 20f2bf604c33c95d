import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Synchronization

/// A testee that says what a test has it say, so that the runner can be seen to judge it.
final class ScriptedTestee: Testee {
  /// What several testees of one script were asked, and what they are still to answer.
  final class Script: Sendable {
    /// Answers to one operation after another; one that has none left succeeds without a value.
    typealias Answers = [FixtureOperation: [Result<Answer, TesteeEnded>]]

    private struct State {
      var answers: Answers
      var asked: [String] = []
      var testees = 0
    }

    private let state: Mutex<State>
    private let engine: String
    private let hasFiles: Bool

    init(
      _ answers: Answers = [:], engine: String = "SQLCipher 3.4.1", hasFiles: Bool = true
    ) {
      state = Mutex(State(answers: answers))
      self.engine = engine
      self.hasFiles = hasFiles
    }

    /// What was asked, each with the number of the testee: `1 begin`.
    var asked: [String] { state.withLock { $0.asked } }

    var factory: TesteeFactory {
      TesteeFactory(shared: { self.testee("") }, separate: { self.testee("own ") })
    }

    /// A further testee; its number is that of its making.
    func testee(_ kind: String) -> ScriptedTestee {
      state.withLock { state in
        state.testees += 1
        return ScriptedTestee("\(kind)\(state.testees)", self)
      }
    }

    fileprivate func answer(_ request: Request, by name: String) throws -> Answer {
      let words =
        switch request.operation {
        case .begin: "begin"
        case .end: "end"
        case .perform(let operation): operation.rawValue
        }
      let answer = state.withLock { state -> Result<Answer, TesteeEnded> in
        let thread = request.thread.map { " on \($0)" } ?? ""
        state.asked.append("\(name) \(words)\(thread)")
        switch request.operation {
        case .begin:
          return .success(
            .returns(
              .object([
                .init("name", .text("scripted")), .init("engine", .text(engine)),
                .init("files", .bool(hasFiles)),
              ])))
        case .end: return .success(.returns(nil))
        case .perform(let operation):
          guard state.answers[operation]?.isEmpty == false else {
            return .success(.returns(nil))
          }
          return state.answers[operation]?.removeFirst() ?? .success(.returns(nil))
        }
      }
      return try answer.get()
    }
  }

  private let name: String
  private let script: Script

  fileprivate init(_ name: String, _ script: Script) {
    self.name = name
    self.script = script
  }

  func answer(_ request: Request) throws -> Answer { try script.answer(request, by: name) }
}

extension Result where Success == Answer, Failure == TesteeEnded {
  static func returns(_ value: FixtureValue?) -> Self { .success(.returns(value)) }

  static func fails(_ code: String, offset: Int? = nil) -> Self {
    .success(.fails(.init(code: code, offset: offset, message: "the testee's words")))
  }

  static var isKilled: Self { .failure(TesteeEnded(reason: "it was killed", wasKilled: true)) }

  static var dies: Self { .failure(TesteeEnded(reason: "its input ended")) }
}
