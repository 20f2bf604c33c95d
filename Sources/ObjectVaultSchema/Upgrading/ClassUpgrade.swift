import ObjectVaultCondition
package import ObjectVaultDriver
import ObjectVaultModel
package import ObjectVaultSession

/// The changes that a file needs so that it can store the objects of one class.
///
/// The initializer only reads the file. The parts of ``SchemaInstallation`` make the changes.
package struct ClassUpgrade {
  let declaration: ClassDeclaration
  /// The table in the file, or `nil` if it must be created.
  package let table: PresentTable?
  /// The class as the file describes it.
  let described: ClassDescription?
  /// The changes to the table.
  ///
  /// `nil` if the table must be created, or if another program created it: such a table is not
  /// changed.
  private(set) var change: TableUpgrade?
  /// The full-text index in the file, or `nil` if the table must be created.
  let search: PresentSearch?
  /// The shared-blob columns and triggers in the file, or `nil` if the table must be created.
  let sharing: PresentSharing?
  /// The history triggers in the file, or `nil` if the table must be created or neither the file
  /// nor the class has a history.
  package let history: PresentHistory?
  /// The version of the class in the file: 0 if the class is new, 1 for a table of another program.
  let version: Int
  /// Whether statements of the engine change the table, instead of a rebuild.
  var isAltered: Bool { catalog.altersColumns }
  /// The properties, by position, that store another part of their target's object ID from now on.
  var followed: [Int: FollowedReference] = [:]
  /// The generated object IDs that the objects get again; `nil` if they get none or other ones.
  private(set) var restored: RestoredNumbers?

  private let catalog: any Catalog

  var description: ClassDescription { declaration.description }

  /// Compares the declaration of a class with its table in the file.
  ///
  /// - Throws: `.invalidClass` if the table belongs to another class; `.schemaMismatch` if another
  ///   program created the table and it cannot store the objects.
  package init(_ declaration: ClassDeclaration, on session: Session) throws {
    self.declaration = declaration
    let description = declaration.description
    let schema = Schema(on: session)
    catalog = schema.catalog
    guard let name = try Self.tableName(of: description, in: schema) else {
      (table, described, change, search, sharing, version) = (nil, nil, nil, nil, nil, 0)
      history = nil
      return
    }
    let former = try SystemTables(session).described(ofTable: name)
    described = former?.description
    // A Swift type may have been renamed, so a different name is no error. A class described at run
    // time is identified by its name only.
    if declaration.type == nil, name == description.table, let described,
      described.name != description.name
    {
      throw description.isTaken(by: described.name)
    }
    let table = try PresentTable(name, in: schema)
    let change = TableUpgrade(
      description: description, present: table.columns, described: described,
      removed: former?.removed ?? [], foreignKeys: table.foreignKeys,
      conversions: declaration.conversions)
    self.table = table
    search = try PresentSearch(ofTable: name, in: schema)
    sharing = try PresentSharing(ofTable: name, in: schema)
    history = try PresentHistory(of: [described, description], inTable: name, in: schema)
    version = described?.version ?? 1
    if described == nil {
      try TableComparison(description: description, columns: table.columns).check()
      try Self.checkUUIDs(of: description, on: session)
      if change.changesReferences {
        throw TableComparison.mismatch(
          description, ["a reference of the class is not a foreign key of the table"])
      }
      self.change = nil
    } else {
      self.change = change
      restored = try RestoredNumbers(of: description, change, in: table, schema)
    }
  }

  /// Returns the name of the class's table in the file, or the name of its former table, or `nil`
  /// if the file has neither.
  private static func tableName(
    of description: ClassDescription, in schema: Schema
  ) throws -> String? {
    if let name = try schema.tableName(like: description.table) {
      guard name == description.table else {
        throw description.invalid(
          "the file has table '\(name)', which differs from '\(description.table)' only in case",
          remedy: "Set the name of the table with `table:`.")
      }
      try checkFormerTables(of: description, in: schema)
      return name
    }
    if let twin = try schema.tables().first(where: { $0 == description.table }) {
      // Another process has just created the table.
      if twin.utf8.elementsEqual(description.table.utf8) { return twin }
      throw description.invalid(
        "the file has table '\(twin)', whose name has the same characters in another Unicode form",
        remedy: "Set the name of the table with `table:`, in the form of the file or another name.")
    }
    if let occupant = try schema.occupant(of: description.table) {
      throw description.invalid(
        "\(occupant) has the name of its table '\(description.table)'",
        remedy: "Set another name of the table with `table:`, or remove or rename the other one.")
    }
    let system = SystemTables(schema.session)
    // Only former tables of classes are renamed. Tables of other programs are not.
    for former in description.renamedFrom
    where try schema.hasTable(former) && system.description(ofTable: former) != nil {
      return former
    }
    return nil
  }

  /// Checks that a class with a table does not declare the table of another class as its own former
  /// one: the objects in it would not be found any more.
  ///
  /// An older program can have created a former table again. The file then records the name
  /// already.
  private static func checkFormerTables(
    of description: ClassDescription, in schema: Schema
  ) throws {
    let system = SystemTables(schema.session)
    guard !description.renamedFrom.isEmpty,
      let recorded = try system.description(ofTable: description.table)
    else { return }
    for former in description.renamedFrom
    where former != description.table && !recorded.renamedFrom.contains(former) {
      guard try schema.hasTable(former), let other = try system.description(ofTable: former),
        try schema.session.with("SELECT 1 FROM \(SQL.quoted(former)) LIMIT 1", { try $0.step() })
      else { continue }
      throw description.refusedUpgrade(
        "it is renamed from '\(former)', but table '\(description.table)' exists already, and the "
          + "objects of class '\(other.name)' in table '\(former)' would not be found any more",
        remedy: "Remove the store of the class that had the table before, set another table with "
          + "`table:`, or remove '\(former)' from `renamedFrom`.")
    }
  }

  /// Whether the file stores the class in a table with another name.
  var isRenamed: Bool { table.map { $0.name != description.table } ?? false }

  /// The names that the table and its columns get, or `nil` if the table must be created or is not
  /// changed.
  var newNames: TableNames? {
    guard let table, let change else { return nil }
    return TableNames(former: table.name, name: description.table, renamed: change.renamed)
  }

  /// Gives the targets of the foreign keys their new names.
  mutating func redirect(to names: [TableNames]) { change?.redirect(to: names) }

  /// The names of columns that belong to other columns of the file before the upgrade.
  package var movedNames: [String] { change?.reusedNames.sorted() ?? [] }

  /// Checks that the file is not newer than the class.
  ///
  /// - Throws: `.newerSchema` if the file was written by a newer version of the class.
  func checkVersion() throws(VaultError) {
    try description.checkVersion(inFile: version)
  }

  /// Whether the file needs no change for the class.
  var isComplete: Bool {
    table != nil && described == description && !changesTable && added.isEmpty
      && missingIndexes.isEmpty && droppedIndexes.isEmpty && !changesSearch
      && !changesSharing && !changesHistory && !sealsOtherwise
  }

  /// Whether the table must change beyond new columns.
  var changesTable: Bool {
    change.map { $0.needsRebuild || isRenamed || !followed.isEmpty } ?? false
  }

  /// Whether objects get other object IDs, by other columns or by other values.
  var changesID: Bool {
    guard let change else { return false }
    return change.changesObjectID || convertsObjectID
      || description.objectIDPositions.contains { followed[$0] != nil }
  }

  /// Whether a part of the object ID is converted to another type.
  var convertsObjectID: Bool {
    guard let change else { return false }
    return description.objectIDPositions.contains {
      change.origins.indices.contains($0) && change.origins[$0].isConverted
    }
  }

  /// Whether the table must be rebuilt.
  var needsRebuild: Bool { changesTable && !isAltered }

  /// The properties that need a new column.
  var added: [PropertyDescription] { change?.added ?? [] }

  // MARK: Indexes

  /// The indexes of the class that are missing in the file.
  var missingIndexes: [(name: String, statement: String)] {
    let present = Set(table?.indexes.map(\.name.asciiLowercased) ?? [])
    return TableDefinition(description: description).indexes(catalog)
      .filter { !present.contains($0.name.asciiLowercased) }
  }

  /// The library's own indexes that the class no longer declares, those of renamed columns, and
  /// those that have the name of a declared one with other columns.
  ///
  /// Their names are derived from the columns: `a_b` and `c` have the name of `a` and `b_c`.
  /// Indexes of other programs are not dropped.
  var droppedIndexes: [String] {
    let declared = Dictionary(
      TableDefinition(description: description).indexes(catalog).map {
        ($0.name.asciiLowercased, $0.statement)
      }, uniquingKeysWith: { first, _ in first })
    return (table?.indexes ?? []).filter { index in
      let lowercased = index.name.asciiLowercased
      guard ["ov_", "ovu_"].contains(where: { lowercased.hasBytePrefix($0) }) else { return false }
      guard let statement = declared[lowercased] else { return true }
      if change?.renames(index) ?? false { return true }
      guard let present = SQLToken.indexedColumns(index.sql),
        let wanted = SQLToken.indexedColumns(statement)
      else { return false }
      return present.map(\.asciiLowercased) != wanted.map(\.asciiLowercased)
    }.map(\.name)
  }

  /// The indexes and triggers of the table that the upgrade creates again itself, if it does.
  private var replacedObjects: Set<String> {
    var names = Set(droppedIndexes)
    names.formUnion(history?.triggers.keys.map { $0 } ?? [])
    names.formUnion(sharing?.triggers.keys.map { $0 } ?? [])
    names.formUnion(search?.statements.keys.map { $0 } ?? [])
    return names
  }

  // MARK: The new table

  /// Returns a namer for objects of the table, used in error messages.
  func names(_ table: PresentTable, on session: Session) -> ObjectNames {
    ObjectNames(
      table: table, areGenerated: described?.objectID == .generated, session: session)
  }

  /// Returns the plan that rebuilds the table, or `nil` if the table need not be rebuilt.
  ///
  /// - Parameters:
  ///   - conversions: The conversions of the upgrade. Those of the class are added.
  ///   - names: The new names of all tables of the upgrade and of their columns.
  /// - Returns: The plan.
  /// - Throws: `.upgradeRefused` if the table is virtual: the engine stores virtual tables in its
  ///   own form.
  func rebuild(
    _ conversions: ValueConversions, _ names: [TableNames]
  ) throws -> TableRebuild? {
    guard let table, let change, needsRebuild else { return nil }
    guard var old = table.text else {
      throw description.refusedUpgrade(
        "table '\(table.name)' is virtual and cannot be changed",
        remedy: "Store the changed class in another table with `table:`.")
    }
    // The references that the class declares have the new names already.
    old.redirect(to: names)
    let text = change.text(from: old)
    let filled = try sources(of: change, in: table, as: text, conversions)
    return TableRebuild(
      table: table, name: description.table, text: text, sources: filled.sources,
      values: filled.values, renamed: change.renamed, replaced: replacedObjects,
      areGenerated: described?.objectID == .generated)
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
          .init(column: column.name, expression: "coalesce(\(known), \(catalog.now))"))
      } else {
        let former = change.renamed.first { $0.value.asciiLowercased == name }?.key
        sources.append(
          .init(column: column.name, expression: "o.\(SQL.quoted(former ?? column.name))"))
      }
    }
    if text.rowIDColumn == nil, let old = table.rowIDName, let new = text.rowIDName {
      sources.append(.init(column: new, expression: "o.\(old)"))
    }
    return (sources, values)
  }
}

