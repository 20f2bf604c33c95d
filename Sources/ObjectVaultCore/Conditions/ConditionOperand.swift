import ObjectVaultCondition

/// One side of a comparison in a typed condition, with the values in it.
///
/// It is made by the members of ``ObjectProperties`` and by arithmetic on them.
public struct ConditionOperand: Sendable {
  let operand: Operand
  let arguments: [ConditionArgument]
  let failure: VaultError?

  init(
    _ operand: Operand, arguments: [ConditionArgument] = [], failure: VaultError? = nil
  ) {
    self.operand = operand
    self.arguments = arguments
    self.failure = failure
  }

  func compare(
    _ op: ComparisonOperator, _ options: TextOptions = [], value: Any?
  ) -> ObjectCondition {
    var draft = ConditionDraft()
    let left = draft.add(self)
    let right = draft.add(value: value)
    return draft.condition(.comparison(Comparison(left, .compare(op, options, right))))
  }

  func compare(
    _ op: ComparisonOperator, _ options: TextOptions = [], with other: ConditionOperand
  ) -> ObjectCondition {
    var draft = ConditionDraft()
    let left = draft.add(self)
    let right = draft.add(other)
    return draft.condition(.comparison(Comparison(left, .compare(op, options, right))))
  }

  func search(_ op: TextOperator, _ options: TextOptions, value: Any?) -> ObjectCondition {
    var draft = ConditionDraft()
    let left = draft.add(self)
    let right = draft.add(value: value)
    return draft.condition(.comparison(Comparison(left, .text(op, options, right))))
  }

  func search(
    _ op: TextOperator, _ options: TextOptions, in other: ConditionOperand
  ) -> ObjectCondition {
    var draft = ConditionDraft()
    let left = draft.add(self)
    let right = draft.add(other)
    return draft.condition(.comparison(Comparison(left, .text(op, options, right))))
  }

  func among(_ values: some Sequence<Any?>) -> ObjectCondition {
    var draft = ConditionDraft()
    let left = draft.add(self)
    let list = draft.add(list: values)
    return draft.condition(.comparison(Comparison(left, .among(.argument(list)))))
  }

  func between(_ lowest: Any?, _ highest: Any?) -> ObjectCondition {
    var draft = ConditionDraft()
    let left = draft.add(self)
    let bounds = [draft.add(value: lowest), draft.add(value: highest)]
    return draft.condition(.comparison(Comparison(left, .between(.list(bounds)))))
  }
}
