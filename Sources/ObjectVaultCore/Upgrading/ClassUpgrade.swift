import ObjectVaultCondition
import ObjectVaultEngine

/// What must be done to a file so that it keeps the objects of one class: found out by reading, done
/// by the parts of ``SchemaInstallation``.
struct ClassUpgrade {
  let declaration: ClassDeclaration
  /// The table as the file has it; `nil` where it is to be made.
  let table: PresentTable?
  /// The class as the file describes it.
  let described: ClassDescription?
  /// How the table changes; `nil` for one that is to be made, and for one of another program's, in
  /// which nothing is changed.
  let change: TableUpgrade?
  /// The index of words as the file has it; `nil` where the table is to be made.
  let search: PresentSearch?
  /// What has digests of shared contents, as the file has it; `nil` where the table is to be made.
  let sharing: PresentSharing?
  /// The version of the class in the file: 0 where it is new there, 1 for a table of another program's.
  let version: Int
  /// The properties, by position, that keep another part of their target's objectID from now on.
  var followed: [Int: FollowedReference] = [:]

  var description: ClassDescription { declaration.description }

  /// - Throws: `.invalidClass` where the table is that of another class; `.schemaMismatch` where
  ///   another program made it and it cannot keep the objects.
  init(_ declaration: ClassDeclaration, on connection: VaultConnection) throws {
    self.declaration = declaration
    let description = declaration.description
    let schema = Schema(on: connection)
    guard let name = try Self.tableName(of: description, in: schema) else {
      (table, described, change, search, sharing, version) = (nil, nil, nil, nil, nil, 0)
      return
    }
    described = try SystemTables(connection).description(ofTable: name)
    // A Swift type may have been given another name since; a description is all that there is of a
    // class described at run time.
    if declaration.type == nil, name == description.table, let described,
      described.name != description.name
    {
      throw description.isTaken(by: described.name)
    }
    let table = try PresentTable(name, in: schema)
    let change = TableUpgrade(
      description: description, present: table.columns, described: described,
      foreignKeys: table.foreignKeys, conversions: declaration.conversions)
    self.table = table
    search = try PresentSearch(ofTable: name, in: schema)
    sharing = try PresentSharing(ofTable: name, in: schema)
    version = described?.version ?? 1
    if described == nil {
      try TableComparison(description: description, columns: table.columns).check()
      if change.changesReferences {
        throw TableComparison.mismatch(
          description, ["a reference of the class is no foreign key of the table"])
      }
      self.change = nil
    } else {
      self.change = change
    }
  }

  /// The name of the class's table in the file, or of the one that it was before; `nil` where there is
  /// neither.
  private static func tableName(
    of description: ClassDescription, in schema: Schema
  ) throws -> String? {
    if let name = try schema.tableName(like: description.table) {
      guard name == description.table else {
        throw description.invalid(
          "the file has table '\(name)', which differs from '\(description.table)' in case only",
          remedy: "Name the table with `table:`.")
      }
      return name
    }
    let system = SystemTables(schema.connection)
    // Only what was a class: the tables of other programs are theirs to rename.
    for former in description.renamedFrom
    where try schema.hasTable(former) && system.description(ofTable: former) != nil {
      return former
    }
    return nil
  }

  /// Whether the class was kept in a table of another name.
  var isRenamed: Bool { table.map { $0.name != description.table } ?? false }

  /// - Throws: `.newerSchema` where the file was written by a newer version of the class.
  func checkVersion() throws(VaultError) {
    try description.checkVersion(inFile: version)
  }

  /// Whether the file is as it must be.
  var isComplete: Bool {
    table != nil && described == description && !needsRebuild && added.isEmpty
      && missingIndexes.isEmpty && droppedIndexes.isEmpty && !changesSearch
      && !changesSharing
  }

  /// Whether the table has to be made anew.
  var needsRebuild: Bool { change.map { $0.needsRebuild || isRenamed } ?? false }

  /// The properties that columns are to be added for.
  var added: [PropertyDescription] { change?.added ?? [] }

  // MARK: Indexes

  /// The indexes of the class that the file does not have.
  var missingIndexes: [(name: String, statement: String)] {
    let present = Set(table?.indexes.map(\.name.asciiLowercased) ?? [])
    return TableDefinition(description: description).indexes
      .filter { !present.contains($0.name.asciiLowercased) }
  }

  /// The library's own indexes that the class does not have any more. Those of others stay.
  var droppedIndexes: [String] {
    let declared = Set(
      TableDefinition(description: description).indexes.map(\.name.asciiLowercased))
    return (table?.indexes ?? []).map(\.name).filter { name in
      let lowercased = name.asciiLowercased
      return ["ov_", "ovu_"].contains { lowercased.hasPrefix($0) }
        && !declared.contains(lowercased)
    }
  }

  // MARK: The new table

  /// Names objects of the table.
  func names(_ table: PresentTable, on connection: VaultConnection) -> ObjectNames {
    ObjectNames(
      table: table, areGenerated: described?.objectID == .generated, connection: connection)
  }

  /// How the table is made anew.
  ///
  /// - Throws: `.upgradeRefused` where the engine keeps the table in a form of its own.
  func rebuild(_ conversions: ValueConversions) throws -> TableRebuild? {
    guard let table, let change, needsRebuild else { return nil }
    guard let old = table.text else {
      throw description.refusedUpgrade(
        "table '\(table.name)' is a virtual one, which cannot be changed",
        remedy: "Keep the changed class in another table with `table:`.")
    }
    let text = change.text(from: old)
    let filled = try sources(of: change, in: table, as: text, conversions)
    return TableRebuild(
      table: table, name: description.table, text: text, sources: filled.sources,
      values: filled.values,
      renamed: change.renamed)
  }

