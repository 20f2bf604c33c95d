/// An expression of SQL as a value: columns, values, functions, operators.
///
/// ```swift
/// let students = SQLTable("students")
/// students.age >= 18 && students.name.hasPrefix("L")
/// ```
///
/// Values are bound, never written into the text. Parentheses stand exactly where the engine would
/// read another expression without them. What is wrong with a value or a name is reported by the call
/// that runs the statement.
public struct SQLExpression: Sendable, Hashable, SQLExpressible {
  /// The text, with `?` for values, and the values.
  public let statement: SQLStatement
  let precedence: SQLPrecedence
  /// Whether it is a value that may be nil, to which nothing is equal in SQL.
  let isNullable: Bool

  init(_ statement: SQLStatement, _ precedence: SQLPrecedence) {
    self.statement = statement
    self.precedence = precedence
    isNullable = false
  }

  init(bound statement: SQLStatement, isNullable: Bool) {
    self.statement = statement
    precedence = .primary
    self.isNullable = isNullable
  }

  /// What cannot be made.
  init(defect: SQLDefect) {
    self.init(SQLStatement(sql: "NULL", values: [], defect: defect), .primary)
  }

  /// An expression that can stand as one.
  public init(_ expression: some SQLExpressible) {
    self = expression.sqlExpression
  }

  /// Itself.
  public var sqlExpression: SQLExpression { self }

  /// Whether both are the same text with the same values.
  @_disfavoredOverload
  public static func == (a: SQLExpression, b: SQLExpression) -> Bool {
    a.statement.sql == b.statement.sql && a.statement == b.statement
      && a.precedence == b.precedence && a.isNullable == b.isNullable
  }

  /// The expression inside another one, in parentheses unless it binds tighter than that.
  func nested(above limit: SQLPrecedence) -> SQLStatement {
    precedence > limit ? statement : "(\(statement))"
  }
}

/// How tight the parts of an expression hold together, as SQLite's grammar has it.
enum SQLPrecedence: Int, Sendable, Comparable {
  /// A text that nobody has looked into.
  case raw
  case or, and, not, equality, order, bits, sum, product, concatenation, collation, sign
  /// What nothing can take apart.
  case primary

  static func < (a: SQLPrecedence, b: SQLPrecedence) -> Bool { a.rawValue < b.rawValue }
}

// MARK: - Parts

extension SQLExpression {
  /// A column by its name, quoted where it needs to be.
  ///
  /// - Parameters:
  ///   - name: The name, any text. It is never more than one name: a dot in it is part of it.
  ///   - table: The table or its alias; needed where several have a column of the name.
  public static func column(_ name: String, of table: String? = nil) -> SQLExpression {
    guard let table else { return SQLExpression(SQLName.statement(name), .primary) }
    return SQLExpression("\(SQLName.statement(table)).\(SQLName.statement(name))", .primary)
  }

  /// A value, bound: `?`.
  public static func value<T: StorableValue>(_ value: T) -> SQLExpression {
    SQLExpression(bound: "\(value)", isNullable: T.isOptional)
  }

  /// A value that is stored as its raw value, bound: `?`.
  @_disfavoredOverload
  public static func value<T: RawRepresentable>(_ value: T) -> SQLExpression
  where T.RawValue: StorableValue {
    SQLExpression(bound: "\(value)", isNullable: T.RawValue.isOptional)
  }

  /// A whole number, written into the text: for what decides the form of a statement, such as
  /// `WHERE 1`. Numbers that a user gives are better bound by ``value(_:)-(T)``.
  public static func inline(_ number: Int) -> SQLExpression {
    SQLExpression("\(unchecked: String(number))", number < 0 ? .sign : .primary)
  }

  /// `NULL`.
  public static var null: SQLExpression { SQLExpression("NULL", .primary) }

  /// A text that is taken as it is, with its values.
  ///
  /// It is one expression to what stands around it: comments go, and parentheses that do not match are
  /// reported when the statement is run.
  public init(_ statement: SQLStatement) {
    self.init(statement.closed, .raw)
  }
}

extension SQLStatement {
  /// The text without what could reach beyond its end.
  var closed: SQLStatement {
    let tokens = SQLToken.tokens(of: sql)
    var depth = 0
    for token in tokens where depth >= 0 {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
    }
    let isCommented = sql.contains("--") || sql.contains("/*")
    return SQLStatement(
      sql: isCommented ? SQLToken.text(tokens) : sql, values: values,
      defect: defect
        ?? (depth == 0
          ? nil
          : SQLDefect(
            .invalidArgument,
            "The parentheses in a part of a statement do not match. Close in it what it opens, and "
              + "no more.")))
  }

  /// What is between the parentheses that enclose all of the text, or the text where none do.
  var withoutParentheses: SQLStatement {
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
  /// The text. Values are never shown.
  public var description: String { statement.description }
}
