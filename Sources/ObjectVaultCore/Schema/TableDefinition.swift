import ObjectVaultCondition

/// The statements that create a class's table and indexes.
struct TableDefinition {
  let description: ClassDescription

  /// The `CREATE TABLE` statement.
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

  /// Returns the foreign key clause of a reference, which follows the column or `FOREIGN KEY (…)`.
  ///
  /// The foreign key is deferred: an immediate one makes every statement keep a statement journal,
  /// which SQLCipher 3.4 encrypts page by page. The removal plan enforces `deny`, because the
  /// effect of `RESTRICT` depends on the order in which the tables were created.
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

  /// The unique indexes: name and properties.
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

  /// The indexes for references that are no prefix of another index or of the object ID.
  ///
  /// Without an index, each removal of a target object would read the whole table.
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

  /// Returns the name of the index over the given columns.
  static func indexName(table: String, columns: [String], isUnique: Bool) -> String {
    "\(isUnique ? "ovu_" : "ov_")\(table)__\(columns.joined(separator: "_"))"
  }

  /// Returns a default value as SQL text, or `nil` if SQL text cannot express it.
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
  /// Returns the columns of the properties with the given names.
  func columns(of names: [String]) -> [String] {
    names.compactMap { name in properties.first { $0.name == name }?.column }
  }
}
