import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

// Changes of a table by statements of the engine, which need no rebuild. Only engines whose
// `Catalog.altersColumns` is true have them.

extension ClassUpgrade {
  /// Changes the table by statements of the engine.
  ///
  /// - Parameter session: The connection, inside a transaction.
  /// - Throws: `.upgradeRefused` if objects lack a value that becomes required; the errors of the
  ///   statements.
  func alter(on session: Session) throws {
    guard let table, let change, changesTable else { return }
    let names = names(table, on: session)
    if change.changesObjectID { try checkObjectID(change, names) }
    for (position, property) in description.properties.enumerated()
    where followed[position] == nil {
      switch change.origins[position] {
      case .none: try checkNew(property, names)
      case .column(let name):
        try checkPresence(of: property, in: name, change, names)
        try checkLength(of: property, in: name, names)
      case .converted(let name, let oldType):
        if change.givenConversion(of: property, from: oldType)?.takesNil != true {
          try checkPresence(of: property, in: name, change, names)
        }
        try ColumnConversion(at: position, name, of: table, change, names).run()
      }
    }
    if isRenamed {
      try session.execute(
        "ALTER TABLE \(SQL.quoted(table.name)) RENAME TO \(SQL.quoted(description.table))")
    }
    let start = "ALTER TABLE \(SQL.quoted(description.table)) "
    try rename(start, on: session)
    // A primary key is changed later.
    for column in change.left
    where column.primaryKeyPlace == 0 && change.needsRelaxing(column) {
      let name = SQL.quoted(change.newName(column.name))
      try session.execute("\(start)ALTER COLUMN \(name) DROP NOT NULL")
      if change.hasPlaintextDefault(column) {
        try session.execute("\(start)ALTER COLUMN \(name) DROP DEFAULT")
      }
    }
    // A column of generated numbers has no default; it gets one when it leaves the key.
    let numbered = described?.objectIDIsRowID ?? false ? table.keyColumns : []
    for (position, property) in description.properties.enumerated()
    where change.changesDefault(at: position) {
      if case .column(let name) = change.origins[position], numbered.contains(name) { continue }
      let value = property.defaultValue.flatMap(session.connection.catalog.literal)
      try session.execute(
        "\(start)ALTER COLUMN \(SQL.quoted(property.column)) "
          + (value.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT"))
    }
    for (position, property) in description.properties.enumerated()
    where followed[position] == nil {
      switch change.origins[position] {
      case .column(let name):
        guard let column = change.column(name), column.primaryKeyPlace == 0,
          column.isNotNull == property.isOptional
        else { continue }
      case .converted: if property.isOptional { continue }
      case .none: continue
      }
      if !property.isOptional { try fill(property, on: session) }
      let word = property.isOptional ? "DROP" : "SET"
      try session.execute("\(start)ALTER COLUMN \(SQL.quoted(property.column)) \(word) NOT NULL")
    }
  }

  /// Gives columns their new names, through names that no column has: two can change places.
  private func rename(_ start: String, on session: Session) throws {
    let renamed = (change?.renamed ?? [:]).sorted { $0.key < $1.key }
    var second: [String] = []
    for (number, (former, new)) in renamed.enumerated() {
      let name = change?.column(former)?.name ?? former
      let between = SQL.quoted("ov_renamed_\(number)")
      try session.execute("\(start)RENAME COLUMN \(SQL.quoted(name)) TO \(between)")
      second.append("\(start)RENAME COLUMN \(between) TO \(SQL.quoted(new))")
    }
    for sql in second { try session.execute(sql) }
  }

  /// Gives objects without a value the default of a property.
  private func fill(_ property: PropertyDescription, on session: Session) throws {
    guard let value = property.defaultValue, !value.isNull else { return }
    let column = SQL.quoted(property.column)
    try session.with(
      "UPDATE \(SQL.quoted(description.table)) SET \(column) = ?1 WHERE \(column) IS NULL"
    ) { statement in
      value.bind(to: statement.binder, at: 0)
      try statement.run()
    }
  }
}
