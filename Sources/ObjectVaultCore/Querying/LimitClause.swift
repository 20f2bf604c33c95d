import ObjectVaultEngine

/// The end of a statement that reads a part of what it could: `LIMIT` and `OFFSET`, where there is one.
struct LimitClause {
  private let offset: Int
  private let length: Int?

  /// Whether it is one row from the beginning, which is said without values.
  private let isFirst: Bool

  init(offset: Int, length: Int?) {
    self.offset = offset
    self.length = length
    isFirst = false
  }

  /// The first row of those that are read.
  init(firstFrom offset: Int, length: Int?) {
    self.offset = offset
    self.length = min(length ?? 1, 1)
    isFirst = offset == 0 && self.length == 1
  }

  /// Whether all is read.
  var isWhole: Bool { offset == 0 && length == nil }

  /// The clause, with a space before it; empty where all is read.
  var text: String { isWhole ? "" : isFirst ? Self.firstText : Self.partText }

  /// The clause where not all is read.
  static var partText: String { " LIMIT ? OFFSET ?" }

  /// The clause where the first row is read alone.
  static var firstText: String { " LIMIT 1" }

  /// Whether it has no values.
  var isConstant: Bool { isWhole || isFirst }

  /// What its values are bound as.
  var bindings: [BoundType] { isConstant ? [] : [.integer, .integer] }

  /// Binds its values.
  ///
  /// - Returns: The position after them.
  func bind(to binder: Binder, at position: Int) -> Int {
    if isConstant { return position }
    // -1 is the engine's "no limit".
    binder.bind(integer: length.map(Int64.init) ?? -1, at: position)
    binder.bind(integer: Int64(offset), at: position + 1)
    return position + 2
  }
}
