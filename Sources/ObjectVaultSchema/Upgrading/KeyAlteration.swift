import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

/// The changes of primary keys and foreign keys by statements of the engine.
///
/// Only engines whose `Catalog.altersColumns` is true have the statements. Foreign keys that the
/// changes of columns would violate are dropped before them, and added again at the end.
struct KeyAlteration {
  /// A foreign key that was dropped, with the names before the upgrade.
  private struct Dropped {
    let table: String
    let key: TableForeignKey
  }

  private let session: Session
  private let classes: [ClassUpgrade]
  private var dropped: [Dropped] = []

  /// Creates the changes for the classes whose tables exist.
  ///
  /// - Parameters:
  ///   - classes: The classes, each after those that its object ID refers to.
  ///   - session: The connection, inside a transaction.
  init(_ classes: [ClassUpgrade], on session: Session) {
    self.session = session
    self.classes = classes.filter { $0.table != nil && $0.change != nil }
  }

  private var schema: Schema { Schema(on: session) }

  private func upgrade(ofTable name: String) -> ClassUpgrade? {
    classes.first { $0.table?.name.hasSameBytes(as: name) ?? false }
  }

  // MARK: Dropping

  /// Drops the foreign keys of changed columns and those to changed object IDs, the constraints of
  /// columns that the classes define otherwise, and the triggers of orders.
  mutating func begin() throws {
    for upgrade in classes { try dropChecks(of: upgrade) }
    for upgrade in classes { try dropTriggers(of: upgrade) }
    guard classes.contains(where: { $0.changesKey || $0.changesReferenceColumns }) else { return }
    for (table, keys) in try schema.foreignKeys() {
      let own = upgrade(ofTable: table)
      for key in keys
      where own?.changes(key) ?? false || upgrade(ofTable: key.table)?.changesKey ?? false {
        try drop("f", key.columns, of: table)
        dropped.append(Dropped(table: table, key: key))
      }
    }
    for upgrade in classes where upgrade.changesKey { try order(upgrade) }
  }

  /// Numbers the rows of a class by the integers that were its object IDs, if they are needed and
  /// are not those of its objects any more.
  private func order(_ upgrade: ClassUpgrade) throws {
    let description = upgrade.description
    guard let change = upgrade.change, let table = upgrade.table?.name,
      let number = change.formerNumber,
      description.objectID == .generated
        ? change.isConverted(number) : !description.objectIDIsRowID
    else { return }
    for sql in session.connection.catalog.order(table, by: number) { try session.execute(sql) }
  }

  /// Drops the triggers of the orders of a table with converted columns: the engine does not change
  /// the type of a column with a trigger. The upgrade creates missing ones at its end.
  private func dropTriggers(of upgrade: ClassUpgrade) throws {
    guard let change = upgrade.change, let table = upgrade.table?.name,
      change.origins.contains(where: \.isConverted)
    else { return }
    for trigger in try schema.objects("trigger", of: table)
    where trigger.name.hasBytePrefix("objectvault_") {
      try session.execute(session.connection.catalog.dropTrigger(trigger.name))
    }
  }

  /// Drops the constraints of columns that a class defines otherwise, and of removed properties.
  private func dropChecks(of upgrade: ClassUpgrade) throws {
    guard let change = upgrade.change, let table = upgrade.table?.name else { return }
    let redefined = change.redefined.sorted { $0.key < $1.key }
    let catalog = session.connection.catalog
    for before in redefined.map(\.value) + change.constrainedLeft {
      for check in before.constraints(catalog, .check) {
        let condition = try condition(of: check, in: table)
        let former = try schema.constraints(of: table).first { constraint in
          guard constraint.kind == "c" else { return false }
          if let name = check.name { return before.isNamed(name, constraint, catalog) }
          // Without a name, the engine names it by its column, or by the table if it has several.
          return condition.map { constraint.condition == $0 }
            ?? (constraint.columns == [before.column]
              && constraint.name.contains("_\(before.column)_check"))
        }
        if let former { try alter(table, "DROP CONSTRAINT \(SQL.quoted(former.name))") }
      }
    }
  }

