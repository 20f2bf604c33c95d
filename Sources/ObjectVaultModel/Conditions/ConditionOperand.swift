import ObjectVaultCondition
import ObjectVaultDriver

/// One side of a comparison in a typed condition, with its values.
///
/// The members of ``ObjectProperties`` and arithmetic on them create operands.
public struct ConditionOperand: Sendable {
  let operand: Operand
  let arguments: [ConditionArgument]
  /// The named arguments of a subquery.
  let named: [String: ConditionArgument]
  let failure: VaultError?
  /// The nesting depth of calculations.
  let depth: Int
  /// Whether an integer counts as a Double in calculations.
  var isDouble = false
  /// The stored form of values that the operand is compared with.
  let form: ValueForm

  init(
    _ operand: Operand, arguments: [ConditionArgument] = [],
    named: [String: ConditionArgument] = [:], failure: VaultError? = nil, depth: Int = 0,
    form: ValueForm = .plain
  ) {
    self.operand = operand
    self.arguments = arguments
    self.named = named
    self.failure = failure
    self.depth = depth
    self.form = form
  }

  /// Creates the number of the objects at the end of a path that satisfy a condition.
  init(counting condition: ObjectCondition, over path: Operand) {
    self.init(
      Operand(.subquery(path, condition.tree)), arguments: condition.arguments,
      named: condition.named, failure: condition.failure)
  }

  /// Creates an invalid operand; the failure is thrown when a store is queried.
  init(failure: VaultError, form: ValueForm = .plain) {
    self.init(Operand(.literal(.null)), failure: failure, form: form)
  }

  /// Creates an operand for a value as an argument; nil becomes a literal.
  init(value: Any?, as form: ValueForm = .plain) {
    self.init(as: form) {
      let argument = try form.argument(value)
      if case .null = argument { return nil }
      return argument
    }
  }

  /// Creates an operand for the list of an `IN` comparison, as one argument.
  init(list: some Sequence<Any?>, as form: ValueForm = .plain) {
    self.init(as: form) {
      .composite(members: try list.map { try form.argument($0) }) {
        throw VaultError(
          .invalidArgument, "A list of values is not a value of a property. Use it only with IN.")
      }
    }
  }

  private init(as form: ValueForm, _ argument: () throws -> ConditionArgument?) {
    do {
      guard let argument = try argument() else {
        self.init(Operand(.literal(.null)), form: form)
        return
      }
      self.init(Operand(.argument(0, .any)), arguments: [argument], form: form)
    } catch {
      self.init(
        failure: error as? VaultError
          ?? VaultError(
            .invalidArgument,
            "A value of the condition cannot be converted to the stored form of its property. Pass "
              + "another value.",
            underlying: error),
        form: form)
    }
  }

  // MARK: Comparisons

  func compare(
    _ op: ComparisonOperator, _ options: TextOptions = [], with other: ConditionOperand
  ) -> ObjectCondition {
    guard form.agrees(with: other.form) else { return differingForms.compare(op, value: nil) }
    return tested(other) { .compare(op, options, $0[0]) }
  }

  func compare(
    _ op: ComparisonOperator, _ options: TextOptions = [], value: Any?
  ) -> ObjectCondition {
    compare(op, options, with: ConditionOperand(value: value, as: form))
  }

  func search(
    _ op: TextOperator, _ options: TextOptions, in other: ConditionOperand
  ) -> ObjectCondition {
    tested(other) { .text(op, options, $0[0]) }
  }

  func search(_ op: TextOperator, _ options: TextOptions, value: Any?) -> ObjectCondition {
    search(op, options, in: ConditionOperand(value: value))
  }

  func among(_ values: some Sequence<Any?>) -> ObjectCondition {
    tested(ConditionOperand(list: values, as: form)) { .among(.argument($0[0])) }
  }

  func between(_ lowest: Any?, _ highest: Any?) -> ObjectCondition {
    between(
      ConditionOperand(value: lowest, as: form), ConditionOperand(value: highest, as: form))
  }

  func between(_ lowest: ConditionOperand, _ highest: ConditionOperand) -> ObjectCondition {
    tested(lowest, highest) { .between(.list($0)) }
  }

