import ObjectVaultCondition

/// One side of a comparison in a typed condition, with the values in it.
///
/// It is made by the members of ``ObjectProperties`` and by arithmetic on them.
public struct ConditionOperand: Sendable {
  let operand: Operand
  let arguments: [ConditionArgument]
  let failure: VaultError?
  /// How deep calculations stand in one another.
  let depth: Int
  /// Whether an integer counts as a Double in calculations.
  var isDouble = false
  /// How values that it is compared with are kept.
  let form: ValueForm

  init(
    _ operand: Operand, arguments: [ConditionArgument] = [], failure: VaultError? = nil,
    depth: Int = 0, form: ValueForm = .plain
  ) {
    self.operand = operand
    self.arguments = arguments
    self.failure = failure
    self.depth = depth
    self.form = form
  }

  /// An operand that could not be made; why is told when a store is asked.
  init(failure: VaultError, form: ValueForm = .plain) {
    self.init(Operand(.literal(.null)), failure: failure, form: form)
  }

  /// A value as an argument; nil is written out.
  init(value: Any?, as form: ValueForm = .plain) {
    self.init(as: form) {
      let argument = try form.argument(value)
      if case .null = argument { return nil }
      return argument
    }
  }

  /// Values as one argument, for `IN`.
  init(list: some Sequence<Any?>, as form: ValueForm = .plain) {
    self.init(as: form) {
      .composite(members: try list.map { try form.argument($0) }) {
        throw VaultError(.invalidArgument, "A list of values is no value of a property.")
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
            .invalidArgument, "A value of the condition cannot be kept as a property keeps it.",
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
    tested(
      ConditionOperand(value: lowest, as: form), ConditionOperand(value: highest, as: form)
    ) {
      .between(.list($0))
    }
  }

  /// What stands for a comparison of sides that are not stored alike.
  private var differingForms: ConditionOperand {
    ConditionOperand(
      failure: VaultError(
        .invalidCondition,
        "Two properties are compared that are stored through different converters, or one of them "
          + "through none. Compare what is stored of them: '$0.name.stored'."))
  }

  /// A comparison of this side with others.
  private func tested(
    _ others: ConditionOperand..., by test: ([Operand]) -> Comparison.Test
  ) -> ObjectCondition {
    var draft = ConditionDraft()
    let left = draft.add(self)
    let right = others.map { draft.add($0) }
    return draft.condition(.comparison(Comparison(left, test(right))))
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
    // What is nested without bound could not be walked, not even to be released.
    guard depth <= Operand.maximumDepth else {
      return ConditionOperand(
        failure: failure ?? other.failure
          ?? VaultError(
            .invalidCondition,
            "Calculations stand in one another more than \(Operand.maximumDepth) deep. Store what "
              + "they make as a property, or ask for less at once."))
    }
    // With two integers it would be one of integers.
    let first = isDouble && other.isDouble ? converted : self
    var draft = ConditionDraft()
    let (left, right) = (draft.add(first), draft.add(other))
    return draft.operand(Operand(.arithmetic(op, left, right)), depth: max(depth, first.depth + 1))
  }

  /// The operand, whose integers count as Doubles in calculations.
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
      "A property that is stored through converter '\(converter.name)' is not calculated with. "
        + "Calculate with what is stored of it: '$0.name.stored'.")
  }

  /// The same as a Double.
  private var converted: ConditionOperand {
    ConditionOperand(
      Operand(.arithmetic(.add, operand, Operand(.literal(.number("0.0"))))),
      arguments: arguments, failure: failure, depth: depth + 1)
  }
}
