extension SQLExpression {
  /// A function of the engine: `.function("substr", column, SQLExpression.inline(5))` is
  /// `SUBSTR(column, 5)`.
  ///
  /// - Parameters:
  ///   - name: The name, written in capitals.
  ///   - arguments: Values are bound.
  public static func function(_ name: String, _ arguments: any SQLExpressible...) -> SQLExpression {
    call(name, arguments.map { $0.sqlExpression })
  }

  /// A function of the engine.
  public static func function(_ name: String, _ arguments: SQLExpression...) -> SQLExpression {
    call(name, arguments)
  }

  /// - Parameter isDistinct: Whether an aggregate takes equal values once.
  static func call(
    _ name: String, _ arguments: [SQLExpression], isDistinct: Bool = false
  ) -> SQLExpression {
    let list = arguments.map { $0.nested(above: .raw) }.joined(separator: ", ")
    let capitals = String(
      decoding: name.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
    // A function that has the name of a keyword may stand bare; in quotes every name may.
    let called = ["REPLACE", "LIKE", "GLOB"].contains(capitals) ? capitals : SQLName.text(capitals)
    return SQLExpression(
      "\(unchecked: called)(\(unchecked: isDistinct ? "DISTINCT " : "")\(list))", .primary)
  }

  private func calling(_ name: String, _ others: SQLExpression...) -> SQLExpression {
    Self.call(name, [self] + others)
  }

  // MARK: Aggregates

  /// `COUNT(*)`: how many rows.
  public static var count: SQLExpression { SQLExpression("COUNT(*)", .primary) }

  /// How many rows in which it is not NULL; with `distinct`, how many values.
  public func count(distinct: Bool = false) -> SQLExpression {
    Self.call("COUNT", [self], isDistinct: distinct)
  }

  /// The sum over all rows, NULL of none; with `distinct`, of each value once.
  ///
  /// A sum of whole numbers beyond 64 bits is an error of the engine.
  public func sum(distinct: Bool = false) -> SQLExpression {
    Self.call("SUM", [self], isDistinct: distinct)
  }

  /// The average over all rows, as a real; NULL of none.
  public func average(distinct: Bool = false) -> SQLExpression {
    Self.call("AVG", [self], isDistinct: distinct)
  }

  /// The sum over all rows as a real; 0.0 of none.
  public func total() -> SQLExpression { calling("TOTAL") }

  /// The least value over all rows; NULL of none.
  public func min() -> SQLExpression { calling("MIN") }

  /// The greatest value over all rows; NULL of none.
  public func max() -> SQLExpression { calling("MAX") }

  /// The texts of all rows, with a separator between them.
  public func joined(separator: String) -> SQLExpression {
    calling("GROUP_CONCAT", .value(separator))
  }

  // MARK: Texts and numbers

  /// a-z as A-Z; other letters stay.
  public func uppercased() -> SQLExpression { calling("UPPER") }

  /// A-Z as a-z; other letters stay.
  public func lowercased() -> SQLExpression { calling("LOWER") }

  /// How many characters a text has, how many bytes a blob.
  public func length() -> SQLExpression { calling("LENGTH") }

  /// Without the white space at both ends.
  public func trimmed() -> SQLExpression { calling("TRIM") }

  /// A part of a text or blob.
  ///
  /// - Parameters:
  ///   - start: The first character, counted from 1; from the end where negative.
  ///   - length: How many characters; to the end by default.
  public func substring(
    from start: some SQLExpressible, length: (any SQLExpressible)? = nil
  ) -> SQLExpression {
    Self.call("SUBSTR", [self, start.sqlExpression] + (length.map { [$0.sqlExpression] } ?? []))
  }

  /// The text with every occurrence of one text put by another.
  public func replacing(
    _ text: some SQLExpressible, with other: some SQLExpressible
  ) -> SQLExpression {
    calling("REPLACE", text.sqlExpression, other.sqlExpression)
  }

  /// The number without its sign.
  public func absolute() -> SQLExpression { calling("ABS") }

  /// The number rounded to so many digits after the point, as a real.
  public func rounded(to digits: some SQLExpressible = SQLExpression.inline(0)) -> SQLExpression {
    calling("ROUND", digits.sqlExpression)
  }

  /// The other where it is NULL.
  public func ifNull(_ other: some SQLExpressible) -> SQLExpression {
    calling("IFNULL", other.sqlExpression)
  }

  // MARK: Forms

  /// A type that a value can be brought to.
  public enum CastType: String, Sendable, Hashable, CaseIterable {
    /// Text.
    case text = "TEXT"
    /// A whole number.
    case integer = "INTEGER"
    /// A number with a fraction.
    case real = "REAL"
    /// Whichever kind of number the value is.
    case numeric = "NUMERIC"
    /// Bytes.
    case blob = "BLOB"
  }

  /// `CAST(… AS …)`.
  public func cast(to type: CastType) -> SQLExpression {
    SQLExpression("CAST(\(nested(above: .raw)) AS \(unchecked: type.rawValue))", .primary)
  }

  /// How texts compare.
  public struct Collation: Sendable, Hashable {
    let name: String

    /// The collation of that name.
    public init(_ name: String) { self.name = name }

    /// By bytes.
    public static let binary = Collation("BINARY")
    /// Without regard to the case of A-Z.
    public static let noCase = Collation("NOCASE")
    /// Without regard to spaces at the end.
    public static let rightTrimmed = Collation("RTRIM")
    /// Decimals as the numbers that they are; without it they compare as text.
    public static let decimal = Collation("ov_decimal")
  }

  /// `COLLATE`: compares or is sorted by that collation.
  public func collated(_ collation: Collation) -> SQLExpression {
    SQLExpression(
      "\(nested(above: .concatenation)) COLLATE \(SQLName.statement(collation.name))", .collation)
  }
}
