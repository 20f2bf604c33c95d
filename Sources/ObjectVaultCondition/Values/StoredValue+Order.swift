extension StoredValue {
  /// Negative, 0 or positive as `a` comes before, with or after `b` in a property of `type`.
  ///
  /// Numbers compare exactly, text by its UTF-8, decimals as numbers. nil comes first; values of
  /// another storage class than the property's own follow the engine's order: numbers, text,
  /// bytes.
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

/// One key of a sort: the reference for what the engine's `ORDER BY` must give.
package struct SortKey: Sendable, Hashable {
  package var value: ValueShape
  package var isAscending: Bool
  /// What text overlooks; values that differ only in that fall together.
  package var options: TextOptions
  /// Whether nil comes first, whatever the direction; `nil` where it is smaller than every value.
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

  /// Negative, 0 or positive as a row with `a` comes before, with or after one with `b`: nil
  /// first when ascending, last when descending, unless the key says where it comes.
  package func compare(_ a: StoredValue, _ b: StoredValue, folding: TextFolding) -> Int {
    if let isNilFirst, a.isNull != b.isNull { return a.isNull == isNilFirst ? -1 : 1 }
    let order =
      switch (a, b) {
      case (.text(let a), .text(let b)) where !options.isEmpty:
        ByteOrder.compare(folding.fold(a, options), folding.fold(b, options))
      default: StoredValue.compare(a, b, as: value.type)
      }
    return isAscending ? order : -order
  }
}
