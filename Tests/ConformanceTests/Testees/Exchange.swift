import Foundation
import ObjectVaultConformance
import TestSupport
import Testing

/// A testee in a folder of its own, asked in the words of the protocol.
final class Exchange {
  /// Which testee is asked.
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The library in this process.
    case library
    /// The same behind the protocol, in a process of its own.
    case program

    var testDescription: String { rawValue }

    func make() throws -> any Testee {
      switch self {
      case .library: LibraryTestee()
      case .program: try Exchange.program()
      }
    }
  }

  /// `objectvault testee`.
  static func program(_ options: String..., timeLimit: Double = 600) throws -> ProcessTestee {
    let path = ChildProcess.path(of: "objectvault")
    return try .start(.program([path, "testee"] + options), timeLimit: timeLimit)
  }

  let testee: any Testee
  let folder: TemporaryFolder

  /// Creates a folder and begins a case.
  ///
  /// - Parameters:
  ///   - testee: The testee that answers.
  ///   - classes: The classes of the case, in the JSON of fixtures.
  /// - Throws: An error if the testee does not begin the case.
  init(_ testee: any Testee, classes: String = "{}") throws {
    self.testee = testee
    folder = try TemporaryFolder()
    try begin(classes: classes)
  }

  convenience init(_ kind: Kind, classes: String = "{}") throws {
    try self.init(kind.make(), classes: classes)
  }

  deinit { _ = try? testee.answer(.end) }

  func begin(classes: String) throws {
    let line = #"{"format":1,"folder":"\#(folder.path)","classes":\#(classes)}"#
    guard case .returns = try ask("begin", line) else { throw CocoaError(.featureUnsupported) }
  }

  /// Asks for an operation, with its arguments in JSON.
  func ask(_ operation: String, _ arguments: String = "{}", thread: String? = nil) throws -> Answer
  {
    try testee.answer(Self.request(operation, arguments, thread: thread))
  }

  static func request(
    _ operation: String, _ arguments: String, thread: String? = nil
  ) throws -> Request {
    let thread = thread.map { #","thread":"\#($0)""# } ?? ""
    let line = #"{"id":1,"operation":"\#(operation)","arguments":\#(arguments)\#(thread)}"#
    return try ProtocolCoder.request(Array(line.utf8)).request
  }

  /// Asks, and compares the answer with one in JSON. Messages are not compared, but must be there.
  func expect(
    _ operation: String, _ arguments: String = "{}", _ answer: String = "{}",
    thread: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = try Self.request(operation, arguments, thread: thread)
    let actual = try testee.answer(request)
    let expected = try ProtocolCoder.answer(
      Array(#"{"id":1,\#(answer.dropFirst())"#.replacing(",}", with: "}").utf8), to: request, id: 1)
    #expect(
      actual.withoutMessages == expected.withoutMessages, "\(operation) \(arguments): \(actual)",
      sourceLocation: sourceLocation)
    #expect(actual.messages.allSatisfy { !$0.isEmpty }, sourceLocation: sourceLocation)
  }

  /// Asks for something that must fail.
  func expect(
    _ operation: String, _ arguments: String = "{}", fails code: String, offset: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let offset = offset.map { #","offset":\#($0)"# } ?? ""
    try expect(
      operation, arguments, #"{"fails":{"code":"\#(code)"\#(offset),"message":""}}"#,
      sourceLocation: sourceLocation)
  }
}

extension Answer {
  var withoutMessages: Answer {
    switch self {
    case .returns, .unsupported: self
    case .fails(let failure): .fails(failure.withoutMessage)
    case .steps(let answers, let failure):
      .steps(answers.map(\.withoutMessages), failure: failure?.withoutMessage)
    }
  }

  var messages: [String] {
    switch self {
    case .returns: []
    case .unsupported(let reason): [reason]
    case .fails(let failure): [failure.message]
    case .steps(let answers, let failure):
      answers.flatMap(\.messages) + (failure.map { [$0.message] } ?? [])
    }
  }
}

extension Answer.Failure {
  fileprivate var withoutMessage: Answer.Failure {
    Answer.Failure(code: code, offset: offset, message: "")
  }
}
