/// What a class says of its table as a whole. By default nothing.
public struct TableOptions: Sendable, Hashable {
  /// The order of the columns in the table.
  ///
  /// Objects do not depend on it: it is for people and programs that look at the file.
  public enum ColumnOrder: Sendable, Hashable {
    /// That in which the properties are declared. The default.
    case declared
    /// The objectID first, then what is unique, what is indexed, and everything else.
    case keysFirst
    /// The properties of these names first, the others after them.
    case listed([String])
  }

  /// The order of the columns. Default: ``ColumnOrder/declared``. Columns of generated objectIDs are
  /// always first.
  public var columnOrder: ColumnOrder
  /// Whether the table is kept by its objectID alone, without numbers of rows. Default: `false`.
  ///
  /// Saves room and a step of each search where the objectID is no number. It needs an objectID of the
  /// class's own, which is then also the order that objects have without a sort, and no number is ever
  /// generated. Words in such a class cannot be searched for.
  public var isWithoutRowID: Bool
  /// Whether the vault keeps when each object was last inserted. Default: `false`.
  ///
  /// See ``ObjectStore/removeAll(insertedBefore:)``. Objects that were there when the class began to keep
  /// it count as inserted then.
  public var keepsInsertionTime: Bool

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - columnOrder: The order of the columns.
  ///   - withoutRowID: Whether the table is kept by its objectID alone.
  ///   - insertionTime: Whether the vault keeps when each object was last inserted.
  public init(
    columnOrder: ColumnOrder = .declared, withoutRowID: Bool = false, insertionTime: Bool = false
  ) {
    self.columnOrder = columnOrder
    isWithoutRowID = withoutRowID
    keepsInsertionTime = insertionTime
  }
}