  private func sources(
    of change: TableUpgrade, in table: PresentTable, as text: TableText,
    _ conversions: ValueConversions
  ) throws -> (sources: [TableRebuild.Source], values: [StoredValue]) {
    var values: [StoredValue] = []
    var sources: [TableRebuild.Source] = []
    let generated = ClassDescription.generatedIDColumn.asciiLowercased
    for column in text.columns where !column.constraints.contains(where: { $0.kind == .generated })
    {
      let name = column.name.asciiLowercased
      let position = description.properties.firstIndex { $0.column.asciiLowercased == name }
      if let position {
        guard let value = try value(at: position, of: "o", conversions, &values) else { continue }
        sources.append(.init(column: column.name, expression: value))
      } else if description.objectID == .generated, name == generated {
        if let number = generatedID(of: "o") {
          sources.append(.init(column: column.name, expression: number))
        }
      } else if name == InsertionTime.column, description.options.keepsInsertionTime {
        let known = change.column(name).map { "o.\(SQL.quoted($0.name))" } ?? "NULL"
        sources.append(
          .init(column: column.name, expression: "coalesce(\(known), \(InsertionTime.now))"))
      } else {
        sources.append(.init(column: column.name, expression: "o.\(SQL.quoted(column.name))"))
      }
    }
    if text.rowIDColumn == nil, let old = table.rowIDName, let new = text.rowIDName {
      sources.append(.init(column: new, expression: "o.\(old)"))
    }
    return (sources, values)
  }
}

extension ClassUpgrade {
  /// What gives a property its value, as SQL over the old table; `nil` where its default, or nothing,
  /// does.
  ///
  /// - Parameters:
  ///   - alias: What the old table is called in the statement.
  ///   - values: The values of the statement's parameters.
  func value(
    at position: Int, of alias: String, _ conversions: ValueConversions,
    _ values: inout [StoredValue]
  ) throws -> String? {
    guard let change else { return nil }
    let property = description.properties[position]
    let base: String?
    if let followed = followed[position] {
      base = try followed.value(of: alias, conversions, &values)
    } else {
      switch change.origins[position] {
      case .column(let name): base = "\(alias).\(SQL.quoted(name))"
      case .converted(let name, _):
        let number = conversions.add(try change.conversion(at: position, conversions))
        base = "ov_converted(\(number), \(alias).\(SQL.quoted(name)))"
      case .none: base = nil
      }
    }
    guard let value = property.defaultValue, !value.isNull, base == nil || !property.isOptional
    else { return base }
    values.append(value)
    return base.map { "coalesce(\($0), ?\(values.count))" } ?? "?\(values.count)"
  }

  /// The generated number of a row, as SQL: it stays its own, whatever the objectID was.
  func generatedID(of alias: String) -> String? {
    guard let table else { return nil }
    let generated = ClassDescription.generatedIDColumn
    if table.keyColumns.map(\.asciiLowercased) == [generated.asciiLowercased] {
      return "\(alias).\(SQL.quoted(generated))"
    }
    return table.rowIDName.map { "\(alias).\($0)" }
  }

  /// What gives a column of the class its value, as SQL over the old table.
  func value(
    ofColumn column: String, of alias: String, _ conversions: ValueConversions,
    _ values: inout [StoredValue]
  ) throws -> String? {
    guard
      let position = description.properties.firstIndex(where: {
        $0.column.asciiLowercased == column.asciiLowercased
      })
    else { return generatedID(of: alias) }
    return try value(at: position, of: alias, conversions, &values)
  }
}

extension TableUpgrade {
  /// The columns that have another name: the new ones by the old ones in lower case.
  var renamed: [String: String] {
    var renamed: [String: String] = [:]
    for (property, origin) in zip(description.properties, origins) {
      switch origin {
      case .column(let name) where name != property.column,
        .converted(let name, _) where name != property.column:
        renamed[name.asciiLowercased] = property.column
      default: break
      }
    }
    return renamed
  }

  /// What makes a value of the old column one of a property.
  func conversion(
    at position: Int, _ conversions: ValueConversions
  ) throws -> ValueConversions.Conversion {
    let property = description.properties[position]
    guard case .converted(_, let oldType) = origins[position] else { return { $0 } }
    if let given = givenConversion(of: property, from: oldType) {
      return try conversions.conversion(given) { value in
        value.isNull && property.isOptional
          ? value : try? property.checked(value, in: description, at: position)
      }
    }
    return { value in
      // What is missing is looked at apart.
      value.isNull
        ? .null : property.converted(value, from: oldType, in: description, at: position)
    }
  }
}

extension ClassDescription {
  /// The class was changed in a way that cannot be followed.
  func refusedUpgrade(_ problem: String, remedy: String) -> VaultError {
    VaultError(
      .upgradeRefused,
      "Class '\(name)' cannot be upgraded: \(problem). Nothing was changed. \(remedy)")
  }

  /// The class's table is that of another class.
  func isTaken(by owner: String) -> VaultError {
    invalid(
      "table '\(table)' is that of class '\(owner)' already",
      remedy: "Give each class a table of its own with `table:`.")
  }
}
