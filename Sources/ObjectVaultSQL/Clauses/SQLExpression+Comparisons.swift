import ObjectVaultDriver
public import ObjectVaultModel

extension SQLExpression {
  /// Returns an `=` comparison, or `IS` for a value of optional type, so that nil equals NULL.
  public static func == (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    left == right.sqlExpression
  }

  /// Returns a `!=` comparison, or `IS NOT` for a value of optional type, so that nil differs from
  /// every value.
  public static func != (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    left != right.sqlExpression
  }

  /// Returns an `=` comparison, or `IS` for a value of optional type.
  public static func == (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    binary(left, left.isNullable || right.isNullable ? "IS" : "=", right, .equality)
  }

  /// Returns a `!=` comparison, or `IS NOT` for a value of optional type.
  public static func != (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    binary(left, left.isNullable || right.isNullable ? "IS NOT" : "!=", right, .equality)
  }

  /// Returns an `IS NULL` test.
  public static func == (left: SQLExpression, _: _OptionalNilComparisonType) -> SQLExpression {
    left.isNull
  }

  /// Returns an `IS NOT NULL` test.
  public static func != (left: SQLExpression, _: _OptionalNilComparisonType) -> SQLExpression {
    left.isNotNull
  }

  /// Returns a `<` comparison.
  public static func < (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "<", right.sqlExpression, .order)
  }

  /// Returns a `<=` comparison.
  public static func <= (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "<=", right.sqlExpression, .order)
  }

  /// Returns a `>` comparison.
  public static func > (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, ">", right.sqlExpression, .order)
  }

  /// Returns a `>=` comparison.
  public static func >= (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, ">=", right.sqlExpression, .order)
  }

  /// An `IS NULL` test.
  public var isNull: SQLExpression { SQLExpression("\(nested(above: .not)) IS NULL", .equality) }

  /// An `IS NOT NULL` test.
  public var isNotNull: SQLExpression {
    SQLExpression("\(nested(above: .not)) IS NOT NULL", .equality)
  }

  /// Returns an `IS` comparison: true for equal values and for two NULLs.
  public func `is`(_ other: some SQLExpressible) -> SQLExpression {
    SQLExpression.binary(self, "IS", other.sqlExpression, .equality)
  }

  /// Returns an `IS NOT` comparison: true for different values and if exactly one is NULL.
  public func isNot(_ other: some SQLExpressible) -> SQLExpression {
    SQLExpression.binary(self, "IS NOT", other.sqlExpression, .equality)
  }

  // MARK: Ranges and lists

  /// Returns a `BETWEEN … AND …` test, which includes both bounds.
  ///
  /// It is false for all values if the lower bound exceeds the upper one.
  public func isBetween(
    _ lowest: some SQLExpressible, and highest: some SQLExpressible
  ) -> SQLExpression {
    between("BETWEEN", lowest.sqlExpression, highest.sqlExpression)
  }

  /// Returns a `NOT BETWEEN … AND …` test.
  public func isNotBetween(
    _ lowest: some SQLExpressible, and highest: some SQLExpressible
  ) -> SQLExpression {
    between("NOT BETWEEN", lowest.sqlExpression, highest.sqlExpression)
  }

  private func between(
    _ op: String, _ lowest: SQLExpression, _ highest: SQLExpression
  ) -> SQLExpression {
    let (low, high) = (lowest.nested(above: .equality), highest.nested(above: .equality))
    return SQLExpression(
      "\(nested(above: .not)) \(unchecked: op) \(low) AND \(high)", .equality)
  }

  /// Returns an `IN (?, ?, …)` test, which is false for an empty sequence.
  @_disfavoredOverload
  public func isIn<T: SQLExpressible>(_ values: some Sequence<T>) -> SQLExpression {
    among("IN", Self.list(values))
  }

  /// Returns a `NOT IN (?, ?, …)` test, which is true for an empty sequence.
  @_disfavoredOverload
  public func isNotIn<T: SQLExpressible>(_ values: some Sequence<T>) -> SQLExpression {
    among("NOT IN", Self.list(values))
  }

  /// Returns an `IN (SELECT …)` test.
  public func isIn<Source>(_ query: Select<Source>) -> SQLExpression {
    among("IN", query.statement)
  }

  /// Returns a `NOT IN (SELECT …)` test.
  public func isNotIn<Source>(_ query: Select<Source>) -> SQLExpression {
    among("NOT IN", query.statement)
  }

  /// Returns an `IN (…)` test with raw SQL: a list, a query or `"\(list: values)"`.
  public func isIn(_ statement: SQLStatement) -> SQLExpression {
    among("IN", statement.closed.withoutParentheses)
  }

  /// Returns a `NOT IN (…)` test with raw SQL.
  public func isNotIn(_ statement: SQLStatement) -> SQLExpression {
    among("NOT IN", statement.closed.withoutParentheses)
  }

  /// Unavailable, because a `String` would be a sequence of characters here.
  @available(*, unavailable, message: "Pass a list, a Select or an SQLStatement.")
  public func isIn(_ text: String) -> SQLExpression { isIn([text]) }

  /// Unavailable, because a `String` would be a sequence of characters here.
  @available(*, unavailable, message: "Pass a list, a Select or an SQLStatement.")
  public func isNotIn(_ text: String) -> SQLExpression { isNotIn([text]) }

  private static func list<T: SQLExpressible>(_ values: some Sequence<T>) -> SQLStatement {
    values.map { $0.sqlExpression.nested(above: .raw) }.joined(separator: ", ")
  }

  private func among(_ op: String, _ list: SQLStatement) -> SQLExpression {
    SQLExpression("\(nested(above: .not)) \(unchecked: op) (\(list))", .equality)
  }

  // MARK: Text

  /// Returns a `LIKE` test, which ignores the case of A-Z.
  ///
  /// In the pattern, `%` matches any text and `_` matches one character.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - escape: The character that precedes a literal `%` or `_`. It must consist of one Unicode
  ///     scalar. Default: none.
  /// - Returns: A condition.
  public func like(_ pattern: some SQLExpressible, escape: Character? = nil) -> SQLExpression {
    like("LIKE", pattern.sqlExpression, escape: escape)
  }

  /// Returns a `NOT LIKE` test.
  public func notLike(_ pattern: some SQLExpressible, escape: Character? = nil) -> SQLExpression {
    like("NOT LIKE", pattern.sqlExpression, escape: escape)
  }

  /// Returns a test for a literal prefix, which ignores the case of A-Z: `LIKE ? ESCAPE '\'`.
  public func hasPrefix(_ text: String) -> SQLExpression {
    like(Self.escaped(text) + "%", escape: "\\")
  }

  /// Returns a test for a literal suffix, which ignores the case of A-Z.
  public func hasSuffix(_ text: String) -> SQLExpression {
    like("%" + Self.escaped(text), escape: "\\")
  }

  /// Returns a test for a literal substring, which ignores the case of A-Z.
  public func contains(_ text: String) -> SQLExpression {
    like("%" + Self.escaped(text) + "%", escape: "\\")
  }

  private func like(_ op: String, _ pattern: SQLExpression, escape: Character?) -> SQLExpression {
    let likeness: SQLStatement =
      "\(nested(above: .not)) \(unchecked: op) \(pattern.nested(above: .order))"
    guard let escape else { return SQLExpression(likeness, .equality) }
    guard escape.unicodeScalars.count == 1, let scalar = escape.unicodeScalars.first else {
      return SQLExpression(
        defect: SQLDefect(
          .invalidArgument,
          "The escape of LIKE must be one character of one Unicode scalar. Use another."))
    }
    let quoted = scalar == "'" ? "''''" : "'\(scalar)'"
    return SQLExpression("\(likeness) ESCAPE \(unchecked: quoted)", .equality)
  }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
