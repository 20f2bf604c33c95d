extension Select {
  /// The query that reads these, too, in all combinations of their rows: `FROM a, b`.
  ///
  /// - Parameter sources: A `String` is the name of a table.
  public func from(_ sources: any SQLSource...) -> Select {
    withCore { parts in
      for source in sources { parts.read(source, by: ", ") }
    }
  }

  /// The query that reads the table of a class, whose members its conditions and columns can name.
  public func from<T: StoredObject>(_ type: T.Type, as alias: String? = nil) -> Select<T>
  where Source == NamedColumns {
    let other = from(ClassTable(type, as: alias))
    return Select<T>(other.parts)
  }

  // MARK: Joins

  /// The query that reads the rows of another source together with those for which the expression is
  /// true: `JOIN … ON …`.
  public func join(_ source: any SQLSource, on condition: SQLExpression) -> Select {
    joined(" JOIN ", source, " ON \(condition.statement)")
  }

  /// The query that reads the rows of another source together with those that have the same values in
  /// these columns: `JOIN … USING (…)`.
  public func join(_ source: any SQLSource, using columns: String...) -> Select {
    joined(" JOIN ", source, " USING (\(SQLName.list(columns)))")
  }

  /// The query that also gives the rows that no row of the other source goes with, with NULL for the
  /// columns of that: `LEFT JOIN … ON …`.
  public func leftJoin(_ source: any SQLSource, on condition: SQLExpression) -> Select {
    joined(" LEFT JOIN ", source, " ON \(condition.statement)")
  }

  /// The query that also gives the rows that no row of the other source goes with:
  /// `LEFT JOIN … USING (…)`.
  public func leftJoin(_ source: any SQLSource, using columns: String...) -> Select {
    joined(" LEFT JOIN ", source, " USING (\(SQLName.list(columns)))")
  }

  /// The query that reads the other source in all combinations, after what stands before it:
  /// `CROSS JOIN`.
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
            "A table is joined to nothing. Say `from` before `join`."))
      }
      parts.read(source, by: join, end)
    }
  }
}

// MARK: - As a part of another

extension Select: SQLExpressible, SQLSelectable, SQLSource {
  /// The query in parentheses: the first column of its first row, or NULL.
  public var sqlExpression: SQLExpression { SQLExpression("(\(statement))", .primary) }

  /// The query in parentheses, as a column.
  public var sqlResultColumn: SQLResultColumn { sqlExpression.sqlResultColumn }

  /// The query in parentheses, to be read from.
  public var sqlSource: SQLStatement { "(\(statement))" }

  /// It has none.
  public var sqlName: String { "" }

  /// The query under a name, to be read from or to be a column.
  public func `as`(_ name: String) -> SQLSubquery {
    SQLSubquery(sqlSource: "(\(statement)) AS \(SQLName.statement(name))", sqlName: name)
  }

  /// `EXISTS (…)`: it gives a row.
  public var exists: SQLExpression { SQLExpression("EXISTS (\(statement))", .primary) }

  /// `NOT EXISTS (…)`: it gives no row.
  public var isEmpty: SQLExpression { !exists }
}

// MARK: - Together with others

extension Select {
  /// The rows of both, equal ones once.
  public func union<Other>(_ other: Select<Other>) -> Select { compound("UNION", other) }

  /// The rows of both.
  public func unionAll<Other>(_ other: Select<Other>) -> Select { compound("UNION ALL", other) }

  /// The rows that both give, each once.
  public func intersect<Other>(_ other: Select<Other>) -> Select { compound("INTERSECT", other) }

  /// The rows that this one gives and the other does not, each once.
  public func except<Other>(_ other: Select<Other>) -> Select { compound("EXCEPT", other) }

  /// Operators are read from the left; a query that has an order, a range or operators of its own is
  /// read from as a whole.
  private func compound<Other>(_ op: String, _ other: Select<Other>) -> Select {
    let right = other.parts.isPlain ? other.statement : other.parts.wrapped.statement
    return with { parts in
      if !parts.hasPlainEnd { parts = parts.wrapped }
      parts.compounds.append("\(unchecked: op) \(right)")
    }
  }
}

extension SelectParts {
  /// Whether nothing stands behind the last single query.
  fileprivate var hasPlainEnd: Bool { order.isEmpty && limit == nil && offset == nil }

  /// Whether it is one query alone.
  fileprivate var isPlain: Bool { hasPlainEnd && compounds.isEmpty }
}
