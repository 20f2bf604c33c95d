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
    let position = upgrade?.followed.keys.first {
      upgrade?.description.properties[$0].column == column
    }
    return "(SELECT \(inner).\(SQL.quoted(position.map(Self.column) ?? column)) "
      + "FROM \(SQL.quoted(upgrade?.description.table ?? target.name)) AS \(inner) "
      + "WHERE \(condition))"
  }

  /// Returns an SQL condition over the referring table that is true if an object has this
  /// reference.
  ///
  /// - Parameters:
  ///   - alias: The alias of the referring table.
  ///   - renamed: The new names of columns that were renamed, by the former names in lower case.
  /// - Returns: The condition.
  func isPresent(of alias: String, _ renamed: [String: String] = [:]) -> String {
    columns.map { "\(alias).\(SQL.quoted(renamed[$0.asciiLowercased] ?? $0)) IS NOT NULL" }
      .joined(separator: " AND ")
  }
}

extension SchemaUpgrade {
  /// Returns the class upgrades, completed with the references to classes that get a new object ID.
  static func following(
    _ classes: [ClassUpgrade], on session: Session
  ) throws -> [ClassUpgrade] {
    let schema = Schema(on: session)
    return try classes.map { upgrade in
      var upgrade = upgrade
      guard let table = upgrade.table, let described = upgrade.described, upgrade.change != nil
      else { return upgrade }
      for reference in upgrade.description.references {
        guard let former = described.reference(named: reference.name) else { continue }
        let columns = described.columns(of: former.properties)
        let key = table.foreignKeys.first {
          $0.columns.map(\.asciiLowercased) == columns.map(\.asciiLowercased)
            && $0.table.asciiLowercased == former.target.asciiLowercased
        }
        let other = classes.first {
          $0.description.table.asciiLowercased == reference.target.asciiLowercased
        }
        guard let key, !key.targetColumns.isEmpty,
          other?.table?.name.asciiLowercased ?? reference.target.asciiLowercased
            == former.target.asciiLowercased
        else { continue }
        let renamed = other?.change?.renamed ?? [:]
        let now = key.targetColumns.map { renamed[$0.asciiLowercased] ?? $0 }
        guard now.map(\.asciiLowercased) != reference.targetColumns.map(\.asciiLowercased) else {
          continue
        }
        let target = try other?.table ?? PresentTable(key.table, in: schema)
        for (name, column) in zip(reference.properties, reference.targetColumns) {
          guard let position = upgrade.description.properties.firstIndex(where: { $0.name == name })
          else { continue }
          upgrade.followed[position] = FollowedReference(
            columns: columns, target: target, formerColumns: key.targetColumns, column: column,
            upgrade: { other })
        }
      }
      return upgrade
    }
  }
}
