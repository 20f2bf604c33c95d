import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

// Changes of a table by statements of the engine, which need no rebuild. Only engines whose
// `Catalog.altersColumns` is true have them.

extension TableUpgrade {
  /// Whether statements of the engine can change the table: columns get other names and types, and
  /// become required or optional.
  var isAlterable: Bool {
    !changesObjectID && !changesReferences && !changesOptions && redefined.isEmpty
      && origins.indices.allSatisfy { position in
        if case .converted = origins[position] { isReplaceable(position) } else { true }
      }
  }

  /// Whether the column of a property can be replaced by one of another type: nothing else in the
  /// schema names it, except for indexes.
  private func isReplaceable(_ position: Int) -> Bool {
    let property = description.properties[position]
    return !description.objectIDPositions.contains(position) && property.constraintText.isEmpty
      && !description.references.contains { $0.properties.contains(property.name) }
  }

  /// The property that becomes sealed in a column of another type, if any.
  var sealedInPlace: PropertyDescription? {
    zip(description.properties, origins).first { property, origin in
      guard property.sealing != nil, case .column(let name) = origin else { return false }
      return column(name)?.affinity != "BLOB"
    }?.0
  }
}

extension ClassUpgrade {
  /// Changes the table by statements of the engine.
  ///
  /// - Parameter session: The connection, inside a transaction.
  /// - Throws: `.upgradeRefused` if objects lack a value that becomes required; the errors of the
  ///   statements.
  func alter(on session: Session) throws {
    guard let table, let change, session.connection.catalog.altersColumns else { return }
    if let property = change.sealedInPlace {
      var refused = description.refusedUpgrade(
        "property '\(property.name)' becomes sealed, for which its table must be rebuilt, which is "
          + "not supported on a server",
        remedy: "Add a sealed property, and copy the values to it.")
      refused.underlying = MissingCapability(.tableRebuilds)
      throw refused
    }
    guard changesTable, isAltered else { return }
    let names = names(table, on: session)
    for (position, property) in description.properties.enumerated() {
      switch change.origins[position] {
      case .none: try checkNew(property, names)
      case .column(let name): try checkPresence(of: property, in: name, change, names)
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
    for column in change.left where change.needsRelaxing(column) {
      try session.execute("\(start)ALTER COLUMN \(SQL.quoted(column.name)) DROP NOT NULL")
    }
    for (property, origin) in zip(description.properties, change.origins) {
      switch origin {
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
