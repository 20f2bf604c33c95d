/// The column of a sealed property, which contains encrypted values.
///
/// A class, because a condition has many references to it, and most have none.
package final class SealedColumn: Sendable, Hashable {
  package let table: String
  package let column: String
  /// Whether equal values have equal indexes, so that a condition can find them.
  package let isFindable: Bool

  /// Whether the values also need an erasable key.
  package let isErasable: Bool

  package init(table: String, column: String, isFindable: Bool, isErasable: Bool = false) {
    self.table = table
    self.column = column
    self.isFindable = isFindable
    self.isErasable = isErasable
  }

  package static func == (a: SealedColumn, b: SealedColumn) -> Bool {
    a.table == b.table && a.column == b.column && a.isFindable == b.isFindable
      && a.isErasable == b.isErasable
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(table)
    hasher.combine(column)
  }
}