  /// The invalid operand for a comparison of sides with different stored forms.
  private var differingForms: ConditionOperand {
    ConditionOperand(
      failure: VaultError(
        .invalidCondition,
        "The condition compares two properties with different converters. Compare their stored "
          + "forms: '$0.name.stored'."))
  }

  /// Returns a comparison of this operand with others.
  private func tested(
    _ others: ConditionOperand..., by test: ([Operand]) -> Comparison.Test
  ) -> ObjectCondition {
    var draft = ConditionDraft()
    let left = draft.add(self)
    let right = others.map { draft.add($0) }
    let tree = Condition.comparison(Comparison(left, test(right)))
    return draft.condition(tree, size: ObjectCondition.Size(of: tree))
  }

  // MARK: Calculations

  func calculated(_ op: ArithmeticOperator, value: Any?) -> ConditionOperand {
    calculated(op, with: ConditionOperand(value: value))
  }

  func calculated(_ op: ArithmeticOperator, with other: ConditionOperand) -> ConditionOperand {
    if let converter = form.converter ?? other.form.converter {
      return ConditionOperand(failure: Self.calculation(through: converter))
    }
    let depth = max(depth, other.depth) + 1
    // A deeper tree could overflow the stack when it is traversed or released.
    guard depth <= Operand.maximumDepth else {
      return ConditionOperand(
        failure: failure ?? other.failure
          ?? VaultError(
            .invalidCondition,
            "The calculation is nested more than \(Operand.maximumDepth) levels deep. Store its "
              + "result as a property, or simplify it."))
    }
    // Two integers would otherwise be calculated as integers.
    let first = isDouble && other.isDouble ? converted : self
    var draft = ConditionDraft()
    let (left, right) = (draft.add(first), draft.add(other))
    return draft.operand(Operand(.arithmetic(op, left, right)), depth: max(depth, first.depth + 1))
  }

  /// The operand with the opposite sign.
  var negated: ConditionOperand {
    // An integer that counts as a Double is subtracted from a Double.
    ConditionOperand(Operand(.literal(isDouble ? .number("0.0") : .integer(0))))
      .calculated(.subtract, with: self)
  }

  /// Returns the text in another case.
  func cased(_ textCase: TextCase) -> ConditionOperand {
    ConditionOperand(
      Operand(.cased(textCase, operand)), arguments: arguments, failure: failure, depth: depth)
  }

  /// The number of Unicode scalars of a text.
  var length: ConditionOperand { extended("'length'") { $0.names.append("length") } }

  /// The number of elements of a value stored as JSON.
  var elementCount: ConditionOperand { extended("'count'") { $0.aggregate = .count } }

  /// Returns the member of a value stored as JSON.
  func member(_ name: String) -> ConditionOperand {
    extended("A member") { $0.names.append(name) }
  }

  /// Returns the operand with a longer path.
  private func extended(
    _ what: String, _ extend: (inout PropertyPath) -> Void
  ) -> ConditionOperand {
    guard case .path(var path) = operand.kind, path.aggregate == nil else {
      return ConditionOperand(
        failure: failure
          ?? VaultError(
            .invalidCondition,
            "\(what) belongs to a property, but this is a computed value. Use the property."))
    }
    extend(&path)
    return ConditionOperand(Operand(.path(path)), arguments: arguments, failure: failure)
  }

  /// Returns the operand with integers that count as Doubles in calculations.
  func asDouble(_ isInteger: Bool) -> ConditionOperand {
    if let converter = form.converter {
      return ConditionOperand(failure: Self.calculation(through: converter))
    }
    var operand = self
    operand.isDouble = isInteger
    return operand
  }

  private static func calculation(through converter: ValueConverter) -> VaultError {
    VaultError(
      .invalidCondition,
      "A property with converter '\(converter.name)' cannot be used in a calculation. Calculate "
        + "with its stored form: '$0.name.stored'.")
  }

  /// The operand converted to a Double.
  private var converted: ConditionOperand {
    ConditionOperand(
      Operand(.arithmetic(.add, operand, Operand(.literal(.number("0.0"))))),
      arguments: arguments, named: named, failure: failure, depth: depth + 1)
  }
}
