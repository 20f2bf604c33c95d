import ObjectVaultCondition

/// In which form a side of a comparison takes its values.
enum ValueForm: Sendable, Hashable {
  /// As every property keeps them.
  case plain
  /// As the property keeps them that has the name in the class that is asked.
  case named
  /// As a converter makes them.
  case converted(ValueConverter)

  /// The converter.
  var converter: ValueConverter? {
    if case .converted(let converter) = self { converter } else { nil }
  }

  /// Whether two sides are kept alike, as far as that is known.
  func agrees(with other: ValueForm) -> Bool {
    self == .named || other == .named || self == other
  }

  /// The argument that a value makes, for a condition that outlives the call that gave it.
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
  /// The argument that a value makes of which it is not known yet whether a converter stores it.
  ///
  /// Instances of classes may change before that is known, and are asked now where that is possible.
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

  /// The argument that a value makes for a property.
  ///
  /// - Parameter converter: That of the property; `nil` for one that has none.
  init(_ value: Any?, through converter: ValueConverter?) throws {
    self = try converter?.argument(value) ?? ConditionArgument(value)
  }

  /// The argument as a property keeps it.
  ///
  /// - Parameter converter: That of the property; `nil` for one that has none.
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

  /// Whether it is not known yet how it is kept.
  var isGiven: Bool {
    switch self {
    case .given: true
    case .composite(let members?, _): members.contains(where: \.isGiven)
    default: false
    }
  }
}
