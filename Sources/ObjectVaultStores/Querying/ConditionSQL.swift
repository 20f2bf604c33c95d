package import ObjectVaultCondition

/// A condition as SQL: an expression with `?` parameters and the values to bind.
///
/// A row matches if the expression is true; NULL counts as false. Every value is bound.
package struct ConditionSQL: Sendable, Equatable {
  /// The expression.
  ///
  /// Its text depends on the shape of the condition. The values affect it only by the number of
  /// values in a list and by empty prefixes.
  package var text: String
  /// The values of the parameters, in order.
  package var values: [StoredValue]
  /// The lists of values that exceed the parameter limit.
  package var lists: [List]

  /// A list of values that must be in a temporary table while the statement runs.
  ///
  /// The table has one untyped column `"value"`. The values are its rows, starting at rowid 1.
  package struct List: Sendable, Equatable {
    /// The number of the table among the tables of its connection.
    package var number: Int
    /// The name of the table in the schema `temp`.
    package var table: String
    package var values: [StoredValue]
  }
}

extension ConditionSQL {
  /// Creates the SQL of a resolved condition.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - table: The quoted name of the table in the statement.
  ///   - columns: The quoted columns by the positions of the properties.
  ///   - parameterLimit: The greatest number of parameters for the condition. Longer lists, and
  ///     values beyond the limit, are stored in ``lists``.
  ///   - firstList: The number of the first list's table. Statements that run at the same time on
  ///     one connection need different numbers.
  package init(
    _ condition: ResolvedCondition, table: String, columns: [String], parameterLimit: Int = 900,
    firstList: Int = 0
  ) {
    var writer = ConditionSQLWriter(
      table: table, columns: columns, parameterLimit: parameterLimit, firstList: firstList)
    let text = writer.write(condition, negated: false)
    self.init(text: text, values: writer.values, lists: writer.allLists)
  }
}
