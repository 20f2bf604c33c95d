/// A value of a condition before the property it is compared with is known.
enum Constant: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number, and whether it is a Float, whose digits JSON stores.
  case real(Double, isFloat: Bool)
  /// Plain digits, and whether they are an argument of type Decimal, which JSON stores as text, or a
  /// literal.
  case decimal(String, isArgument: Bool)
  case text(String)
  case data([UInt8])
  case date(Double)
  case uuid(String)
  case url(String)
  case composite(members: [ConditionArgument]?, json: @Sendable () throws -> String)
  /// An interval in seconds.
  case interval(Double)

  /// The description of the constant in error messages.
  var noun: String {
    switch self {
    case .null: "nil"
    case .bool: "TRUE or FALSE"
    case .integer: "an integer"
    case .real, .decimal: "a number"
    case .text: "a text"
    case .data: "data"
    case .date: "a date"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .composite(let members, _): members == nil ? "a composite value" : "a list"
    case .interval: "an interval"
    }
  }

  /// Creates the constant of a literal, or `nil` for a number outside the range of numbers.
  init?(_ literal: Literal) {
    switch literal {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let written):
      guard let digits = DecimalText.canonical(written) else { return nil }
      self = .decimal(digits, isArgument: false)
    case .text(let value): self = .text(value)
    case .data(let bytes): self = .data(bytes)
    case .interval(let written, let unit):
      guard let number = Double(written), (number * unit.seconds).isFinite else { return nil }
      self = .interval(number * unit.seconds)
    }
  }

  /// Creates the constant of an argument, or `nil` if its value and type contradict each other.
  init?(_ argument: ConditionArgument) {
    switch argument {
    case .null: self = .null
    case .composite(let members, let json): self = .composite(members: members, json: json)
    case .given(let given):
      guard case .success(let argument) = given.standard else { return nil }
      self.init(argument)
    case .value(let value, let type):
      switch (value, type.family) {
      case (.null, _): self = .null
      case (.integer(let value), .boolean): self = .bool(value != 0)
      case (.integer(let value), .integer): self = .integer(value)
      case (.real(let value), .real): self = .real(value, isFloat: type == .float)
      case (.real(let value), .date): self = .date(value)
      case (.text(let value), .text): self = .text(value)
      case (.text(let value), .uuid): self = .uuid(value)
      case (.text(let value), .url): self = .url(value)
      case (.text(let value), .decimal):
        guard let digits = DecimalText.canonical(value) else { return nil }
        self = .decimal(digits, isArgument: true)
      case (.text(let value), .composite): self = .composite(members: nil, json: { value })
      case (.blob(let bytes), .data): self = .data(bytes)
      default: return nil
      }
    }
  }
}
