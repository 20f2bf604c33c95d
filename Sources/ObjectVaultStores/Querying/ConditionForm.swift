import ObjectVaultCondition
import ObjectVaultDriver

/// A compiled condition: the SQL shared by all conditions of one shape on one table.
final class ConditionForm: Sendable {
  /// The limit on values: larger conditions use much memory, and their lists vary in length.
  private static let maximumValues = 64

  private let shape: ConditionShape
  /// The SQL expression.
  private let text: String
  /// The slot of the value of each parameter.
  private let order: [Int]
  /// The statement that reads all matching objects in insertion order.
  private let select: StatementText
  /// The statement that reads a part of the matching objects.
  private let selectPart: StatementText
  /// The statement that reads the first matching object.
  private let selectFirst: StatementText
  /// The statement that counts the matching objects.
  let count: StatementText

  /// Creates the form of a resolved condition, or returns `nil` if the condition has none.
  init?(
    of condition: Condition, resolved: ResolvedCondition, by checker: ConditionChecker,
    _ table: Table
  ) {
    guard let shape = ConditionShape(of: condition, resolved: resolved, by: checker),
      shape.valueCount <= Self.maximumValues
    else { return nil }
    // The values of the template are slot numbers.
    // A condition that the engine cannot test is reported when it is written with its values.
    guard let sql = try? ConditionSQL(shape.template, of: table.sql.queried) else { return nil }
    var order: [Int] = []
    for value in sql.values {
      guard let slot = ConditionShape.slot(of: value) else { return nil }
      order.append(slot)
    }
    guard sql.lists.isEmpty else { return nil }
    self.shape = shape
    self.order = order
    text = sql.text
    let select = "\(table.sql.select) WHERE \(sql.text)\(table.insertionOrderClause)"
    self.select = StatementText(select)
    selectPart = StatementText(
      select + table.sql.dialect.range(from: order.count + 1))
    selectFirst = StatementText(select + LimitClause.firstText)
    count = StatementText("\(table.sql.count.text) WHERE \(sql.text)")
  }

  /// Returns the values of a condition with these arguments; `nil` if its shape differs.
  func values(
    count: Int, _ argument: (Int) throws -> ConditionArgument
  ) rethrows -> ConditionValues? {
    try shape.values(count: count, argument)
  }

  /// Returns the condition of this form with the given values.
  func condition(_ values: ConditionValues) -> ResolvedCondition { shape.condition(values) }

  /// Returns the statement that reads all matching objects or a part of them.
  func select(_ limit: LimitClause) -> StatementText {
    guard limit.isConstant else { return selectPart }
    return limit.isWhole ? select : selectFirst
  }

  /// Binds the values, starting at the first parameter.
  ///
  /// - Returns: The position after the last bound parameter.
  func bind(_ values: ConditionValues, to binder: Binder) -> Int {
    for position in order.indices { values[order[position]].bind(to: binder, at: position) }
    return order.count
  }

  /// Returns the SQL for the given values; `nil` if it needs more than `parameterLimit` parameters.
  func sql(_ values: ConditionValues, parameterLimit: Int) -> ConditionSQL? {
    guard parameterLimit >= order.count else { return nil }
    return ConditionSQL(text: text, values: order.map { values[$0] }, lists: [])
  }
}

/// The condition of a query: a resolved condition, or a form with values.
enum QueryCondition: Sendable {
  case checked(ResolvedCondition)
  case formed(ConditionForm, ConditionValues)

  /// The resolved condition.
  var resolved: ResolvedCondition {
    switch self {
    case .checked(let condition): condition
    case .formed(let form, let values): form.condition(values)
    }
  }

  /// Returns the condition as SQL; see
  /// ``ConditionSQL/init(_:of:parameterLimit:firstParameter:firstList:)``.
  func sql(
    of table: QueriedTable, parameterLimit: Int, firstParameter: Int, firstList: Int
  ) throws(VaultError) -> ConditionSQL {
    // The text of a form begins with the first parameter.
    if firstParameter == 1 || !table.dialect.numbersParameters,
      case .formed(let form, let values) = self,
      let sql = form.sql(values, parameterLimit: parameterLimit)
    {
      return sql
    }
    return try ConditionSQL(
      resolved, of: table, parameterLimit: parameterLimit, firstParameter: firstParameter,
      firstList: firstList)
  }

  /// Returns the prepared statement text that reads the matching objects in insertion order.
  ///
  /// The result is `nil` if the condition has no form.
  func select(_ limit: LimitClause) -> StatementText? {
    guard case .formed(let form, _) = self else { return nil }
    return form.select(limit)
  }
}
