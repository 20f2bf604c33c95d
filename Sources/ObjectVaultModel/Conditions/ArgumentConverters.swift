package import ObjectVaultCondition
import ObjectVaultDriver

/// The converters that apply to the arguments of a condition.
///
/// An argument uses the converter of the property it is compared with. Values in calculations and
/// patterns of text searches are compared with the stored form, so they have no converter.
package struct ArgumentConverters {
  private var positions: [Int: ValueConverter] = [:]
  /// The converters of each numbered argument, one for each occurrence of the number.
  private var numbers: [Int: [ValueConverter?]] = [:]
  /// The converters of each named argument, one for each occurrence of the name.
  private var names: [String: [ValueConverter?]] = [:]

  /// Creates the converters for the arguments of a condition.
  ///
  /// - Parameters:
  ///   - condition: The parsed condition.
  ///   - lookUp: Returns the converter of a path.
  ///   - path: Returns the path spelled by the argument at a position, for `%K`.
  package init(
    of condition: Condition, _ lookUp: (PropertyPath) -> ValueConverter?,
    path: (Int) -> PropertyPath?
  ) {
    func converter(_ operand: Operand) -> ValueConverter? {
      switch operand.kind {
      case .path(let path): lookUp(path)
      case .pathArgument(let position): path(position).flatMap(lookUp)
      case .literal, .argument, .namedArgument, .arithmetic, .cased, .now, .subquery: nil
      }
    }
    func visit(_ condition: Condition) {
      switch condition {
      case .constant: break
      case .property: condition.subqueryTests.forEach(visit)
      case .and(let terms), .or(let terms): for term in terms { visit(term) }
      case .not(let term), .quantified(_, _, let term): visit(term)
      case .comparison(let comparison):
        condition.subqueryTests.forEach(visit)
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
    case .argument(let position, .numbered): numbers[position, default: []].append(converter)
    case .argument(let position, _): positions[position] = converter
    case .namedArgument(let name): names[name, default: []].append(converter)
    case .arithmetic(_, let left, let right):
      note(left, nil)
      note(right, nil)
    case .cased(_, let operand): note(operand, nil)
    case .path, .pathArgument, .literal, .now, .subquery: break
    }
  }

  /// Returns the condition arguments for positional and named values.
  package func arguments(
    _ values: [Any?], _ named: [String: Any?]
  ) throws -> ([ConditionArgument], [String: ConditionArgument]) {
    let arguments = try values.enumerated().map {
      let value = $0.element
      return try argument(at: $0.offset) { try ConditionArgument(value, through: $0) }
    }
    var byName: [String: ConditionArgument] = [:]
    for (name, value) in named {
      byName[name] = try argument(named: name) { try ConditionArgument(value, through: $0) }
    }
    return (arguments, byName)
  }

  /// Returns the argument at a position, converted for every occurrence of its number.
  ///
  /// - Throws: `.invalidArgument` if the occurrences need different stored forms.
  func argument(
    at position: Int, _ make: (ValueConverter?) throws -> ConditionArgument
  ) throws -> ConditionArgument {
    guard let places = numbers[position] else { return try make(positions[position]) }
    return try argument("$\(position)", places, make)
  }

  /// Returns the argument for a name, converted for every occurrence of the name.
  ///
  /// - Throws: `.invalidArgument` if the occurrences need different stored forms.
  func argument(
    named name: String, _ make: (ValueConverter?) throws -> ConditionArgument
  ) throws -> ConditionArgument {
    try argument(name, names[name] ?? [], make)
  }

  private func argument(
    _ name: String, _ places: [ValueConverter?],
    _ make: (ValueConverter?) throws -> ConditionArgument
  ) throws -> ConditionArgument {
    let first = try make(places.first ?? nil)
    for place in places.dropFirst() where place != places[0] {
      guard try first.isSame(as: make(place)) else {
        throw VaultError(
          .invalidArgument,
          "Argument '\(name)' is compared with properties that store it in different forms. Use a "
            + "separate argument for each.")
      }
    }
    return first
  }
}

extension ConverterPaths {
  /// Returns the arguments of a condition in the stored form of the properties they are compared
  /// with.
  package func arguments(
    _ values: [Any?], _ named: [String: Any?], of condition: Condition
  ) throws -> ([ConditionArgument], [String: ConditionArgument]) {
    let converters = converters(of: condition) { position in
      values.indices.contains(position) ? values[position] as? String : nil
    }
    return try converters.arguments(values, named)
  }

  /// Returns the converters for the arguments of a condition.
  ///
  /// - Parameters:
  ///   - condition: The parsed condition.
  ///   - name: Returns the property name or path given as the argument at a position, for `%K`.
  /// - Returns: The converters by position and name.
  func converters(
    of condition: Condition, name: (Int) -> String?
  ) -> ArgumentConverters {
    ArgumentConverters(of: condition, converter(of:)) { position in
      name(position).flatMap { name in
        // A property's name can contain dots.
        converter(of: PropertyPath([name])) == nil
          ? PropertyPath(spelling: name) : PropertyPath([name])
      }
    }
  }
}

extension ObjectCondition {
  /// Returns the arguments in the stored form of the properties of the queried class.
  ///
  /// - Parameter paths: The converters of the class; `nil` if it has none.
  /// - Returns: The positional and the named arguments.
  /// - Throws: `.invalidArgument` for a value that cannot be stored in any property.
  package func settledArguments(
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
      try arguments.enumerated().map { position, argument in
        try converters?.argument(at: position) { try argument.settled(through: $0) }
          ?? argument.settled(through: nil)
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
