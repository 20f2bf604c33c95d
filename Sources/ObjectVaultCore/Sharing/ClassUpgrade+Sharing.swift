import ObjectVaultEngine

/// What of a table has digests of shared contents, as the file has it.
struct PresentSharing {
  let columns: [String]
  /// The statements by the names of the triggers that they made.
  let triggers: [String: String]

  /// - Parameter table: The name of the table in the file.
  init(ofTable table: String, in schema: Schema) throws {
    columns = try SharedBlobs.columns(of: table, in: schema).map(\.column)
    let prefix = SharingDefinition.prefix(ofTable: table)
    let endings: Set = ["\(prefix)insert", "\(prefix)delete", "\(prefix)update"]
    triggers = Dictionary(
      uniqueKeysWithValues: try schema.objects("trigger", of: table)
        .filter { endings.contains($0.name) }.map { ($0.name, $0.sql) })
  }
}

extension ClassUpgrade {
  /// The columns that have digests and go on having them: their old names, and the new ones.
  private var staying: [(old: String, new: String)] {
    (sharing?.columns ?? []).compactMap { old in
      let lowercased = old.asciiLowercased
      guard let table, table.columns.contains(where: { $0.name.asciiLowercased == lowercased })
      else { return nil }
      guard let position = user(of: lowercased) else { return (old, old) }
      let property = description.properties[position]
      return property.isShared ? (old, property.column) : nil
    }
  }

  /// The position of the property that takes its values from a column.
  private func user(of column: String) -> Int? {
    guard let change else {
      return description.properties.firstIndex { $0.column.asciiLowercased == column }
    }
    return change.origins.firstIndex { origin in
      switch origin {
      case .column(let name), .converted(let name, _): name.asciiLowercased == column
      case .none: false
      }
    }
  }

  private var sharingDefinition: SharingDefinition {
    let declared = description.sharedColumns
    // A column that no property has any more stays as it is.
    let columns = Set(declared).union(staying.map(\.new))
    return SharingDefinition(
      table: description.table, columns: SharedBlobs.ordered(columns, declared))
  }

  /// Whether what has digests, or the triggers that count them, has to change.
  var changesSharing: Bool {
    sharesOtherwise || (sharing?.triggers ?? [:]) != sharingDefinition.statements
  }

  /// Whether other columns have digests than have to.
  var sharesOtherwise: Bool {
    Set(sharing?.columns ?? []) != Set(sharingDefinition.columns)
  }

  /// Brings contents back into columns that objects share no more, before anything else becomes of
  /// them.
  func endSharing(on connection: VaultConnection) throws {
    guard changesSharing, let table, let sharing else { return }
    for name in sharing.triggers.keys {
      try connection.execute("DROP TRIGGER \(SQL.quoted(name))")
    }
    let stay = Set(staying.map(\.old))
    let columns = Set(table.columns.map(\.name.asciiLowercased))
    for column in sharing.columns
    where !stay.contains(column) && columns.contains(column.asciiLowercased) {
      let name = "\(SQL.quoted(table.name)).\(SQL.quoted(column))"
      try connection.execute(
        "UPDATE \(SQL.quoted(table.name)) SET \(SQL.quoted(column)) = "
          + "\(SharedBlobs.content(of: name)) WHERE \(SharedBlobs.isDigest(name))")
    }
  }

  /// Has the columns of the class's form share their contents, with every object.
  func setSharing(on connection: VaultConnection) throws {
    guard changesSharing else { return }
    let definition = sharingDefinition
    if !definition.columns.isEmpty { try SharedBlobs.create(on: connection) }
    let stay = Set(staying.map(\.new))
    let isNew = table == nil
    for column in definition.columns where !isNew && !stay.contains(column) {
      let name = SQL.quoted(column)
      try connection.execute(
        "UPDATE \(SQL.quoted(description.table)) SET \(name) = \(SharedBlobs.stored(name)) "
          + "WHERE \(SharedBlobs.isLong(name))")
    }
    if let table, table.name != description.table {
      try SharedBlobs.setColumns([], ofTable: table.name, on: connection)
    }
    try SharedBlobs.setColumns(definition.columns, ofTable: description.table, on: connection)
    // Those of a table that was made anew came with it.
    let present = Set(
      try Schema(on: connection).objects("trigger", of: description.table).map(\.name))
    for name in sharing?.triggers.keys.sorted() ?? [] where present.contains(name) {
      try connection.execute("DROP TRIGGER \(SQL.quoted(name))")
    }
    for sql in definition.statements.sorted(by: { $0.key < $1.key }).map(\.value) {
      try connection.execute(sql)
    }
    if !isNew { try SharedBlobs.recount(on: connection) }
  }
}
