extension StoredValue {
  /// Returns a negative number, 0 or a positive number if `a` comes before, with or after `b`.
  ///
  /// The order is that of a property of `type`. Numbers are compared exactly, text by its UTF-8
  /// bytes and decimals as numbers. Nil comes first. Values of a storage class other than that of
  /// the property follow the engine's order: numbers, text, bytes.
  package static func compare(_ a: StoredValue, _ b: StoredValue, as type: PropertyType) -> Int {
    switch (a, b) {
    case (.null, .null): return 0
    case (.integer(let a), .integer(let b)): return a == b ? 0 : a < b ? -1 : 1
    case (.real(let a), .real(let b)): return a == b ? 0 : a < b ? -1 : 1
    case (.integer(let a), .real(let b)): return NumberOrder.compare(a, b)
    case (.real(let a), .integer(let b)): return -NumberOrder.compare(b, a)
    case (.text(let a), .text(let b)):
      return type == .decimal ? DecimalText.compare(a, b) : ByteOrder.compare(a, b)
    case (.blob(let a), .blob(let b)): return ByteOrder.compare(a, b)
    default: return a.storageRank < b.storageRank ? -1 : 1
    }
  }

  private var storageRank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}

/// A sort key.
package struct SortKey: Sendable, Hashable {
  package var value: ValueShape
  package var isAscending: Bool
  /// The differences that a comparison of texts ignores; values that differ only in these are
  /// equal.
  package var options: TextOptions
  /// Whether nil comes first in both directions, or `nil` if nil is smaller than every value.
  package var isNilFirst: Bool?

  package init(
    _ value: ValueShape, ascending: Bool = true, options: TextOptions = [],
    isNilFirst: Bool? = nil
  ) {
    self.value = value
    self.isAscending = ascending
    self.options = options
    self.isNilFirst = isNilFirst
  }

  /// The key of the opposite order.
  package var reversed: SortKey {
    SortKey(
      value, ascending: !isAscending, options: options, isNilFirst: isNilFirst.map { !$0 })
  }
}