  /// Returns the condition of a constraint without a name as the engine writes it; `nil` if the
  /// constraint has a name, or names columns that the table does not have any more.
  private func condition(of check: TableText.Constraint, in table: String) throws -> String? {
    guard check.name == nil else { return nil }
    let name = "ov_former"
    try session.execute("SAVEPOINT \(name)")
    do {
      try alter(table, "ADD CONSTRAINT \(name) \(check.text) NOT VALID")
    } catch let error as DriverError where error.code == .sqlError {
      try session.execute("ROLLBACK TO \(name)")
      try session.execute("RELEASE \(name)")
      return nil
    }
    let added = try schema.constraints(of: table).first { $0.name == name }
    try session.execute("ROLLBACK TO \(name)")
    try session.execute("RELEASE \(name)")
    return added?.condition
  }

  /// Drops the constraint of a kind that has these columns.
  private func drop(_ kind: String, _ columns: [String], of table: String) throws {
    for constraint in try schema.constraints(of: table)
    where constraint.kind == kind && constraint.columns == columns {
      try alter(table, "DROP CONSTRAINT \(SQL.quoted(constraint.name))")
    }
  }

  private func alter(_ table: String, _ change: String) throws {
    try session.execute("ALTER TABLE \(SQL.quoted(table)) \(change)")
  }

  // MARK: Adding

  /// Changes the primary keys and the references that follow them, and adds the foreign keys.
  func finish() throws {
    for upgrade in classes where upgrade.changesKey { try number(upgrade) }
    // The former values of all references exist until the new ones are known.
    for isInObjectID in [true, false] {
      for upgrade in classes { try fillFollowed(upgrade, isInObjectID: isInObjectID) }
    }
    for upgrade in classes { try replaceFollowed(upgrade) }
    for upgrade in classes where upgrade.changesKey { try replaceKey(of: upgrade) }
    for upgrade in classes { try setConstraints(of: upgrade) }
    for one in dropped { try restore(one) }
    for upgrade in classes { try addReferences(of: upgrade) }
    try endFormerKeys()
  }

  /// Numbers the objects of a class whose object IDs are generated from now on.
  ///
  /// The number of an object is the integer that was its key, or its place in the order of
  /// insertion.
  private func number(_ upgrade: ClassUpgrade) throws {
    let description = upgrade.description
    guard let change = upgrade.change, description.objectID == .generated else { return }
    let (table, catalog) = (description.table, session.connection.catalog)
    let number = change.formerNumber.flatMap { change.isConverted($0) ? nil : change.newName($0) }
    let column = SQL.quoted(ClassDescription.generatedIDColumn)
    if let restored = upgrade.restored, let order = catalog.orderColumn {
      try session.execute(restored.completion(ofTable: table, by: order))
      return
    }
    // A former number is not that of the row any more.
    try alter(table, "DROP COLUMN IF EXISTS \(column)")
    try alter(table, "ADD COLUMN \(column) \(catalog.columnType("INTEGER"))")
    let value = number.map(SQL.quoted) ?? catalog.orderColumn ?? "NULL"
    try session.execute("UPDATE \(SQL.quoted(table)) SET \(column) = \(value)")
  }

