import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultModel

/// The tables `lost_1`, `lost_2` and so on of the new file, which accept every row.
final class LostTables {
  private let target: Connection
  private let encoding: TextEncoding
  /// The names of the file's tables, in lower case.
  private let taken: Set<String>
  /// The number of the last table, or 0.
  private var number = 0

  /// Whether no table was created.
  var isEmpty: Bool { number == 0 }

  /// Creates no table yet.
  ///
  /// - Parameters:
  ///   - target: The new file.
  ///   - names: The names of the damaged file's tables.
  ///   - encoding: The encoding of the rows.
  init(in target: Connection, besides names: [String], encoding: TextEncoding) {
    self.target = target
    self.encoding = encoding
    taken = Set(names.map(\.asciiLowercased))
  }

  /// Creates the next table, without types or constraints.
  ///
  /// - Parameters:
  ///   - width: The number of columns.
  ///   - hasRowIDs: Whether its rows are stored under the rowids that they had.
  /// - Returns: The table, or `nil` if the rows are too wide for it.
  /// - Throws: The errors of the statements.
  func make(width: Int, hasRowIDs: Bool) throws(DriverError) -> SalvageTarget? {
    guard width > 0, width <= 900 else { return nil }
    repeat { number += 1 } while try isTaken("lost_\(number)")
    let name = "lost_\(number)"
    let columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
    try target.execute("CREATE TABLE \(name)(\(columns))")
    return try SalvageTarget(name, on: target, hasRowIDs: hasRowIDs, encoding: encoding)
  }

  /// Returns whether the damaged or the new file has a table with a name.
  private func isTaken(_ name: String) throws(DriverError) -> Bool {
    if taken.contains(name) { return true }
    let statement = try target.statement(
      "SELECT 1 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE")
    defer { statement.reset() }
    statement.binder.bind(text: name, at: 0)
    return try statement.step()
  }
}
