import ObjectVaultCore

/// The members of the JSON object that a page sends.
struct InspectionRequest {
  private let value: JSONValue

  /// Reads a request.
  ///
  /// - Throws: ``InspectionFailure`` if the bytes are not a JSON object.
  init(_ body: [UInt8]) throws {
    guard let value = try? JSONParser.parse(body), case .object = value else {
      throw InspectionFailure(400, "The request is not a JSON object.")
    }
    self.value = value
  }

  /// Whether the page refreshes itself, which is not a use of the inspector.
  var isBackground: Bool { flag("background") }

  /// Returns a text, or `nil` if the member is missing, null or empty.
  func optionalText(_ name: String) throws -> String? {
    switch value[name] {
    case nil, .null?, .string("")?: return nil
    case .string(let text)?: return text
    default: throw unsuitable(name)
    }
  }

  /// Returns a text, which is required.
  func text(_ name: String) throws -> String {
    guard let text = try optionalText(name) else { throw unsuitable(name) }
    return text
  }

  /// Returns an integer in a range, or the default if the member is missing.
  func number(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws -> Int {
    switch value[name] {
    case nil, .null?: return standard
    case .number(let digits)?:
      guard let number = Int(digits), range.contains(number) else { throw unsuitable(name) }
      return number
    default: throw unsuitable(name)
    }
  }

  /// Returns whether a member is true.
  func flag(_ name: String) -> Bool { value[name] == .bool(true) }

  /// Returns texts by name, in order, with `nil` for null; none if the member is missing.
  func values(_ name: String) throws -> [(name: String, text: String?)] {
    switch value[name] {
    case nil, .null?: return []
    case .object(let members)?:
      return try members.map {
        switch $0.value {
        case .null: ($0.key, nil)
        case .string(let text): ($0.key, text)
        default: throw unsuitable(name)
        }
      }
    default: throw unsuitable(name)
    }
  }

  /// Returns the request in a member, or `nil` if it is missing.
  func member(_ name: String) throws -> InspectionRequest? {
    switch value[name] {
    case nil, .null?: return nil
    case .object(let members)?: return InspectionRequest(.object(members))
    default: throw unsuitable(name)
    }
  }

  /// Returns the requests in an array; none if the member is missing.
  func members(_ name: String) throws -> [InspectionRequest] {
    switch value[name] {
    case nil, .null?: return []
    case .array(let elements)?:
      return try elements.map {
        guard case .object = $0 else { throw unsuitable(name) }
        return InspectionRequest($0)
      }
    default: throw unsuitable(name)
    }
  }

  private init(_ value: JSONValue) { self.value = value }

  private func unsuitable(_ name: String) -> InspectionFailure {
    InspectionFailure(400, "The member '\(name)' of the request is missing or has another type.")
  }
}
