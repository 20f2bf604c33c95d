import ObjectVaultDriver

/// The `LIMIT` and `OFFSET` clause of a statement, which can be empty.
struct LimitClause {
  private let offset: Int
  private let length: Int?

  /// Whether the clause selects the first row only and needs no parameters.
  private let isFirst: Bool

  init(offset: Int, length: Int?) {
    self.offset = offset
    self.length = length
    isFirst = false
  }

  /// Creates the clause for the first of the selected rows.
  init(firstFrom offset: Int, length: Int?) {
    self.offset = offset
    self.length = min(length ?? 1, 1)
    isFirst = offset == 0 && self.length == 1
  }

  /// Whether the clause selects all rows.
  var isWhole: Bool { offset == 0 && length == nil }

  /// Returns the clause with a leading space; empty if it selects all rows.
  ///
  /// - Parameters:
  ///   - dialect: The SQL of the engine.
  ///   - first: The number of its first parameter.
  /// - Returns: The clause.
  func text(_ dialect: any Dialect, from first: Int) -> String {
    isWhole ? "" : isFirst ? Self.firstText : dialect.range(from: first)
  }

  /// The clause for the first row.
  static var firstText: String { " LIMIT 1" }

  /// Whether the clause has no parameters.
  var isConstant: Bool { isWhole || isFirst }

  /// The number of parameters.
  var parameterCount: Int { isConstant ? 0 : 2 }

  /// The types of the parameters.
  var bindings: [BoundType] { isConstant ? [] : [.integer, .integer] }

  /// Binds the parameters.
  ///
  /// - Parameters:
  ///   - binder: The binder of the statement.
  ///   - position: The position of the first parameter.
  ///   - dialect: The SQL of the engine.
  /// - Returns: The position after the last bound parameter.
  @inline(never)
  func bind(to binder: Binder, at position: Int, _ dialect: any Dialect) -> Int {
    if isConstant { return position }
    if let length {
      binder.bind(integer: Int64(length), at: position)
    } else {
      dialect.unlimited.bind(to: binder, at: position)
    }
    binder.bind(integer: Int64(offset), at: position + 1)
    return position + 2
  }
}
