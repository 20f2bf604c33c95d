public import ObjectVaultModel

extension SQLExpression {
  /// Returns a call of an SQL function.
  ///
  /// `.function("substr", column, SQLExpression.inline(5))` is `SUBSTR(column, 5)`.
  ///
  /// - Parameters:
  ///   - name: The name of the function, which is converted to upper case.
  ///   - arguments: The arguments. Values are bound.
  /// - Returns: The call as an expression.
  public static func function(_ name: String, _ arguments: any SQLExpressible...) -> SQLExpression {
    call(name, arguments.map { $0.sqlExpression })
  }

  /// Returns a call of an SQL function.
  public static func function(_ name: String, _ arguments: SQLExpression...) -> SQLExpression {
    call(name, arguments)
  }

  /// Returns a call of an SQL function, optionally of an aggregate with `DISTINCT`.
  static func call(
    _ name: String, _ arguments: [SQLExpression], isDistinct: Bool = false
  ) -> SQLExpression {
    let list = arguments.map { $0.nested(above: .raw) }.joined(separator: ", ")
    let capitals = String(
      decoding: name.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
    // A function that shares its name with a keyword may be unquoted; any name may be quoted.
    let called = ["REPLACE", "LIKE", "GLOB"].contains(capitals) ? capitals : SQLName.text(capitals)
    return SQLExpression(
      "\(unchecked: called)(\(unchecked: isDistinct ? "DISTINCT " : "")\(list))", .primary)
  }

  private func calling(_ name: String, _ others: SQLExpression...) -> SQLExpression {
    Self.call(name, [self] + others)
  }

  // MARK: Aggregates

  /// The number of rows: `COUNT(*)`.
  public static var count: SQLExpression { SQLExpression("COUNT(*)", .primary) }

  /// Returns the number of rows in which the expression is not NULL, or of its distinct values.
  public func count(distinct: Bool = false) -> SQLExpression {
    Self.call("COUNT", [self], isDistinct: distinct)
  }

  /// Returns the sum over all rows, or of the distinct values; it is NULL for no rows.
  ///
  /// An integer sum that exceeds 64 bits is an error in SQLite.
  public func sum(distinct: Bool = false) -> SQLExpression {
    Self.call("SUM", [self], isDistinct: distinct)
  }

  /// Returns the average over all rows, or of the distinct values, as a real number.
  ///
  /// It is NULL for no rows.
  public func average(distinct: Bool = false) -> SQLExpression {
    Self.call("AVG", [self], isDistinct: distinct)
  }

  /// Returns the sum over all rows as a real number, which is 0.0 for no rows.
  public func total() -> SQLExpression { calling("TOTAL") }

  /// Returns the minimum over all rows, which is NULL for no rows.
  public func min() -> SQLExpression { calling("MIN") }

  /// Returns the maximum over all rows, which is NULL for no rows.
  public func max() -> SQLExpression { calling("MAX") }

  /// Returns the concatenated strings of all rows, with a separator between them.
  public func joined(separator: String) -> SQLExpression {
    calling("GROUP_CONCAT", .value(separator))
  }

  // MARK: Text and numbers

  /// Returns the text with a-z in upper case; other letters are unchanged.
  public func uppercased() -> SQLExpression { calling("UPPER") }

  /// Returns the text with A-Z in lower case; other letters are unchanged.
  public func lowercased() -> SQLExpression { calling("LOWER") }

  /// Returns the number of characters of a text, or of bytes of a blob.
  public func length() -> SQLExpression { calling("LENGTH") }

  /// Returns the text without spaces at both ends.
  public func trimmed() -> SQLExpression { calling("TRIM") }

  /// Returns a part of a text or blob.
  ///
  /// - Parameters:
  ///   - start: The position of the first character, counted from 1, or from the end if negative.
  ///   - length: The number of characters. Default: up to the end.
  /// - Returns: The characters of a text, or the bytes of a blob.
  public func substring(
    from start: some SQLExpressible, length: (any SQLExpressible)? = nil
  ) -> SQLExpression {
    Self.call("SUBSTR", [self, start.sqlExpression] + (length.map { [$0.sqlExpression] } ?? []))
  }

  /// Returns the text with all occurrences of a substring replaced.
  public func replacing(
    _ text: some SQLExpressible, with other: some SQLExpressible
  ) -> SQLExpression {
    calling("REPLACE", text.sqlExpression, other.sqlExpression)
  }

  /// Returns the absolute value.
  public func absolute() -> SQLExpression { calling("ABS") }

  /// Returns the number as a real number, rounded to a number of decimal places.
  public func rounded(to digits: some SQLExpressible = SQLExpression.inline(0)) -> SQLExpression {
    calling("ROUND", digits.sqlExpression)
  }

  /// Returns the expression, or the other one if it is NULL.
  public func ifNull(_ other: some SQLExpressible) -> SQLExpression {
    calling("IFNULL", other.sqlExpression)
  }

  // MARK: Conversion and collation

  /// A target type of a cast.
  public enum CastType: String, Sendable, Hashable, CaseIterable {
    /// Text.
    case text = "TEXT"
    /// A 64-bit integer.
    case integer = "INTEGER"
    /// A floating-point number.
    case real = "REAL"
    /// An integer or a real number, whichever represents the value.
    case numeric = "NUMERIC"
    /// Bytes.
    case blob = "BLOB"
  }

  /// Returns the value converted to a type: `CAST(… AS …)`.
  public func cast(to type: CastType) -> SQLExpression {
    SQLExpression("CAST(\(nested(above: .raw)) AS \(unchecked: type.rawValue))", .primary)
  }

  /// A collation, which defines how strings are compared.
  public struct Collation: Sendable, Hashable {
    let name: String

    /// Creates a collation from its name.
    public init(_ name: String) { self.name = name }

    /// A comparison by bytes.
    public static let binary = Collation("BINARY")
    /// A comparison that ignores the case of A-Z.
    public static let noCase = Collation("NOCASE")
    /// A comparison that ignores trailing spaces.
    public static let rightTrimmed = Collation("RTRIM")
    /// A numeric comparison of decimals, which compare as text without it.
    public static let decimal = Collation("ov_decimal")
  }

  /// Returns the expression with a collation for comparisons and sorting: `COLLATE`.
  public func collated(_ collation: Collation) -> SQLExpression {
    SQLExpression(
      "\(nested(above: .concatenation)) COLLATE \(SQLName.statement(collation.name))", .collation)
  }
}
