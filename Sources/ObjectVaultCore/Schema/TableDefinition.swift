import ObjectVaultCondition

/// The statements that make a class's table and indexes.
struct TableDefinition {
  let description: ClassDescription

  /// `CREATE TABLE …`.
  var createTable: String {
    var parts: [String] = []
    if description.objectID == .generated {
      parts.append(
        "\(SQL.quoted(ClassDescription.generatedIDColumn)) INTEGER PRIMARY KEY AUTOINCREMENT")
    }
    for position in description.columnPositions {
      parts.append(column(description.properties[position], at: position))
    }
    if description.options.keepsInsertionTime { parts.append(InsertionTime.definition) }
    if case .properties(let positions) = description.objectID, positions.count > 1 {
      parts.append(
        "PRIMARY KEY (\(SQL.list(positions.map { description.properties[$0].column })))")
    }
    for reference in description.references where reference.properties.count > 1 {
      let columns = description.columns(of: reference.properties)
      parts.append("FOREIGN KEY (\(SQL.list(columns))) \(Self.foreignKey(of: reference))")
    }
    let ending = description.options.isWithoutRowID ? " WITHOUT ROWID" : ""
    return
      "CREATE TABLE \(SQL.quoted(description.table)) (\(parts.joined(separator: ", ")))\(ending)"
  }

  private func column(_ property: PropertyDescription, at position: Int) -> String {
    var text = "\(SQL.quoted(property.column)) \(property.declaredType)"
    if description.objectID == .properties([position]) {
      text += " PRIMARY KEY NOT NULL"
    } else {
      if !property.isOptional { text += " NOT NULL" }
      if let value = property.defaultValue, let literal = Self.literal(value) {
        text += " DEFAULT \(literal)"
      }
    }
    text += property.constraintText
    for reference in description.references where reference.properties == [property.name] {
      text += " \(Self.foreignKey(of: reference))"
    }
    return text
  }

  /// What follows the column, or `FOREIGN KEY (…)`, of a reference.
  ///
  /// Deferred: an immediate foreign key has every statement keep a journal of its own, which
  /// SQLCipher 3.4 encrypts page by page. `deny` is for the plan of a removal to enforce: what
  /// `RESTRICT` does depends on which table was made first.
  static func foreignKey(of reference: ReferenceDescription) -> String {
    let action =
      switch reference.onDelete {
      case .cascade: "CASCADE"
      case .nullify: "SET NULL"
      case .deny, .noAction: "NO ACTION"
      }
    return "REFERENCES \(SQL.quoted(reference.target)) (\(SQL.list(reference.targetColumns))) "
      + "ON UPDATE CASCADE ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
  }

  /// The indexes that allow no two objects to agree, by name.
  var uniqueIndexes: [(name: String, properties: [String])] {
    description.indexes.filter(\.isUnique).map { index in
      let columns = description.columns(of: index.properties)
      return (
        Self.indexName(table: description.table, columns: columns, isUnique: true), index.properties
      )
    }
  }

  /// The indexes: name and statement.
  var indexes: [(name: String, statement: String)] {
    let declared = (description.indexes + referenceIndexes).map { index in
      let columns = description.columns(of: index.properties)
      let name = Self.indexName(
        table: description.table, columns: columns, isUnique: index.isUnique)
      let kind = index.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
      return (
        name,
        "\(kind) \(SQL.quoted(name)) ON \(SQL.quoted(description.table)) (\(SQL.list(columns)))"
      )
    }
    guard description.options.keepsInsertionTime else { return declared }
    let name = Self.indexName(
      table: description.table, columns: [InsertionTime.column], isUnique: false)
    return declared + [
      (
        name,
        "CREATE INDEX \(SQL.quoted(name)) ON \(SQL.quoted(description.table)) "
          + "(\(InsertionTime.quotedColumn))"
      )
    ]
  }

  /// An index for every reference that none of the class, nor its objectID, begins with: without,
  /// each removal of a target would read the whole table.
  private var referenceIndexes: [IndexDescription] {
    var present = description.indexes.map(\.properties)
    if case .properties(let positions) = description.objectID {
      present.append(positions.map { description.properties[$0].name })
    }
    var indexes: [IndexDescription] = []
    for reference in description.references
    where !present.contains(where: { $0.starts(with: reference.properties) }) {
      indexes.append(IndexDescription(reference.properties))
      present.append(reference.properties)
    }
    return indexes
  }

  /// The name of the index over these columns.
  static func indexName(table: String, columns: [String], isUnique: Bool) -> String {
    "\(isUnique ? "ovu_" : "ov_")\(table)__\(columns.joined(separator: "_"))"
  }

  /// A default value as SQL text, or `nil` for one that text cannot say.
  static func literal(_ value: StoredValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value) where value == .infinity: "9e999"
    case .real(let value) where value == -.infinity: "-9e999"
    case .real(let value) where value.isNaN: nil
    case .real(let value): String(value)
    case .text(let text) where text.utf8.contains(0): nil
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes): "x'\(SQL.hexadecimal(bytes))'"
    }
  }
}

extension ClassDescription {
  /// The columns of the properties with these names.
  func columns(of names: [String]) -> [String] {
    names.compactMap { name in properties.first { $0.name == name }?.column }
  }
}
