import ObjectVaultCore

/// The answer to a request of a page: an HTTP status and a JSON text.
public struct InspectionAnswer: Sendable {
  /// The HTTP status: 200, or the kind of failure.
  public let status: Int
  /// The JSON text in UTF-8.
  public let json: [UInt8]

  init(_ value: JSONValue, status: Int = 200) {
    self.status = status
    var text: [UInt8] = []
    value.write(to: &text)
    json = text
  }

  /// Creates the answer for an error.
  ///
  /// Neither the message nor the excerpt of a condition contains a stored value.
  init(failure error: any Error) {
    let failure = InspectionFailure(error)
    var members: [JSONValue.Member] = [.init("message", .string(failure.message))]
    if let offset = failure.offset { members.append(.init("offset", .integer(offset))) }
    self.init(.object([.init("error", .object(members))]), status: failure.status)
  }
}

/// An error as a page shows it.
struct InspectionFailure: Error {
  var status: Int
  var message: String
  /// The position in the text of a condition, in UTF-8 bytes.
  var offset: Int?

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ error: any Error) {
    switch error {
    case let failure as InspectionFailure: self = failure
    case let error as ToolError: self.init(400, error.message)
    case let error as VaultError:
      self.init(Self.status(of: error.code), error.message)
      offset = error.location?.offset
    default: self.init(500, "The inspector has a defect.")
    }
  }

  private static func status(of code: VaultError.Code) -> Int {
    switch code {
    case .noSuchClass, .noSuchObject: 404
    case .readOnly: 403
    case .cancelled, .busy: 503
    case .invalidCondition, .invalidArgument, .noSuchProperty, .invalidValue, .duplicate,
      .constraint, .danglingReference, .removalDenied, .ownership, .searchUnavailable:
      422
    default: 500
    }
  }
}
