import ObjectVaultConformanceFormat
import ObjectVaultCore
import ObjectVaultModel

extension ProtocolCoder {
  /// Encodes an answer as a line, without the line break.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - request: The request, which determines the form of a value; `nil` if it could not be read.
  ///   - id: The number of the request; `nil` if it has none.
  /// - Returns: The line in UTF-8.
  package static func line(_ answer: Answer, to request: Request?, id: Int?) -> [UInt8] {
    let number: [JSONValue.Member] = id.map { [.init("id", .integer($0))] } ?? []
    return Array(JSONValue.object(number + members(of: answer, to: request)).compactText.utf8)
  }

  /// Reads the line of an answer.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - request: The request, which determines the valid answers.
  ///   - id: The number of the request.
  /// - Returns: The answer.
  /// - Throws: ``Problem`` if the line is not an answer to the request.
  package static func answer(
    _ line: [UInt8], to request: Request, id: Int
  ) throws(Problem) -> Answer {
    let node = try node(line)
    guard let answered = self.id(node), answered == id else {
      throw Problem(message: "The answer to request \(id) has no 'id' of \(id).")
    }
    return try reading(id) { () throws(FixtureError) -> Answer in
      try answer(node, to: request, besides: ["id"])
    }
  }

  // MARK: Writing

  private static func members(of answer: Answer, to request: Request?) -> [JSONValue.Member] {
    switch answer {
    case .returns(nil): return []
    case .returns(let value?):
      return [.init("returns", value.jsonValue(as: request?.answerForm ?? .value))]
    case .steps(let answers, let failure):
      let steps = request?.steps ?? []
      let objects = answers.enumerated().map { place, answer in
        JSONValue.object(
          members(of: answer, to: steps.indices.contains(place) ? steps[place] : nil))
      }
      return [.init("returns", .array(objects))] + (failure.map { [member($0)] } ?? [])
    case .fails(let failure): return [member(failure)]
    case .unsupported(let reason): return [.init("unsupported", .string(reason))]
    }
  }

  private static func member(_ failure: Answer.Failure) -> JSONValue.Member {
    var members: [JSONValue.Member] = [.init("code", .string(failure.code))]
    if let offset = failure.offset { members.append(.init("offset", .integer(offset))) }
    members.append(.init("message", .string(failure.message)))
    return .init("fails", .object(members))
  }

  // MARK: Reading

  private static let failing: [FixtureForm.Field] = [
    .required("code", .text), .optional("offset", .integer), .required("message", .text),
  ]

  private static func answer(
    _ node: FixtureNode, to request: Request, besides others: [String]
  ) throws(FixtureError) -> Answer {
    let fields: [FixtureForm.Field] =
      [
        .optional("returns", .value), .optional("fails", .record(failing)),
        .optional("unsupported", .text),
      ] + others.map { .optional($0, .integer) }
    _ = try reader.checkedEntries(node, fields, of: "the answer")
    let (value, fails, unsupported) = (node["returns"], node["fails"], node["unsupported"])
    if let unsupported {
      guard value == nil, fails == nil else {
        throw reader.error(
          "'unsupported' cannot be combined with 'returns' or 'fails'", unsupported)
      }
      return .unsupported(try reader.text(unsupported))
    }
    let failure = try fails.map { fails throws(FixtureError) -> Answer.Failure in
      try self.failure(fails)
    }
    if case .perform(let operation) = request.operation, operation.hasSteps {
      return try steps(value, failure, of: request, in: node)
    }
    if let failure {
      guard value == nil else {
        throw reader.error("only an operation with steps has both 'returns' and 'fails'", node)
      }
      return .fails(failure)
    }
    return .returns(try self.value(value, of: request, in: node))
  }

  private static func value(
    _ value: FixtureNode?, of request: Request, in node: FixtureNode
  ) throws(FixtureError) -> FixtureValue? {
    guard let form = request.answerForm else {
      guard value == nil else { throw reader.error("'\(request.name)' returns nothing", node) }
      return nil
    }
    guard let value else { throw reader.error("'\(request.name)' returns a value", node) }
    return try reader.read(value, as: form)
  }

  private static func steps(
    _ value: FixtureNode?, _ failure: Answer.Failure?, of request: Request, in node: FixtureNode
  ) throws(FixtureError) -> Answer {
    guard let value else {
      guard let failure else {
        throw reader.error("'\(request.name)' returns the answers of its steps", node)
      }
      return .steps([], failure: failure)
    }
    guard let elements = value.elements else {
      throw reader.error("the answers of steps must be a list", value)
    }
    guard elements.count <= request.steps.count,
      failure != nil || elements.count == request.steps.count
    else {
      throw reader.error(
        "there are \(elements.count) answers of \(request.steps.count) steps", value)
    }
    var answers: [Answer] = []
    for (element, step) in zip(elements, request.steps) {
      answers.append(try answer(element, to: step, besides: []))
    }
    return .steps(answers, failure: failure)
  }

  private static func failure(_ node: FixtureNode) throws(FixtureError) -> Answer.Failure {
    let value = try reader.read(node, fields: failing, of: "'fails'")
    guard case .text(let code)? = value["code"], case .text(let message)? = value["message"] else {
      throw reader.error("a failure needs 'code' and 'message'", node)
    }
    var failure = Answer.Failure(code: code, message: message)
    if case .integer(let offset)? = value["offset"] { failure.offset = Int(offset) }
    return failure
  }
}

extension Request {
  /// The form of the answer's value; `nil` if the request returns nothing.
  fileprivate var answerForm: FixtureForm? {
    switch operation {
    case .begin:
      .record([.required("name", .text), .required("engine", .text), .optional("files", .bool)])
    case .end: nil
    case .perform(let operation): operation.answer
    }
  }
}
