import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

/// One part of a reference to a class that has a new object ID.
///
/// The upgrade rewrites the stored value so that each object keeps referring to the same target
/// object.
struct FollowedReference {
  /// The columns of the referring table that store the former object ID.
  let columns: [String]
  /// The target table in the file.
  let target: PresentTable
  /// The columns of the target table that were the object ID.
  let formerColumns: [String]
  /// The column that holds this part of the object ID from now on.
  let column: String
  /// Returns the upgrade of the target class, or `nil` if that class is not upgraded.
  let upgrade: () -> ClassUpgrade?
  /// The columns of further references that have the same part.
  var others: [[String]] = []

  /// Returns the new value of the part, as SQL over the referring table.
  func value(
    of alias: String, _ conversions: ValueConversions, _ values: inout [StoredValue]
  ) throws -> String? {
    let inner = alias + "_target"
    let upgrade = upgrade()
    let part =
      upgrade?.change == nil
      ? "\(inner).\(SQL.quoted(column))"
      : try upgrade?.value(ofColumn: column, of: inner, conversions, &values)
    guard let part else { return nil }
    let condition = zip(formerColumns, columns).map { former, column in
      "\(inner).\(SQL.quoted(former)) = \(alias).\(SQL.quoted(column))"
    }.joined(separator: " AND ")
    return "(SELECT \(part) FROM \(SQL.quoted(target.name)) AS \(inner) WHERE \(condition))"
  }

  /// Returns the column with the new values of a property until they replace the former ones.
  static func column(_ position: Int) -> String { "ov_followed_\(position)" }

  /// Returns the new value of the part as SQL after the columns of both tables were altered.
  ///
  /// - Parameters:
  ///   - alias: The alias of the referring table.
  ///   - renamed: The new names of its columns, by the former names in lower case.
  /// - Returns: A subquery.
  func altered(of alias: String, _ renamed: [String: String]) -> String {
    let upgrade = upgrade()
    let inner = alias + "_target"
    let condition = zip(formerColumns, columns).map { former, column in
      let former = upgrade?.change?.renamed[former.asciiLowercased] ?? former
      let column = renamed[column.asciiLowercased] ?? column
      return "\(inner).\(SQL.quoted(former)) = \(alias).\(SQL.quoted(column))"
    }.joined(separator: " AND ")
    // The target may lead to another object with a new object ID itself.
    let position = upgrade?.followedPosition(ofColumn: column)
    return "(SELECT \(inner).\(SQL.quoted(position.map(Self.column) ?? column)) "
      + "FROM \(SQL.quoted(upgrade?.description.table ?? target.name)) AS \(inner) "
      + "WHERE \(condition))"
  }

  /// Returns an SQL condition over the referring table that is true if an object has a reference
  /// with this part.
  ///
  /// - Parameters:
  ///   - alias: The alias of the referring table.
  ///   - renamed: The new names of columns that were renamed, by the former names in lower case.
  /// - Returns: The condition.
  func isPresent(of alias: String, _ renamed: [String: String] = [:]) -> String {
    ([columns] + others).map { columns in
      columns.map { "\(alias).\(SQL.quoted(renamed[$0.asciiLowercased] ?? $0)) IS NOT NULL" }
        .joined(separator: " AND ")
    }.joined(separator: " OR ")
  }
}
