import ObjectVaultCondition

/// The stored form of the values on one side of a comparison.
package enum ValueForm: Sendable, Hashable {
  /// The default form.
  case plain
  /// The form of the property with this name in the queried class.
  case named
  /// The form that a converter creates.
  case converted(ValueConverter)

  /// The converter of the form, if any.
  var converter: ValueConverter? {
    if case .converted(let converter) = self { converter } else { nil }
  }

  /// Returns whether two sides have the same stored form or the form of one is unknown.
  func agrees(with other: ValueForm) -> Bool {
    self == .named || other == .named || self == other
  }

  /// Returns the argument for a value in a condition that can outlive the current call.
  func argument(_ value: Any?) throws -> ConditionArgument {
    switch self {
    case .plain: try ConditionArgument(kept: value)
    case .named: ConditionArgument(given: value)
    case .converted(let converter):
      try converter.argument(value) ?? ConditionArgument(kept: value)
    }
  }
}

extension ConditionArgument {
  /// Creates the argument for a value that may or may not be stored through a converter.
  ///
  /// Instances of classes can change before that is known, so they are converted immediately if
  /// possible.
  init(given value: Any?) {
    guard let value = Self.unwrapped(value) else {
      self = .null
      return
    }
    let standard = Result { try ConditionArgument(kept: value) }
    let isKnown = value is StoredValue || Swift.type(of: value) is AnyClass
    if isKnown, case .success(let known) = standard {
      self = known
    } else {
      self = .given(GivenValue(value, standard: standard))
    }
  }

  /// Creates the argument for a value of a property.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - converter: The converter of the property; `nil` if it has none.
  /// - Throws: The error of the converter, or the error for a value that cannot be stored.
  package init(_ value: Any?, through converter: ValueConverter?) throws {
    self = try converter?.argument(value) ?? ConditionArgument(value)
  }

  /// Returns the argument in the stored form of a property.
  ///
  /// - Parameter converter: The converter of the property; `nil` if it has none.
  /// - Returns: The converted argument.
  /// - Throws: The error of the converter, or the error for a value that cannot be stored.
  func settled(through converter: ValueConverter?) throws -> ConditionArgument {
    switch self {
    case .null, .value: return self
    case .given(let given): return try converter?.argument(given.value) ?? given.standard.get()
    case .composite(let members?, let json) where members.contains(where: \.isGiven):
      return .composite(
        members: try members.map { try $0.settled(through: converter) }, json: json)
    case .composite: return self
    }
  }

  /// Whether the stored form of the argument is still unknown.
  var isGiven: Bool {
    switch self {
    case .given: true
    case .composite(let members?, _): members.contains(where: \.isGiven)
    default: false
    }
  }
}