  /// Computes the new values of references to objects with a new object ID, in columns of their own.
  ///
  /// The parts of object IDs come first: other references take their values from them.
  private func fillFollowed(_ upgrade: ClassUpgrade, isInObjectID: Bool) throws {
    let keyPositions = Set(upgrade.description.objectIDPositions)
    let followed = upgrade.followed.filter { keyPositions.contains($0.key) == isInObjectID }
    guard let change = upgrade.change, !followed.isEmpty else { return }
    let description = upgrade.description
    let table = description.table
    let names = ObjectNames(
      table: try PresentTable(table, in: schema),
      areGenerated: upgrade.described?.objectID == .generated && description.objectID == .generated,
      session: session)
    for (position, reference) in followed.sorted(by: { $0.key < $1.key }) {
      let type = description.properties[position].type.columnType
      let new = SQL.quoted(FollowedReference.column(position))
      try alter(table, "ADD COLUMN \(new) \(session.connection.catalog.columnType(type))")
      let value = reference.altered(of: "o", change.renamed)
      try session.execute("UPDATE \(SQL.quoted(table)) AS o SET \(new) = \(value)")
      try upgrade.checkFollowed(
        reference, at: position, isMissing: "o.\(new) IS NULL",
        isPresent: reference.isPresent(of: "o", change.renamed), names)
    }
  }

  /// Replaces the columns of references by those with their new values.
  private func replaceFollowed(_ upgrade: ClassUpgrade) throws {
    let table = upgrade.description.table
    for position in upgrade.followed.keys.sorted() {
      let property = upgrade.description.properties[position]
      let column = SQL.quoted(property.column)
      try alter(table, "DROP COLUMN IF EXISTS \(column) CASCADE")
      let new = SQL.quoted(FollowedReference.column(position))
      try alter(table, "RENAME COLUMN \(new) TO \(column)")
      if !property.isOptional { try alter(table, "ALTER COLUMN \(column) SET NOT NULL") }
    }
  }

  private func replaceKey(of upgrade: ClassUpgrade) throws {
    guard let change = upgrade.change else { return }
    let description = upgrade.description
    let (table, catalog) = (description.table, session.connection.catalog)
    let key = description.objectIDPositions.map { description.rowColumns[$0] }
    for constraint in try schema.constraints(of: table) where constraint.kind == "p" {
      try alter(table, "DROP CONSTRAINT \(SQL.quoted(constraint.name))")
    }
    for column in change.formerKey.map(\.name) {
      try alter(table, "ALTER COLUMN \(SQL.quoted(column)) DROP IDENTITY IF EXISTS")
      let position = description.properties.firstIndex { $0.column == column }
      if !key.contains(column), position.map({ description.properties[$0].isOptional }) ?? true {
        try alter(table, "ALTER COLUMN \(SQL.quoted(column)) DROP NOT NULL")
      }
      if let position { try setDefault(at: position, of: description) }
    }
    try alter(table, "ADD PRIMARY KEY (\(SQL.list(key)))")
    guard description.objectIDIsRowID else { return }
    let column = SQL.quoted(key[0])
    try alter(table, "ALTER COLUMN \(column) DROP DEFAULT")
    try alter(table, "ALTER COLUMN \(column) ADD\(catalog.numbered)")
    let last = try session.with("SELECT max(\(column)) FROM \(SQL.quoted(table))") {
      try $0.integer()
    }
    if let last { try GeneratedSequence(table: table, column: key[0]).raise(to: last, on: session) }
  }

  // MARK: Constraints of columns

  /// Adds the lengths and constraints of columns that the class defines otherwise, and removes the
  /// defaults of removed properties that have constraints.
  private func setConstraints(of upgrade: ClassUpgrade) throws {
    guard let change = upgrade.change else { return }
    let catalog = session.connection.catalog
    let table = upgrade.description.table
    for before in change.constrainedLeft where before.hasColumnDefault {
      let name = SQL.quoted(change.newName(before.column))
      try alter(table, "ALTER COLUMN \(name) DROP DEFAULT, ALTER COLUMN \(name) DROP NOT NULL")
    }
    for position in change.redefined.keys.sorted() {
      let property = upgrade.description.properties[position]
      try setDefault(at: position, of: upgrade.description)
      for check in property.constraints(catalog, .check) {
        try refusing(upgrade, in: table) { try alter(table, "ADD \(check.text)") }
      }
    }
  }

