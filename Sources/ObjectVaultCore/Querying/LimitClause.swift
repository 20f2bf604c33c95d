import ObjectVaultEngine

/// The end of a statement that reads a part of what it could: `LIMIT` and `OFFSET`, where there is one.
struct LimitClause {
  private let offset: Int
  private let length: Int?

  init(offset: Int, length: Int?) {
    self.offset = offset
    self.length = length
  }

  /// Whether all is read.
  var isWhole: Bool { offset == 0 && length == nil }

  /// The clause, with a space before it; empty where all is read.
  var text: String { isWhole ? "" : Self.partText }

  /// The clause where not all is read.
  static var partText: String { " LIMIT ? OFFSET ?" }

  /// What its values are bound as.
  var bindings: [BoundType] { isWhole ? [] : [.integer, .integer] }

  /// Binds its values.
  ///
  /// - Returns: The position after them.
  func bind(to binder: Binder, at position: Int) -> Int {
    if isWhole { return position }
    // -1 is the engine's "no limit".
    binder.bind(integer: length.map(Int64.init) ?? -1, at: position)
    binder.bind(integer: Int64(offset), at: position + 1)
    return position + 2
  }
}
