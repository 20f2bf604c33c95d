import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

/// The columns with digests of shared contents in a table of the file, and their triggers.
package struct PresentSharing {
  let columns: [String]
  /// The SQL statements of the triggers by name.
  package let triggers: [String: String]

  /// Creates the state of a table, with the table's name in the file.
  package init(ofTable table: String, in schema: Schema) throws {
    let listed = try SharedBlobs.columns(of: table, in: schema).map(\.column)
    let prefix = SharingDefinition.prefix(ofTable: table)
    let names = ["insert", "delete", "update"].map { prefix + $0 }
    // Another program may have renamed the table, which leaves the names of the triggers.
    let own = try schema.objects("trigger", of: table).filter { trigger in
      names.contains { $0.hasSameBytes(as: trigger.name) }
        || SharingDefinition.counts(trigger.name, trigger.sql)
    }
    // A file can have two triggers whose names are equal in different Unicode forms.
    triggers = Dictionary(own.map { ($0.name, $0.sql) }, uniquingKeysWith: { first, _ in first })
    let counted = own.flatMap { SharingDefinition.columns(ofTrigger: $0.name, $0.sql) }
    columns = listed + counted.map(\.column).filter { !listed.contains($0) }
  }
}

extension ClassUpgrade {
  /// The columns that have digests before and after the upgrade: their old and their new names.
  private var staying: [(old: String, new: String)] {
    (sharing?.columns ?? []).compactMap { old in
      let lowercased = old.asciiLowercased
      guard let table, table.columns.contains(where: { $0.name.asciiLowercased == lowercased })
      else { return nil }
      guard let position = user(of: lowercased) else {
        return (old, change?.newName(old) ?? old)
      }
      let property = description.properties[position]
      return property.isShared ? (old, property.column) : nil
    }
  }

  /// Returns the position of the property that reads its values from a column.
  private func user(of column: String) -> Int? {
    guard let change else {
      return description.properties.firstIndex { $0.column.asciiLowercased == column }
    }
    return change.origins.firstIndex { $0.column?.asciiLowercased == column }
  }

  private var sharingDefinition: SharingDefinition {
    let declared = description.sharedColumns
    // A column that no longer belongs to a property remains unchanged.
    let columns = Set(declared).union(staying.map(\.new))
    return SharingDefinition(
      table: description.table, columns: SharedBlobs.ordered(columns, declared))
  }

  /// Whether the columns with digests or the triggers that count them must change.
  var changesSharing: Bool {
    sharesOtherwise || (sharing?.triggers ?? [:]) != sharingDefinition.statements
  }

  /// Whether the set of columns with digests must change.
  package var sharesOtherwise: Bool {
    Set(sharing?.columns ?? []) != Set(sharingDefinition.columns)
  }

  /// Whether the triggers are dropped and created again: a rebuilt table has none.
  private var replacesSharing: Bool {
    changesSharing || needsRebuild && !(sharing?.triggers.isEmpty ?? true)
  }

  /// Whether the uses of contents must be counted again: the table can have rows with digests, and
  /// had no triggers during the upgrade.
  var mustRecount: Bool { replacesSharing && table != nil }

  /// Replaces digests with contents in columns that are no longer shared, before all other changes.
  func endSharing(on session: Session) throws {
    guard replacesSharing, let table, let sharing else { return }
    for name in sharing.triggers.keys {
      try session.execute("DROP TRIGGER \(SQL.quoted(name))")
    }
    let stay = Set(staying.map(\.old))
    let columns = Set(table.columns.map(\.name.asciiLowercased))
    for column in sharing.columns
    where !stay.contains(column) && columns.contains(column.asciiLowercased) {
      let name = "\(SQL.quoted(table.name)).\(SQL.quoted(column))"
      try session.execute(
        "UPDATE \(SQL.quoted(table.name)) SET \(SQL.quoted(column)) = "
          + "\(SharedBlobs.content(of: name)) WHERE \(SharedBlobs.isDigest(name))")
    }
  }

  /// Replaces contents with digests in all rows of the newly shared columns, and creates the
  /// triggers.
  ///
  /// It counts no uses, because other classes of the upgrade can still have their former names.
  func setSharing(on session: Session) throws {
    guard replacesSharing else { return }
    let definition = sharingDefinition
    if !definition.columns.isEmpty { try SharedBlobs.create(on: session) }
    let stay = Set(staying.map(\.new))
    let isNew = table == nil
    for column in definition.columns where !isNew && !stay.contains(column) {
      let name = SQL.quoted(column)
      try session.execute(
        "UPDATE \(SQL.quoted(description.table)) SET \(name) = \(SharedBlobs.stored(name)) "
          + "WHERE \(SharedBlobs.isLong(name))")
    }
    if let table, table.name != description.table {
      try SharedBlobs.setColumns([], ofTable: table.name, on: session)
    }
    try SharedBlobs.setColumns(definition.columns, ofTable: description.table, on: session)
    for sql in definition.statements.sorted(by: { $0.key < $1.key }).map(\.value) {
      try session.execute(sql)
    }
  }
}