  /// Sets or drops the default of a property's column, unless the engine generates its numbers.
  private func setDefault(at position: Int, of description: ClassDescription) throws {
    let isKey = description.objectID == .properties([position])
    if isKey, description.objectIDIsRowID { return }
    let catalog = session.connection.catalog
    let property = description.properties[position]
    let value =
      property.constraints(catalog, .default).first?.text
      ?? (isKey ? nil : property.defaultValue.flatMap(catalog.literal)).map { "DEFAULT \($0)" }
    let setting = value.map { "SET \($0)" } ?? "DROP DEFAULT"
    try alter(description.table, "ALTER COLUMN \(SQL.quoted(property.column)) \(setting)")
  }

  // MARK: Foreign keys

  /// Adds a foreign key again that no class of the upgrade declares.
  private func restore(_ one: Dropped) throws {
    let own = upgrade(ofTable: one.table)
    if own?.owns(one.key) ?? false { return }
    let target = upgrade(ofTable: one.key.table)
    func named(_ columns: [String], _ upgrade: ClassUpgrade?) -> [String] {
      columns.map { upgrade?.change?.renamed[$0.asciiLowercased] ?? $0 }
    }
    let (columns, targetColumns) = (
      named(one.key.columns, own), named(one.key.targetColumns, target)
    )
    let (table, targetTable) = (
      own?.description.table ?? one.table, target?.description.table ?? one.key.table
    )
    let upgrade = target ?? own ?? classes[0]
    try refusing(upgrade, in: table) {
      // Such a foreign key belongs to a class that is not upgraded yet.
      let isUnique = try schema.constraints(of: targetTable).contains {
        ["p", "u"].contains($0.kind) && $0.columns == targetColumns
      }
      if !isUnique { try addFormerKey(targetColumns, to: targetTable) }
      try alter(
        table,
        "ADD FOREIGN KEY (\(SQL.list(columns))) REFERENCES \(SQL.quoted(targetTable)) "
          + "(\(SQL.list(targetColumns))) ON UPDATE \(one.key.onUpdate) "
          + "ON DELETE \(one.key.onDelete) \(session.connection.catalog.referenceTiming)")
    }
  }

  private static let (formerKeyStart, formerKeyEnd) = ("ov_former_", "_key")

  /// Adds a unique constraint over a former object ID to which foreign keys still refer.
  private func addFormerKey(_ columns: [String], to table: String) throws {
    let name = session.connection.catalog.named(
      "\(Self.formerKeyStart)\(table)_\(columns.joined(separator: "_"))", Self.formerKeyEnd)
    try alter(table, "ADD CONSTRAINT \(SQL.quoted(name)) UNIQUE (\(SQL.list(columns)))")
  }

  /// Drops the unique constraints over former object IDs to which no foreign key refers any more.
  private func endFormerKeys() throws {
    guard classes.contains(where: { $0.changesKey || $0.changesReferenceColumns }) else { return }
    var keys: [TableForeignKey]?
    for table in try schema.tables() {
      for constraint in try schema.constraints(of: table)
      where constraint.kind == "u" && constraint.name.hasBytePrefix(Self.formerKeyStart)
        && constraint.name.hasSuffix(Self.formerKeyEnd)
      {
        let all = try keys ?? schema.foreignKeys().flatMap(\.keys)
        keys = all
        if all.contains(where: { $0.table == table && $0.targetColumns == constraint.columns }) {
          continue
        }
        try alter(table, "DROP CONSTRAINT \(SQL.quoted(constraint.name))")
      }
    }
  }

  /// Adds the foreign keys that a class declares and its table lacks.
  private func addReferences(of upgrade: ClassUpgrade) throws {
    let definition = TableDefinition(description: upgrade.description)
    let table = upgrade.description.table
    let present = try schema.foreignKeys(of: table)
    for (reference, sql) in zip(
      upgrade.description.references, definition.addReferences(session.connection.catalog))
    {
      let columns = upgrade.description.columns(of: reference.properties)
      if present.contains(where: { $0.columns == columns }) { continue }
      try refusing(upgrade, in: table) { try session.execute(sql) }
    }
  }

