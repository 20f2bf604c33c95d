package import ObjectVaultCondition
package import ObjectVaultDriver

/// A condition as SQL: an expression with parameters and the values to bind.
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
  /// The table has one untyped column `"value"`. The values are its rows, in order.
  package struct List: Sendable, Equatable {
    /// The number of the table among the tables of its connection.
    package var number: Int
    /// The name of the table.
    package var table: String
    package var values: [StoredValue]
  }
}

extension ConditionSQL {
  /// Creates the SQL of a resolved condition.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - table: The queried table.
  ///   - parameterLimit: The greatest number of parameters for the condition. Longer lists, and
  ///     values beyond the limit, are stored in ``lists``.
  ///   - firstParameter: The number of the first parameter of the condition.
  ///   - firstList: The number of the first list's table. Statements that run at the same time on
  ///     one connection need different numbers.
  /// - Throws: `.invalidCondition` if the engine lacks a capability that the condition needs.
  package init(
    _ condition: ResolvedCondition, of table: QueriedTable, parameterLimit: Int = 900,
    firstParameter: Int = 1, firstList: Int = 0
  ) throws(VaultError) {
    var writer = SQLWriter(
      table, parameterLimit: parameterLimit, firstParameter: firstParameter, firstList: firstList)
    let text = try writer.write(condition, negated: false)
    self.init(text: text, values: writer.values, lists: writer.allLists)
  }
}
