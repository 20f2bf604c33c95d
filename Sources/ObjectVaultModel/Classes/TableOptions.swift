/// The options of a class's table.
public struct TableOptions: Sendable, Hashable {
  /// The order of the columns in the table.
  ///
  /// Objects do not depend on the order. It is for people and programs that inspect the file.
  public enum ColumnOrder: Sendable, Hashable {
    /// The declaration order of the properties. The default.
    case declared
    /// The object ID first, then unique properties, indexed properties, and all others.
    case keysFirst
    /// The named properties first, then all others.
    case listed([String])
  }

  /// The history of a class's objects that the vault records.
  public enum History: String, Sendable, Hashable {
    /// Nothing is recorded. The default.
    case none
    /// Each insertion, update and removal is recorded, with the names of the changed properties.
    case changes
  }

  /// The order of the columns.
  ///
  /// Default: ``ColumnOrder/declared``. The column of generated object IDs is always first.
  public var columnOrder: ColumnOrder
  /// Whether the table is a `WITHOUT ROWID` table.
  ///
  /// It saves space and one lookup step if the object ID is not an integer. The class needs its own
  /// object ID, which also defines the order of objects without a sort, and never has generated
  /// IDs. A full-text index is not available for such a class. Default: `false`.
  public var isWithoutRowID: Bool
  /// Whether the vault stores the time of each object's last insertion.
  ///
  /// See ``ObjectStore/removeAll(insertedBefore:)``. For objects that existed when the class
  /// enabled the option, the insertion time is the time of that change. Default: `false`.
  public var keepsInsertionTime: Bool
  /// The history of the objects that the vault records.
  ///
  /// Triggers of the table record it, in the transaction of the change and for every program that
  /// writes to the file. Default: ``History/none``.
  public var history: History

  /// Creates table options.
  ///
  /// - Parameters:
  ///   - columnOrder: The order of the columns.
  ///   - withoutRowID: Whether the table is a `WITHOUT ROWID` table.
  ///   - insertionTime: Whether the vault stores the time of each object's last insertion.
  ///   - history: The history of the objects that the vault records.
  public init(
    columnOrder: ColumnOrder = .declared, withoutRowID: Bool = false, insertionTime: Bool = false,
    history: History = .none
  ) {
    self.columnOrder = columnOrder
    isWithoutRowID = withoutRowID
    keepsInsertionTime = insertionTime
    self.history = history
  }
}
