public import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultStores

/// A row of an SQL statement's result, with access by column name and position.
///
/// ```swift
/// for row in try vault.rows("SELECT name, count(*) AS n FROM \(Student.self) GROUP BY name") {
///   print(try row.value("name", as: String.self), try row.value("n", as: Int.self))
/// }
/// ```
///
/// A row is an independent value and outlives the statement and the vault. Reads return the stored
/// value or throw: a number is never rounded or truncated to fit a type.
public struct SQLRow: Sendable {
  let columns: SQLColumns
  /// The values in the order of the columns, in their stored format.
  public let values: [StoredValue]

  /// The names of the columns in order, which may contain duplicates.
  public var columnNames: [String] { columns.names }

  /// The number of columns.
  public var count: Int { values.count }

  /// The stored value of a named column, or `nil` if there is no such column.
  ///
  /// The first exact match is used, or else the first column with a name that differs only in the
  /// case of A-Z. Names are compared by their bytes, as in SQLite.
  public subscript(name: String) -> StoredValue? {
    columns.position(of: name).map { values[$0] }
  }

  /// The stored value of the column at a position, counted from 0, or `nil` if it is out of range.
  public subscript(position: Int) -> StoredValue? {
    values.indices.contains(position) ? values[position] : nil
  }

  /// The values by column name; the first value for a name that occurs several times.
  ///
  /// Canonically equivalent names are one key of a Swift dictionary.
  public var dictionary: [String: StoredValue] {
    Dictionary(zip(columns.names, values), uniquingKeysWith: { first, _ in first })
  }

  /// Returns the position of a named column.
  ///
  /// - Throws: `.notLoaded` if the row has no such column.
  func position(of name: String) throws(VaultError) -> Int {
    if let position = columns.position(of: name) { return position }
    throw columns.missing(name)
  }

  /// Checks that a position is in range.
  ///
  /// - Throws: `.invalidArgument` if it is not.
  func check(_ position: Int) throws(VaultError) {
    guard values.indices.contains(position) else {
      throw VaultError(
        .invalidArgument,
        "The row has \(count) columns and none at position \(position). Count positions from 0.")
    }
  }
}

extension SQLRow: Equatable {
  /// Returns whether both rows have the same values and column names.
  public static func == (a: SQLRow, b: SQLRow) -> Bool {
    a.values == b.values && a.columns.hasSameNames(as: b.columns)
  }
}

extension SQLRow: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names of the columns, without the values.
  public var description: String { "SQLRow(\(columns.names.joined(separator: ", ")))" }

  /// The names of the columns, without the values.
  public var debugDescription: String { description }

  /// A mirror of the column names, so that reflection does not reveal values.
  public var customMirror: Mirror {
    Mirror(self, children: ["columnNames": columns.names], displayStyle: .struct)
  }
}
