public import ObjectVaultCondition

/// A row that a statement of SQL gave: values by the names and positions of its columns.
///
/// ```swift
/// for row in try vault.rows("SELECT name, count(*) AS n FROM \(Student.self) GROUP BY name") {
///   print(try row.value("name", as: String.self), try row.value("n", as: Int.self))
/// }
/// ```
///
/// A row is a value of its own, which outlives the statement and the vault. It gives what the file
/// holds or a clear error: a number is never rounded or cut to fit a type.
public struct SQLRow: Sendable {
  let columns: SQLColumns
  /// The values in the order of the columns, as the file keeps them.
  public let values: [StoredValue]

  init(columns: SQLColumns, values: [StoredValue]) {
    self.columns = columns
    self.values = values
  }

  /// The names of the columns in their order; several may have one name.
  public var columnNames: [String] { columns.names }

  /// How many columns there are.
  public var count: Int { values.count }

  /// The value of a column as the file keeps it: of the first one of this name, else of the first
  /// whose name differs in the case of A-Z only; `nil` where there is none.
  public subscript(name: String) -> StoredValue? {
    columns.position(of: name).map { values[$0] }
  }

  /// The value of the column at a position, counted from 0, as the file keeps it; `nil` where there is
  /// none.
  public subscript(position: Int) -> StoredValue? {
    values.indices.contains(position) ? values[position] : nil
  }

  /// The values by the names of the columns; of columns of one name the first.
  public var dictionary: [String: StoredValue] {
    Dictionary(zip(columns.names, values), uniquingKeysWith: { first, _ in first })
  }

  /// - Throws: `.notLoaded` where the row has no such column.
  func position(of name: String) throws(VaultError) -> Int {
    if let position = columns.position(of: name) { return position }
    throw columns.missing(name)
  }

  /// - Throws: `.invalidArgument` outside the columns.
  func check(_ position: Int) throws(VaultError) {
    guard values.indices.contains(position) else {
      throw VaultError(
        .invalidArgument,
        "The row has \(count) columns, counted from 0, and none at position \(position).")
    }
  }
}

extension SQLRow: Equatable {
  /// Whether both have the same values in columns of the same names.
  public static func == (a: SQLRow, b: SQLRow) -> Bool {
    a.values == b.values && a.columns.names == b.columns.names
  }
}

extension SQLRow: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names of the columns. Values are never shown.
  public var description: String { "SQLRow(\(columns.names.joined(separator: ", ")))" }

  /// The names of the columns. Values are never shown.
  public var debugDescription: String { description }

  /// The names of the columns: what prints a row's parts shows no value.
  public var customMirror: Mirror {
    Mirror(self, children: ["columnNames": columns.names], displayStyle: .struct)
  }
}

/// The columns that all rows of one statement have.
final class SQLColumns: Sendable {
  let names: [String]
  private let positions: [String: Int]

  init(_ names: [String]) {
    self.names = names
    var positions: [String: Int] = [:]
    for (position, name) in names.enumerated() {
      let key = name.asciiLowercased
      if positions[key] == nil { positions[key] = position }
    }
    self.positions = positions
  }

  func position(of name: String) -> Int? {
    guard let position = positions[name.asciiLowercased] else { return nil }
    return names[position] == name ? position : names.firstIndex(of: name) ?? position
  }

  func missing(_ name: String) -> VaultError {
    let known = names.map { "'\($0)'" }.joined(separator: ", ")
    return VaultError(
      .notLoaded,
      "The rows have no column '\(name)', but \(known.isEmpty ? "none at all" : known). Select it, or "
        + "name one so with AS.")
  }
}