  /// Calls `body`, and explains the errors of objects that do not satisfy a new constraint.
  private func refusing(
    _ upgrade: ClassUpgrade, in table: String, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as DriverError {
      throw upgrade.description.refusal(error, in: table) ?? error
    }
  }
}

extension ClassUpgrade {
  /// Whether the primary key of the table must change.
  fileprivate var changesKey: Bool {
    change != nil && (changesID || described?.objectIDIsRowID != description.objectIDIsRowID)
  }

  /// Whether a foreign key of the table must be dropped before its columns change.
  fileprivate var changesReferenceColumns: Bool {
    table?.foreignKeys.contains { changes($0) } ?? false
  }

  /// Returns whether a foreign key must be dropped before the columns change.
  fileprivate func changes(_ key: TableForeignKey) -> Bool {
    guard let change else { return false }
    if change.changesReferences, owns(key) { return true }
    let columns = key.columns.map(\.asciiLowercased)
    return change.origins.enumerated().contains { position, origin in
      guard let former = origin.column?.asciiLowercased else { return false }
      return columns.contains(former) && (origin.isConverted || followed[position] != nil)
    }
  }

  /// Returns whether a foreign key belongs to a former or current reference of the class.
  fileprivate func owns(_ key: TableForeignKey) -> Bool {
    let columns = key.columns.map { change?.renamed[$0.asciiLowercased] ?? $0 }
    let former = (described?.references ?? []).map { described?.columns(of: $0.properties) ?? [] }
    return former.contains(key.columns)
      || description.references.contains { description.columns(of: $0.properties) == columns }
  }
}

extension TableUpgrade {
  /// The columns of the former primary key, with their new names.
  fileprivate var formerKey: [Schema.Column] {
    present.primaryKey.map { column in
      var column = column
      column.name = renamed[column.name.asciiLowercased] ?? column.name
      return column
    }
  }

  /// The column of the former primary key if it was an integer, with its former name.
  fileprivate var formerNumber: String? {
    let key = present.primaryKey
    return key.count == 1 && key[0].affinity == "INTEGER" ? key[0].name : nil
  }

  /// Returns whether the values of a former column are converted.
  fileprivate func isConverted(_ column: String) -> Bool {
    origins.contains { $0.isConverted && $0.column?.asciiLowercased == column.asciiLowercased }
  }
}

extension PropertyDescription {
  /// Returns the constraints of a kind that the column has by its definition.
  fileprivate func constraints(
    _ catalog: any Catalog, _ kind: TableText.Constraint.Kind
  ) -> [TableText.Constraint] {
    TableText("CREATE TABLE t (\(SQL.quoted(column)) TEXT\(constraintText(catalog)))")?
      .columns.first?.constraints.filter { $0.kind == kind } ?? []
  }

  /// Returns whether a constraint of the table is the one with a name in the column's definition.
  ///
  /// The engine shortens a name that is too long. Earlier versions let it shorten those of lengths.
  fileprivate func isNamed(
    _ name: String, _ constraint: Schema.Constraint, _ catalog: any Catalog
  ) -> Bool {
    if constraint.name.hasSameBytes(as: catalog.storedStart(ofName: name)) { return true }
    guard let length = lengthConstraint, catalog.objectName(length).hasSameBytes(as: name) else {
      return false
    }
    return constraint.name.hasSameBytes(as: catalog.storedStart(ofName: length))
      && constraint.columns == [column]
  }
}

extension TableText.Constraint {
  fileprivate var text: String { SQLToken.text(tokens) }

  /// The name; `nil` without one.
  fileprivate var name: String? {
    tokens.first?.keyword == "constraint" ? tokens.dropFirst().first?.name : nil
  }
}
