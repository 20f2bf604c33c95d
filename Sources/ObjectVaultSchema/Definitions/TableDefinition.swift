import ObjectVaultCondition
package import ObjectVaultDriver
package import ObjectVaultModel

/// The statements that create a class's table and indexes.
package struct TableDefinition {
  let description: ClassDescription

  package init(description: ClassDescription) {
    self.description = description
  }

  /// Returns the `CREATE TABLE` statement.
  ///
  /// - Parameters:
  ///   - catalog: The engine.
  ///   - refersToTables: Whether the table declares its foreign keys; otherwise
  ///     ``addReferences(_:)`` must follow.
  /// - Returns: The statement.
  package func createTable(
    _ catalog: any Catalog = SQLiteCatalog(), refersToTables: Bool = true
  ) -> String {
    createTable(columns(catalog, refersToTables).map(\.text), catalog, refersToTables)
  }

  /// Returns the statement that creates a table again with the columns that it had.
  ///
  /// - Parameters:
  ///   - names: The columns in their order. Those of the class that it lacks follow.
  ///   - removed: The properties whose columns remain. Columns of other programs get no type.
  /// - Returns: The statement.
  package func createTable(withColumns names: [String], removed: [FormerProperty]) -> String {
    let catalog = SQLiteCatalog()
    var left = columns(catalog, true)
    let present = names.map { name in
      if let index = left.firstIndex(where: { $0.name.asciiLowercased == name.asciiLowercased }) {
        return left.remove(at: index).text
      }
      if let former = removed.first(where: { $0.property.column == name })?.property {
        return former.removedColumn(catalog)
      }
      // A position in an ordered list, or a column of another program.
      return SQL.quoted(name) + (name.hasBytePrefix(ListOrder.prefix) ? " INTEGER" : "")
    }
    return createTable(present + left.map(\.text), catalog, true)
  }

  /// The columns of a new table, in order.
  package var columnNames: [String] { columns(SQLiteCatalog(), false).map(\.name) }

  /// Returns the columns of a new table, in order: the names and the definitions.
  private func columns(
    _ catalog: any Catalog, _ refersToTables: Bool
  ) -> [(name: String, text: String)] {
    var columns: [(name: String, text: String)] = []
    if description.objectID == .generated {
      let name = ClassDescription.generatedIDColumn
      columns.append((name, "\(SQL.quoted(name)) \(catalog.generatedKey)"))
    }
    for position in description.columnPositions {
      let property = description.properties[position]
      columns.append((property.column, column(property, at: position, catalog, refersToTables)))
    }
    if description.options.keepsInsertionTime {
      let type = catalog.columnType(InsertionTime.columnType)
      columns.append((InsertionTime.column, "\(InsertionTime.quotedColumn) \(type)"))
    }
    if let column = catalog.orderColumn {
      columns.append((column, "\(column) \(catalog.orderType)"))
    }
    return columns
  }

  private func createTable(
    _ columns: [String], _ catalog: any Catalog, _ refersToTables: Bool
  ) -> String {
    var parts = columns
    if case .properties(let positions) = description.objectID, positions.count > 1 {
      parts.append(
        "PRIMARY KEY (\(SQL.list(positions.map { description.properties[$0].column })))")
    }
    if refersToTables {
      for reference in description.references where reference.properties.count > 1 {
        let columns = description.columns(of: reference.properties)
        parts.append(
          "FOREIGN KEY (\(SQL.list(columns))) \(Self.foreignKey(of: reference, catalog))")
      }
    }
    let ending = description.options.isWithoutRowID ? catalog.withoutRowNumbers : ""
    return
      "CREATE TABLE \(SQL.quoted(description.table)) (\(parts.joined(separator: ", ")))\(ending)"
  }

  /// Returns the statements that add the foreign keys to a table that was created without them.
  func addReferences(_ catalog: any Catalog) -> [String] {
    description.references.map { reference in
      "ALTER TABLE \(SQL.quoted(description.table)) ADD FOREIGN KEY "
        + "(\(SQL.list(description.columns(of: reference.properties)))) "
        + Self.foreignKey(of: reference, catalog)
    }
  }

  private func column(
    _ property: PropertyDescription, at position: Int, _ catalog: any Catalog,
    _ refersToTables: Bool
  ) -> String {
    var text = "\(SQL.quoted(property.column)) \(property.columnType(catalog))"
    if description.objectID == .properties([position]) {
      if description.objectIDIsRowID { text += catalog.numbered }
      text += " PRIMARY KEY NOT NULL"
    } else {
      if !property.isOptional { text += " NOT NULL" }
      if let value = property.defaultValue, let literal = catalog.literal(value) {
        text += " DEFAULT \(literal)"
      }
    }
    text += property.constraintText(catalog)
    for reference in description.references
    where refersToTables && reference.properties == [property.name] {
      text += " \(Self.foreignKey(of: reference, catalog))"
    }
    return text
  }

  /// Returns the foreign key clause of a reference, which follows the column or `FOREIGN KEY (…)`.
  ///
  /// The removal plan enforces `deny`, because the effect of `RESTRICT` depends on the order in
  /// which the tables were created.
  static func foreignKey(
    of reference: ReferenceDescription, _ catalog: any Catalog = SQLiteCatalog()
  ) -> String {
    let action =
      switch reference.onDelete {
      case .cascade: "CASCADE"
      case .nullify: "SET NULL"
      case .deny, .noAction: "NO ACTION"
      }
    return "REFERENCES \(SQL.quoted(reference.target)) (\(SQL.list(reference.targetColumns))) "
      + "ON UPDATE CASCADE ON DELETE \(action) \(catalog.referenceTiming)"
  }

  /// Returns the unique indexes: name and properties.
  func uniqueIndexes(_ catalog: any Catalog) -> [(name: String, properties: [String])] {
    description.indexes.filter(\.isUnique).map { index in
      (catalog.objectName(description.name(of: index)), index.properties)
    }
  }

  /// Returns the indexes: name and statement.
  package func indexes(
    _ catalog: any Catalog = SQLiteCatalog()
  ) -> [(name: String, statement: String)] {
    let declared = description.declaredIndexes.map { index in
      let columns = index.properties.compactMap { name in
        description.properties.first { $0.name == name }.map(description.indexedColumn)
      }
      let name = catalog.objectName(description.name(of: index))
      let kind = index.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
      return (
        name,
        "\(kind) \(SQL.quoted(name)) ON \(SQL.quoted(description.table)) "
          + "(\(columns.joined(separator: ", ")))"
      )
    }
    guard description.options.keepsInsertionTime else { return declared }
    let name = catalog.objectName(
      ClassDescription.indexName(
        table: description.table, columns: [InsertionTime.column], isUnique: false))
    return declared + [
      (
        name,
        "CREATE INDEX \(SQL.quoted(name)) ON \(SQL.quoted(description.table)) "
          + "(\(InsertionTime.quotedColumn))"
      )
    ]
  }
}

extension PropertyDescription {
  /// Returns the definition of the column after the property was removed from the class.
  func removedColumn(_ catalog: any Catalog) -> String {
    let text = "\(SQL.quoted(column)) \(columnType(catalog))"
    // A default would be stored in plaintext.
    guard sealing == nil, let value = defaultValue.flatMap(catalog.literal) else { return text }
    return "\(text) DEFAULT \(value)"
  }

  /// Returns the type of the column in a table of an engine.
  func columnType(_ catalog: any Catalog) -> String {
    catalog.columnType(declaredType, of: sealing == nil ? type : .data)
  }
}
