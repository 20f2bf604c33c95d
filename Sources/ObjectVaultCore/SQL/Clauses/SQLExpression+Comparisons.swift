extension SQLExpression {
  /// `=`, or `IS` for a value of an optional type: then nil equals NULL.
  public static func == (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    let right = right.sqlExpression
    return binary(left, right.isNullable ? "IS" : "=", right, .equality)
  }

  /// `!=`, or `IS NOT` for a value of an optional type: then nil differs from every value.
  public static func != (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    let right = right.sqlExpression
    return binary(left, right.isNullable ? "IS NOT" : "!=", right, .equality)
  }

  /// `=`.
  public static func == (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    binary(left, right.isNullable ? "IS" : "=", right, .equality)
  }

  /// `!=`.
  public static func != (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    binary(left, right.isNullable ? "IS NOT" : "!=", right, .equality)
  }

  /// `IS NULL`.
  public static func == (left: SQLExpression, _: _OptionalNilComparisonType) -> SQLExpression {
    left.isNull
  }

  /// `IS NOT NULL`.
  public static func != (left: SQLExpression, _: _OptionalNilComparisonType) -> SQLExpression {
    left.isNotNull
  }

  /// `<`.
  public static func < (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "<", right.sqlExpression, .order)
  }

  /// `<=`.
  public static func <= (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "<=", right.sqlExpression, .order)
  }

  /// `>`.
  public static func > (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, ">", right.sqlExpression, .order)
  }

  /// `>=`.
  public static func >= (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, ">=", right.sqlExpression, .order)
  }

  /// `IS NULL`.
  public var isNull: SQLExpression { SQLExpression("\(nested(above: .not)) IS NULL", .equality) }

  /// `IS NOT NULL`.
  public var isNotNull: SQLExpression {
    SQLExpression("\(nested(above: .not)) IS NOT NULL", .equality)
  }

  /// `IS`: equal, or both NULL.
  public func `is`(_ other: some SQLExpressible) -> SQLExpression {
    SQLExpression.binary(self, "IS", other.sqlExpression, .equality)
  }

  /// `IS NOT`: different, of which one may be NULL.
  public func isNot(_ other: some SQLExpressible) -> SQLExpression {
    SQLExpression.binary(self, "IS NOT", other.sqlExpression, .equality)
  }

  // MARK: Ranges and lists

  /// `BETWEEN … AND …`: both ends belong to it, and nothing does where the first is greater.
  public func isBetween(
    _ lowest: some SQLExpressible, and highest: some SQLExpressible
  ) -> SQLExpression {
    between("BETWEEN", lowest.sqlExpression, highest.sqlExpression)
  }

  /// `NOT BETWEEN … AND …`.
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

  /// `IN (?, ?, …)`: one of the values equals it. None of an empty list does.
  @_disfavoredOverload
  public func isIn<T: SQLExpressible>(_ values: some Sequence<T>) -> SQLExpression {
    among("IN", Self.list(values))
  }

  /// `NOT IN (?, ?, …)`: none of the values equals it, as none of an empty list does.
  @_disfavoredOverload
  public func isNotIn<T: SQLExpressible>(_ values: some Sequence<T>) -> SQLExpression {
    among("NOT IN", Self.list(values))
  }

  /// `IN (SELECT …)`.
  public func isIn<Source>(_ query: Select<Source>) -> SQLExpression {
    among("IN", query.statement)
  }

  /// `NOT IN (SELECT …)`.
  public func isNotIn<Source>(_ query: Select<Source>) -> SQLExpression {
    among("NOT IN", query.statement)
  }

  /// `IN (…)` of a text: a list, a query, or `"\(list: values)"`.
  public func isIn(_ statement: SQLStatement) -> SQLExpression {
    among("IN", statement.closed.withoutParentheses)
  }

  /// `NOT IN (…)` of a text.
  public func isNotIn(_ statement: SQLStatement) -> SQLExpression {
    among("NOT IN", statement.closed.withoutParentheses)
  }

  /// A text is a sequence of characters, which nobody means here.
  @available(*, unavailable, message: "Give a list, a Select or an SQLStatement.")
  public func isIn(_ text: String) -> SQLExpression { isIn([text]) }

  /// A text is a sequence of characters, which nobody means here.
  @available(*, unavailable, message: "Give a list, a Select or an SQLStatement.")
  public func isNotIn(_ text: String) -> SQLExpression { isNotIn([text]) }

  private static func list<T: SQLExpressible>(_ values: some Sequence<T>) -> SQLStatement {
    values.map { $0.sqlExpression.nested(above: .raw) }.joined(separator: ", ")
  }

  private func among(_ op: String, _ list: SQLStatement) -> SQLExpression {
    SQLExpression("\(nested(above: .not)) \(unchecked: op) (\(list))", .equality)
  }

  // MARK: Text

  /// `LIKE`: `%` in the pattern stands for any text, `_` for one character; case of A-Z does not
  /// count.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - escape: The character before a `%` or `_` that stands for itself. Default: none.
  public func like(_ pattern: some SQLExpressible, escape: Character? = nil) -> SQLExpression {
    like("LIKE", pattern.sqlExpression, escape: escape)
  }

  /// `NOT LIKE`.
  public func notLike(_ pattern: some SQLExpressible, escape: Character? = nil) -> SQLExpression {
    like("NOT LIKE", pattern.sqlExpression, escape: escape)
  }

  /// It begins with the text, taken literally but for the case of A-Z: `LIKE ? ESCAPE '\'`.
  public func hasPrefix(_ text: String) -> SQLExpression {
    like(Self.escaped(text) + "%", escape: "\\")
  }

  /// It ends with the text, taken literally but for the case of A-Z.
  public func hasSuffix(_ text: String) -> SQLExpression {
    like("%" + Self.escaped(text), escape: "\\")
  }

  /// The text is in it, taken literally but for the case of A-Z.
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
          "The escape of LIKE is one character of one Unicode scalar. Give another."))
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
