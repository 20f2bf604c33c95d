import ObjectVaultConformanceFormat
import ObjectVaultCore
import ObjectVaultModel

extension ProtocolCoder {
  /// Returns the line of a request, without the line break.
  package static func line(_ request: Request, id: Int) -> [UInt8] {
    let json = JSONValue.object([.init("id", .integer(id))] + members(of: request))
    return Array(json.compactText.utf8)
  }

  /// Returns the request in a line, with its number.
  package static func request(_ line: [UInt8]) throws(Problem) -> (id: Int, request: Request) {
    let node = try node(line)
    guard let id = id(node) else {
      throw Problem(message: "A request needs an 'id' that is a whole number.")
    }
    let request = try reading(id) { () throws(FixtureError) -> Request in
      try readRequest(node, besides: ["id"])
    }
    return (id, request)
  }

  // MARK: Writing

  private static func members(of request: Request) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("operation", .string(request.name)), .init("arguments", arguments(of: request)),
    ]
    if let thread = request.thread { members.append(.init("thread", .string(thread))) }
    if request.mayFail { members.append(.init("mayFail", .bool(true))) }
    return members
  }

  private static func arguments(of request: Request) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch request.operation {
    case .begin, .end:
      if case .object(let own) = request.arguments.jsonValue(as: .record(beginning)) {
        members = own
      }
      if request.operation == .begin {
        members.append(
          .init("classes", .object(request.classes.map { .init($0.label, $0.jsonValue) })))
      }
    case .perform(let operation):
      if case .object(let own) = operation.json(of: request.arguments) { members = own }
      if operation.hasSteps {
        members.append(
          .init("steps", .array(request.steps.map { .object(Self.members(of: $0)) })))
      }
    }
    return .object(members)
  }

  // MARK: Reading

  /// The arguments of `begin` other than the classes.
  private static let beginning: [FixtureForm.Field] = [
    .required("format", .integer), .required("folder", .text),
  ]

  /// Returns the request in a node.
  ///
  /// `others` are fields that are allowed in addition to those of a step.
  private static func readRequest(
    _ node: FixtureNode, besides others: [String]
  ) throws(FixtureError) -> Request {
    let fields: [FixtureForm.Field] =
      [
        .required("operation", .text), .required("arguments", .named(.value)),
        .optional("thread", .text), .optional("mayFail", .bool),
      ] + others.map { .optional($0, .integer) }
    _ = try reader.checkedEntries(node, fields, of: "the request")
    guard let nameNode = node["operation"], let arguments = node["arguments"] else {
      throw reader.error("a request needs 'operation' and 'arguments'", node)
    }
    var request = Request(.end)
    if let thread = node["thread"] { request.thread = try reader.text(thread) }
    if let mayFail = node["mayFail"] {
      request.mayFail = try reader.read(mayFail, as: .bool) == .bool(true)
    }
    switch try reader.text(nameNode) {
    case "begin": try readBeginning(arguments, into: &request)
    case "end":
      request.arguments = try reader.read(arguments, fields: [], of: "'end'")
    case let name:
      guard let operation = FixtureOperation(rawValue: name), operation.performer == .testee else {
        throw reader.error("'\(name)' is not an operation of a testee", nameNode)
      }
      request.operation = .perform(operation)
      request.arguments = try reader.arguments(of: operation, from: arguments)
      if operation.hasSteps { request.steps = try steps(arguments) }
    }
    return request
  }

  private static func readBeginning(
    _ arguments: FixtureNode, into request: inout Request
  ) throws(FixtureError) {
    request.operation = .begin
    let all = beginning + [.required("classes", .steps)]
    request.arguments = try reader.read(arguments, fields: all, of: "'begin'")
    guard let classes = arguments["classes"], let entries = classes.entries else {
      throw reader.error("'classes' must be a mapping of labels to classes", arguments)
    }
    for entry in entries {
      request.classes.append(
        try FixtureClass(label: entry.key, from: entry.value, by: reader))
    }
  }

  private static func steps(_ arguments: FixtureNode) throws(FixtureError) -> [Request] {
    guard let node = arguments["steps"], let elements = node.elements else {
      throw reader.error("'steps' must be a list of requests", arguments)
    }
    var steps: [Request] = []
    for element in elements {
      let step = try readRequest(element, besides: [])
      guard case .perform = step.operation else {
        throw reader.error("'\(step.name)' is not a step", element)
      }
      steps.append(step)
    }
    return steps
  }
}

extension FixtureOperation {
  /// Whether the operation has nested steps.
  var hasSteps: Bool { arguments.contains { $0.form == .steps } }
}
