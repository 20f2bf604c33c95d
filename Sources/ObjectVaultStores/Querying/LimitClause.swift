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

  /// The clause with a leading space; empty if it selects all rows.
  var text: String { isWhole ? "" : isFirst ? Self.firstText : Self.partText }

  /// The clause for a part of the rows.
  static var partText: String { " LIMIT ? OFFSET ?" }

  /// The clause for the first row.
  static var firstText: String { " LIMIT 1" }

  /// Whether the clause has no parameters.
  var isConstant: Bool { isWhole || isFirst }

  /// The types of the parameters.
  var bindings: [BoundType] { isConstant ? [] : [.integer, .integer] }

  /// Binds the parameters.
  ///
  /// - Parameters:
  ///   - binder: The binder of the statement.
  ///   - position: The position of the first parameter.
  /// - Returns: The position after the last bound parameter.
  func bind(to binder: Binder, at position: Int) -> Int {
    if isConstant { return position }
    // SQLite treats -1 as "no limit".
    binder.bind(integer: length.map(Int64.init) ?? -1, at: position)
    binder.bind(integer: Int64(offset), at: position + 1)
    return position + 2
  }
}
