package import ObjectVaultCondition

/// A condition as SQL: an expression with `?` parameters, and their values.
///
/// A row is chosen where the expression is true; NULL counts as false. Every value is bound.
package struct ConditionSQL: Sendable, Equatable {
  /// The expression. Its text depends only on the condition's shape, never on a value but for how
  /// many values a list has, and for empty prefixes.
  package var text: String
  /// The values of the parameters, in order.
  package var values: [StoredValue]
  /// Lists of values that did not fit into the parameters.
  package var lists: [List]

  /// Values that must stand in a temporary table while the statement runs.
  ///
  /// The table has one column `"value"` without a type; the values are its rows from rowid 1 on.
  package struct List: Sendable, Equatable {
    /// The number of the table among those of its connection.
    package var number: Int
    /// The name of the table in the schema `temp`.
    package var table: String
    package var values: [StoredValue]
  }
}

extension ConditionSQL {
  /// The SQL of a checked condition.
  ///
  /// - Parameters:
  ///   - condition: What must hold.
  ///   - table: The name by which the statement calls the table, quoted.
  ///   - columns: The columns by the positions of the properties, quoted.
  ///   - parameterLimit: How many parameters the condition may take. Lists that are longer, and
  ///     values beyond it, go to ``lists``.
  ///   - firstList: The number in the name of the first list's table. Statements that are read at
  ///     the same time on one connection need different ones.
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
