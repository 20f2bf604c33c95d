import ObjectVaultDriver

/// An SQL expression as a value: columns, values, functions and operators.
///
/// ```swift
/// let students = SQLTable("students")
/// students.age >= 18 && students.name.hasPrefix("L")
/// ```
///
/// Values are bound and never written into the text. Parentheses are added only if SQLite would
/// parse a different expression without them. Invalid values and names are reported by the call
/// that runs the statement.
public struct SQLExpression: Sendable, Hashable, SQLExpressible {
  /// The SQL text, with `?` for values, and the values.
  public let statement: SQLStatement
  package let precedence: SQLPrecedence
  /// Whether the expression is a bound value of optional type, which needs `IS` instead of `=`.
  package let isNullable: Bool

  package init(_ statement: SQLStatement, _ precedence: SQLPrecedence) {
    self.statement = statement
    self.precedence = precedence
    isNullable = false
  }

  package init(bound statement: SQLStatement, isNullable: Bool) {
    self.statement = statement
    precedence = .primary
    self.isNullable = isNullable
  }

  /// Creates a placeholder for an expression that is invalid.
  package init(defect: SQLDefect) {
    self.init(SQLStatement(sql: "NULL", values: [], defect: defect), .primary)
  }

  /// Creates an expression from any expressible value.
  public init(_ expression: some SQLExpressible) {
    self = expression.sqlExpression
  }

  /// The expression itself.
  public var sqlExpression: SQLExpression { self }

  /// Returns whether both expressions have the same text and the same values.
  @_disfavoredOverload
  public static func == (a: SQLExpression, b: SQLExpression) -> Bool {
    a.statement.sql == b.statement.sql && a.statement == b.statement
      && a.precedence == b.precedence && a.isNullable == b.isNullable
  }

  /// Returns the expression as an operand, in parentheses unless it binds tighter than `limit`.
  package func nested(above limit: SQLPrecedence) -> SQLStatement {
    precedence > limit ? statement : "(\(statement))"
  }
}

/// The precedence of an expression's outermost operator, as in SQLite's grammar.
package enum SQLPrecedence: Int, Sendable, Comparable {
  /// Raw SQL, which may contain any operator.
  case raw
  case or, and, not, equality, order, bits, sum, product, concatenation, collation, sign
  /// An expression that never needs parentheses.
  case primary

  package static func < (a: SQLPrecedence, b: SQLPrecedence) -> Bool { a.rawValue < b.rawValue }
}

// MARK: - Parts

extension SQLExpression {
  /// Returns a column by its name, quoted if necessary.
  ///
  /// - Parameters:
  ///   - name: The name, which may be any string. It is always a single name: a dot is part of it.
  ///   - table: The table or its alias. Required if several sources have a column with this name.
  /// - Returns: The column as an expression.
  public static func column(_ name: String, of table: String? = nil) -> SQLExpression {
    guard let table else { return SQLExpression(SQLName.statement(name), .primary) }
    return SQLExpression("\(SQLName.statement(table)).\(SQLName.statement(name))", .primary)
  }

  /// Returns a bound value: `?`.
  public static func value<T: StorableValue>(_ value: T) -> SQLExpression {
    SQLExpression(bound: "\(value)", isNullable: T.isOptional)
  }

  /// Returns a bound value that is stored as its raw value: `?`.
  @_disfavoredOverload
  public static func value<T: RawRepresentable>(_ value: T) -> SQLExpression
  where T.RawValue: StorableValue {
    SQLExpression(bound: "\(value)", isNullable: T.RawValue.isOptional)
  }

  /// Returns an integer literal, for numbers that are part of the statement, such as `WHERE 1`.
  ///
  /// Bind numbers from user input with `value(_:)`.
  public static func inline(_ number: Int) -> SQLExpression {
    SQLExpression("\(unchecked: String(number))", number < 0 ? .sign : .primary)
  }

  /// The literal `NULL`.
  public static var null: SQLExpression { SQLExpression("NULL", .primary) }

  /// Creates an expression from raw SQL and its values.
  ///
  /// The SQL is isolated from its surroundings: comments are removed, and unbalanced parentheses
  /// are reported when the statement runs.
  public init(_ statement: SQLStatement) {
    self.init(statement.closed, .raw)
  }
}

extension SQLStatement {
  /// The text without comments, with a defect if its parentheses are unbalanced.
  package var closed: SQLStatement {
    let tokens = SQLToken.tokens(of: sql)
    var depth = 0
    for token in tokens where depth >= 0 {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
    }
    // In UTF-8, because a combining mark after a sign forms one Character with it.
    let isCommented = sql.utf8.contains("--".utf8) || sql.utf8.contains("/*".utf8)
    return SQLStatement(
      sql: isCommented ? SQLToken.text(tokens) : sql, values: values,
      defect: defect
        ?? (depth == 0
          ? nil
          : SQLDefect(
            .invalidArgument,
            "A part of a statement has unbalanced parentheses. Close each parenthesis in the part "
              + "that opens it.")))
  }

  /// Whether all parameters are `?`, without a number or a name.
  package var hasPlainParameters: Bool {
    var isNumber = false
    for token in SQLToken.tokens(of: sql) {
      let first = token.text.unicodeScalars.first ?? " "
      if isNumber, ("0"..."9").contains(first) { return false }
      if token.kind != .string, token.kind != .quotedName, [":", "@", "#", "$"].contains(first) {
        return false
      }
      isNumber = token.text == "?"
    }
    return true
  }

  /// The text without parentheses that enclose all of it.
  package var withoutParentheses: SQLStatement {
    let tokens = SQLToken.tokens(of: sql)
    guard tokens.first?.text == "(", tokens.last?.text == ")" else { return self }
    var depth = 0
    for (position, token) in tokens.enumerated() {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if depth == 0, position < tokens.count - 1 { return self }
    }
    return SQLStatement(
      sql: SQLToken.text(tokens.dropFirst().dropLast()), values: values, defect: defect)
  }
}

extension SQLExpression: CustomStringConvertible {
  /// The SQL text, without the values.
  public var description: String { statement.description }
}