extension SQLToken {
  /// Returns the columns of an index from the statement that creates it; `nil` if it has anything
  /// else than columns, such as an expression.
  fileprivate static func indexedColumns(_ sql: String) -> [String]? {
    let tokens = SQLToken.tokens(of: sql).drop { $0.keyword != "on" }.drop { $0.text != "(" }
    guard tokens.last?.text == ")" else { return nil }
    var columns: [String] = []
    for part in tokens.dropFirst().dropLast().split(whereSeparator: { $0.text == "," }) {
      guard part.count == 1, let name = part.first?.name else { return nil }
      columns.append(name)
    }
    return columns
  }
}

extension ClassUpgrade {
  /// Returns the value of a property as SQL over the old table, or `nil` if the column default or
  /// NULL applies.
  ///
  /// - Parameters:
  ///   - position: The position of the property in the class.
  ///   - alias: The alias of the old table in the statement.
  ///   - conversions: The conversions of the upgrade. The conversion of the property is added.
  ///   - values: The parameter values of the statement. Values used by the result are appended.
  /// - Returns: An SQL expression, or `nil`.
  /// - Throws: ``VaultError`` or ``DriverError`` if a conversion cannot be prepared.
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
        let number = conversions.add(change.conversion(at: position))
        base = "ov_converted(\(number), \(alias).\(SQL.quoted(name)))"
      case .none: base = nil
      }
    }
    guard let value = property.defaultValue, !value.isNull, base == nil || !property.isOptional
    else { return base }
    values.append(value)
    return base.map { "coalesce(\($0), ?\(values.count))" } ?? "?\(values.count)"
  }

  /// Returns the generated number of a row as SQL, or `nil` if the table has none.
  ///
  /// A row keeps its number even if the object ID changes.
  func generatedID(of alias: String) -> String? {
    guard let table else { return nil }
    if let restored { return restored.number(of: alias) }
    let generated = ClassDescription.generatedIDColumn
    if table.keyColumns.map(\.asciiLowercased) == [generated.asciiLowercased] {
      return "\(alias).\(SQL.quoted(generated))"
    }
    return table.rowIDName.map { "\(alias).\($0)" }
  }

  /// Returns the value of a column of the class as SQL over the old table.
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
  /// Returns the function that converts a value of the old column to a value of the property.
  func conversion(at position: Int) -> ValueConversions.Conversion {
    let property = description.properties[position]
    guard case .converted(_, let oldType) = origins[position] else { return { $0 } }
    let description = description
    // No object could be read with another value.
    @Sendable func readable(_ value: StoredValue?) -> StoredValue? {
      guard let value, (try? property.checkIsReadable(value, in: description)) != nil else {
        return nil
      }
      return value
    }
    if let given = givenConversion(of: property, from: oldType) {
      return ValueConversions.conversion(given) { value in
        value.isNull && property.isOptional
          ? value : readable(try? property.checked(value, in: description, at: position))
      }
    }
    return { value in
      // Missing values are checked separately, in `checkLosses`.
      value.isNull
        ? .null
        : readable(property.converted(value, from: oldType, in: description, at: position))
    }
  }
}

extension ClassDescription {
  /// Returns the error for a change of the class that the upgrade cannot perform.
  package func refusedUpgrade(_ problem: String, remedy: String) -> VaultError {
    VaultError(
      .upgradeRefused,
      "Class '\(name)' cannot be upgraded: \(problem). Nothing was changed. \(remedy)")
  }

  /// Returns the error for a table that already belongs to another class.
  package func isTaken(by owner: String) -> VaultError {
    invalid(
      "table '\(table)' already belongs to class '\(owner)'",
      remedy: "Set a different table for each class with `table:`.")
  }
}
