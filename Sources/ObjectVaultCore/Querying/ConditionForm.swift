import ObjectVaultCondition
import ObjectVaultEngine

/// The conditions of one shape on one table, as SQL that was written once.
final class ConditionForm: Sendable {
  /// Larger conditions would keep much memory, and lists of values have other lengths each time.
  private static let maximumValues = 64

  private let shape: ConditionShape
  /// The expression.
  private let text: String
  /// The slot of each parameter's value.
  private let order: [Int]
  /// What reads every object for which the condition holds, in the order of insertion.
  private let select: StatementText
  /// The same for a part of these objects.
  private let selectPart: StatementText
  /// The same for the first of them.
  private let selectFirst: StatementText
  /// What counts the objects for which the condition holds.
  let count: StatementText

  /// The form of a condition that was checked; `nil` where it has none.
  init?(
    of condition: Condition, resolved: ResolvedCondition, by checker: ConditionChecker,
    _ state: TableState
  ) {
    guard let shape = ConditionShape(of: condition, resolved: resolved, by: checker),
      shape.valueCount <= Self.maximumValues
    else { return nil }
    // Its values are the numbers of the slots.
    let sql = ConditionSQL(
      shape.template, table: state.sql.table, columns: state.sql.quotedColumns)
    var order: [Int] = []
    for value in sql.values {
      guard case .integer(let slot) = value else { return nil }
      order.append(Int(slot))
    }
    guard sql.lists.isEmpty else { return nil }
    self.shape = shape
    self.order = order
    text = sql.text
    let select = "\(state.sql.select) WHERE \(sql.text)\(state.insertionOrderClause)"
    self.select = StatementText(select)
    selectPart = StatementText(select + LimitClause.partText)
    selectFirst = StatementText(select + LimitClause.firstText)
    count = StatementText("\(state.sql.count.text) WHERE \(sql.text)")
  }

  /// The values of the condition with these arguments; `nil` where it is of another shape.
  func values(
    count: Int, _ argument: (Int) throws -> ConditionArgument
  ) rethrows -> ConditionValues? {
    try shape.values(count: count, argument)
  }

  /// The condition of this form with these values.
  func condition(_ values: ConditionValues) -> ResolvedCondition { shape.condition(values) }

  /// What reads the objects for which the condition holds, or a part of them.
  func select(_ limit: LimitClause) -> StatementText {
    guard limit.isConstant else { return selectPart }
    return limit.isWhole ? select : selectFirst
  }

  /// Binds values from the first parameter on.
  ///
  /// - Returns: The position after them.
  func bind(_ values: ConditionValues, to binder: Binder) -> Int {
    for position in order.indices { values[order[position]].bind(to: binder, at: position) }
    return order.count
  }

  /// The SQL of the condition with these values; `nil` where there is no room for their parameters.
  func sql(_ values: ConditionValues, parameterLimit: Int) -> ConditionSQL? {
    guard parameterLimit >= order.count else { return nil }
    return ConditionSQL(text: text, values: order.map { values[$0] }, lists: [])
  }
}

/// The condition of a query: one that was checked, or one of a form with its values.
enum AskedCondition: Sendable {
  case checked(ResolvedCondition)
  case formed(ConditionForm, ConditionValues)

  /// The checked condition.
  var resolved: ResolvedCondition {
    switch self {
    case .checked(let condition): condition
    case .formed(let form, let values): form.condition(values)
    }
  }

  /// The condition as SQL; see ``ConditionSQL/init(_:table:columns:parameterLimit:firstList:)``.
  func sql(
    table: String, columns: [String], parameterLimit: Int, firstList: Int
  ) -> ConditionSQL {
    if case .formed(let form, let values) = self,
      let sql = form.sql(values, parameterLimit: parameterLimit)
    {
      return sql
    }
    return ConditionSQL(
      resolved, table: table, columns: columns, parameterLimit: parameterLimit,
      firstList: firstList)
  }

  /// What reads the objects for which it holds, in the order of insertion; `nil` where that was not
  /// written before.
  func select(_ limit: LimitClause) -> StatementText? {
    guard case .formed(let form, _) = self else { return nil }
    return form.select(limit)
  }
}
