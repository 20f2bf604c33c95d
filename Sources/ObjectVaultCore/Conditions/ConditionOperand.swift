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

  init(
    _ operand: Operand, arguments: [ConditionArgument] = [], failure: VaultError? = nil,
    depth: Int = 0
  ) {
    self.operand = operand
    self.arguments = arguments
    self.failure = failure
    self.depth = depth
  }

  /// An operand that could not be made; why is told when a store is asked.
  init(failure: VaultError) {
    self.init(Operand(.literal(.null)), failure: failure)
  }

  /// A value as an argument; nil is written out.
  init(value: Any?) {
    self.init {
      let argument = try ConditionArgument(kept: value)
      if case .null = argument { return nil }
      return argument
    }
  }

  /// Values as one argument, for `IN`.
  init(list: some Sequence<Any?>) {
    self.init {
      .composite(members: try list.map { try ConditionArgument(kept: $0) }) {
        throw VaultError(.invalidArgument, "A list of values is no value of a property.")
      }
    }
  }

  private init(_ argument: () throws -> ConditionArgument?) {
    do {
      guard let argument = try argument() else {
        self.init(Operand(.literal(.null)))
        return
      }
      self.init(Operand(.argument(0, .any)), arguments: [argument])
    } catch {
      self.init(
        failure: error as? VaultError
          ?? VaultError(
            .invalidArgument, "A value of the condition cannot be kept as a property keeps it.",
            underlying: error))
    }
  }

  // MARK: Comparisons

  func compare(
    _ op: ComparisonOperator, _ options: TextOptions = [], with other: ConditionOperand
  ) -> ObjectCondition {
    tested(other) { .compare(op, options, $0[0]) }
  }

  func compare(
    _ op: ComparisonOperator, _ options: TextOptions = [], value: Any?
  ) -> ObjectCondition {
    compare(op, options, with: ConditionOperand(value: value))
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
    tested(ConditionOperand(list: values)) { .among(.argument($0[0])) }
  }

  func between(_ lowest: Any?, _ highest: Any?) -> ObjectCondition {
    tested(ConditionOperand(value: lowest), ConditionOperand(value: highest)) {
      .between(.list($0))
    }
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

  /// The same as a Double.
  private var converted: ConditionOperand {
    ConditionOperand(
      Operand(.arithmetic(.add, operand, Operand(.literal(.number("0.0"))))),
      arguments: arguments, failure: failure, depth: depth + 1)
  }
}
