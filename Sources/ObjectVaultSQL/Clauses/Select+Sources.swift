import ObjectVaultDriver
public import ObjectVaultModel

extension Select {
  /// Returns a query that also reads from the sources, in all combinations of their rows.
  ///
  /// The clause is `FROM a, b`. A `String` is a table name.
  public func from(_ sources: any SQLSource...) -> Select {
    withCore { parts in
      for source in sources { parts.read(source, by: ", ") }
    }
  }

  /// Returns a query of a class's table, with the class's members in conditions and columns.
  public func from<T: StoredObject>(_ type: T.Type, as alias: String? = nil) -> Select<T>
  where Source == NamedColumns {
    let other = from(ClassTable(type, as: alias))
    return Select<T>(other.parts)
  }

  // MARK: Joins

  /// Returns a query joined with the rows for which the condition is true: `JOIN … ON …`.
  public func join(_ source: any SQLSource, on condition: SQLExpression) -> Select {
    joined(" JOIN ", source, " ON \(condition.statement)")
  }

  /// Returns a query joined with the rows that have equal values in columns: `JOIN … USING (…)`.
  public func join(_ source: any SQLSource, using columns: String...) -> Select {
    joined(" JOIN ", source, " USING (\(SQLName.list(columns)))")
  }

  /// Returns a query with a left join on a condition: `LEFT JOIN … ON …`.
  ///
  /// Rows without a match in the other source have NULL in its columns.
  public func leftJoin(_ source: any SQLSource, on condition: SQLExpression) -> Select {
    joined(" LEFT JOIN ", source, " ON \(condition.statement)")
  }

  /// Returns a query with a left join on equal columns: `LEFT JOIN … USING (…)`.
  ///
  /// Rows without a match in the other source have NULL in its columns.
  public func leftJoin(_ source: any SQLSource, using columns: String...) -> Select {
    joined(" LEFT JOIN ", source, " USING (\(SQLName.list(columns)))")
  }

  /// Returns a query with all combinations of rows with the other source: `CROSS JOIN`.
  ///
  /// SQLite reads the other source after the preceding ones.
  public func crossJoin(_ source: any SQLSource) -> Select {
    joined(" CROSS JOIN ", source, "")
  }

  private func joined(
    _ join: SQLStatement, _ source: any SQLSource, _ end: SQLStatement
  ) -> Select {
    withCore { parts in
      if parts.sources == nil {
        parts.note(
          SQLDefect(
            .invalidArgument,
            "A join has no table to join to. Call `from` before `join`."))
      }
      parts.read(source, by: join, end)
    }
  }
}

// MARK: - Nested queries

extension Select: SQLExpressible, SQLSelectable, SQLSource {
  /// The query as a scalar expression: the first column of the first row, or NULL.
  public var sqlExpression: SQLExpression { SQLExpression("(\(statement))", .primary) }

  /// The query in parentheses, as a result column.
  public var sqlResultColumn: SQLResultColumn { sqlExpression.sqlResultColumn }

  /// The query in parentheses, as a source.
  public var sqlSource: SQLStatement { "(\(statement))" }

  /// An empty string, because the query has no name.
  public var sqlName: String { "" }

  /// Returns the query with a name, for use as a source or as a result column.
  public func `as`(_ name: String) -> SQLSubquery {
    SQLSubquery(sqlSource: "(\(statement)) AS \(SQLName.statement(name))", sqlName: name)
  }

  /// An expression that is true if the query returns a row: `EXISTS (…)`.
  public var exists: SQLExpression { SQLExpression("EXISTS (\(statement))", .primary) }

  /// An expression that is true if the query returns no row: `NOT EXISTS (…)`.
  public var isEmpty: SQLExpression { !exists }
}

// MARK: - Compound queries

extension Select {
  /// Returns the rows of both queries, without duplicates.
  public func union<Other>(_ other: Select<Other>) -> Select { compound("UNION", other) }

  /// Returns the rows of both queries, including duplicates.
  public func unionAll<Other>(_ other: Select<Other>) -> Select { compound("UNION ALL", other) }

  /// Returns the rows that are in both queries, without duplicates.
  public func intersect<Other>(_ other: Select<Other>) -> Select { compound("INTERSECT", other) }

  /// Returns the rows that are in this query and not in the other one, without duplicates.
  public func except<Other>(_ other: Select<Other>) -> Select { compound("EXCEPT", other) }

  /// Returns a compound query.
  ///
  /// SQLite evaluates compound operators from left to right. A query with an order, a limit or
  /// compound operators becomes a subquery.
  private func compound<Other>(_ op: String, _ other: Select<Other>) -> Select {
    let right = other.parts.isPlain ? other.statement : other.parts.wrapped.statement
    return with { parts in
      if !parts.hasPlainEnd { parts = parts.wrapped }
      parts.compounds.append("\(unchecked: op) \(right)")
    }
  }
}

extension SelectParts {
  /// Whether nothing follows the last single query.
  fileprivate var hasPlainEnd: Bool { order.isEmpty && limit == nil && offset == nil }

  /// Whether it is a single query without an order and a limit.
  fileprivate var isPlain: Bool { hasPlainEnd && compounds.isEmpty }
}
