import ObjectVaultCondition

/// Which arguments of a condition meet properties that are stored through converters.
///
/// Values in calculations and what is searched for in text meet what is stored.
struct ArgumentConverters {
  private var positions: [Int: ValueConverter] = [:]
  /// For each place where the argument stands.
  private var names: [String: [ValueConverter?]] = [:]

  /// - Parameters:
  ///   - lookUp: The converter of a path.
  ///   - path: The path that the argument at a position spells, for `%K`.
  init(
    of condition: Condition, _ lookUp: (PropertyPath) -> ValueConverter?,
    path: (Int) -> PropertyPath?
  ) {
    func converter(_ operand: Operand) -> ValueConverter? {
      switch operand.kind {
      case .path(let path): lookUp(path)
      case .pathArgument(let position): path(position).flatMap(lookUp)
      case .literal, .argument, .namedArgument, .arithmetic: nil
      }
    }
    func visit(_ condition: Condition) {
      switch condition {
      case .constant, .property: break
      case .and(let terms), .or(let terms): for term in terms { visit(term) }
      case .not(let term), .quantified(_, _, let term): visit(term)
      case .comparison(let comparison):
        let left = converter(comparison.left)
        switch comparison.test {
        case .compare(_, _, let right):
          note(right, left)
          note(comparison.left, converter(right))
        case .text(_, _, let right):
          note(right, nil)
          note(comparison.left, nil)
        case .between(.list(let operands)), .among(.list(let operands)):
          for operand in operands { note(operand, left) }
        case .between(.argument(let operand)), .among(.argument(let operand)):
          note(operand, left)
        }
      }
    }
    visit(condition)
  }

  private mutating func note(_ operand: Operand, _ converter: ValueConverter?) {
    switch operand.kind {
    case .argument(let position, _): positions[position] = converter
    case .namedArgument(let name): names[name, default: []].append(converter)
    case .arithmetic(_, let left, let right):
      note(left, nil)
      note(right, nil)
    case .path, .pathArgument, .literal: break
    }
  }

  /// The converter of the argument at a position.
  subscript(position: Int) -> ValueConverter? { positions[position] }

  /// The arguments that values make.
  func arguments(
    _ values: [Any?], _ named: [String: Any?]
  ) throws -> ([ConditionArgument], [String: ConditionArgument]) {
    let arguments = try values.enumerated().map {
      try ConditionArgument($0.element, through: self[$0.offset])
    }
    var byName: [String: ConditionArgument] = [:]
    for (name, value) in named {
      byName[name] = try argument(named: name) { try ConditionArgument(value, through: $0) }
    }
    return (arguments, byName)
  }

  /// What an argument is in all places where its name stands.
  ///
  /// - Throws: `.invalidArgument` where it is not the same in all of them.
  func argument(
    named name: String, _ make: (ValueConverter?) throws -> ConditionArgument
  ) throws -> ConditionArgument {
    let places = names[name] ?? []
    let first = try make(places.first ?? nil)
    for place in places.dropFirst() where place != places[0] {
      guard try first.isSame(as: make(place)) else {
        throw VaultError(
          .invalidArgument,
          "Argument '\(name)' is compared with properties that store it in different forms. Give each "
            + "an argument of its own.")
      }
    }
    return first
  }
}

extension ConverterPaths {
  /// The arguments of a condition's text, as the properties keep them that they are compared with.
  func arguments(
    _ values: [Any?], _ named: [String: Any?], of condition: Condition
  ) throws -> ([ConditionArgument], [String: ConditionArgument]) {
    let converters = converters(of: condition) { position in
      values.indices.contains(position) ? values[position] as? String : nil
    }
    return try converters.arguments(values, named)
  }

  func converters(
    of condition: Condition, name: (Int) -> String?
  ) -> ArgumentConverters {
    ArgumentConverters(of: condition, converter(of:)) { position in
      name(position).flatMap { name in
        // A property's name may have dots in it.
        converter(of: PropertyPath([name])) == nil
          ? PropertyPath(spelling: name) : PropertyPath([name])
      }
    }
  }
}

extension ObjectCondition {
  /// The arguments, as the properties of the class keep them that is asked.
  ///
  /// - Parameter paths: The converters of the class; `nil` where it has none.
  /// - Throws: `.invalidArgument` for a value that no property could have.
  func settledArguments(
    _ paths: ConverterPaths?
  ) throws -> ([ConditionArgument], [String: ConditionArgument]) {
    guard arguments.contains(where: \.isGiven) || named.values.contains(where: \.isGiven) else {
      return (arguments, named)
    }
    let converters = paths?.converters(of: tree) { position in
      guard arguments.indices.contains(position),
        case .value(.text(let name), _)? = try? arguments[position].settled(through: nil)
      else { return nil }
      return name
    }
    return (
      try arguments.enumerated().map {
        try $0.element.settled(through: converters?[$0.offset])
      },
      try settledNames(converters)
    )
  }

  private func settledNames(
    _ converters: ArgumentConverters?
  ) throws -> [String: ConditionArgument] {
    var settled: [String: ConditionArgument] = [:]
    for (name, argument) in named {
      settled[name] =
        try converters?.argument(named: name) { try argument.settled(through: $0) }
        ?? argument.settled(through: nil)
    }
    return settled
  }
}
