import ObjectVaultConformanceFormat

/// The arguments of a request by name.
///
/// The forms of a request that was read were checked by the reader. The accessors check the forms
/// of requests that were built in code.
struct RequestArguments {
  private let value: FixtureValue

  init(_ value: FixtureValue) { self.value = value }

  /// Returns the argument with a name, if it is present.
  subscript(name: String) -> FixtureValue? { value[name] }

  func required(_ name: String) throws -> FixtureValue {
    guard let value = value[name] else {
      throw RequestProblem("The argument '\(name)' is missing.")
    }
    return value
  }

  func requiredText(_ name: String) throws -> String { try Self.text(required(name), name) }

  func requiredInteger(_ name: String) throws -> Int { try Self.integer(required(name), name) }

  func requiredList(_ name: String) throws -> [FixtureValue] {
    try Self.elements(required(name), name)
  }

  func text(_ name: String) throws -> String? { try self[name].map { try Self.text($0, name) } }

  func integer(_ name: String) throws -> Int? {
    try self[name].map { try Self.integer($0, name) }
  }

  /// Returns the elements of a list, or an empty list if the argument is missing.
  func list(_ name: String) throws -> [FixtureValue] {
    try self[name].map { try Self.elements($0, name) } ?? []
  }

  func texts(_ name: String) throws -> [String]? {
    try self[name].map { try Self.elements($0, name).map { try Self.text($0, name) } }
  }

  func bool(_ name: String) throws -> Bool? {
    guard let value = self[name] else { return nil }
    guard case .bool(let bool) = value else { throw Self.misfit(name, "true or false") }
    return bool
  }

  func number(_ name: String) throws -> Double? {
    switch self[name] {
    case nil: return nil
    case .integer(let number)?: return Double(number)
    case .double(let number)?: return number
    default: throw Self.misfit(name, "a number")
    }
  }

  /// The name of the handle; `main` by default.
  var handle: String { get throws { try text("handle") ?? "main" } }

  private static func text(_ value: FixtureValue, _ name: String) throws -> String {
    guard case .text(let text) = value else { throw misfit(name, "text") }
    return text
  }

  private static func integer(_ value: FixtureValue, _ name: String) throws -> Int {
    guard case .integer(let number) = value, let integer = Int(exactly: number) else {
      throw misfit(name, "a whole number")
    }
    return integer
  }

  private static func elements(_ value: FixtureValue, _ name: String) throws -> [FixtureValue] {
    guard case .list(let elements) = value else { throw misfit(name, "a list") }
    return elements
  }

  private static func misfit(_ name: String, _ expected: String) -> RequestProblem {
    RequestProblem("The argument '\(name)' must be \(expected).")
  }
}
