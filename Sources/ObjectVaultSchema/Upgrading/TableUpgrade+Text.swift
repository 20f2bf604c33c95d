import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

extension TableUpgrade {
  /// Returns the text of the new table.
  ///
  /// The class determines the parts that it declares. Everything else is taken from the file.
  ///
  /// - Parameter old: The text of the present table.
  /// - Returns: The new text.
  func text(from old: TableText) -> TableText {
    var text = old
    let left = left
    // Rename in two steps, because a column may get the name that another one gives up.
    let renamed = renamed.sorted { $0.key < $1.key }
    for (index, name) in renamed.enumerated() { text.rename(name.key, to: "ov_moved_\(index)") }
    for (index, name) in renamed.enumerated() { text.rename("ov_moved_\(index)", to: name.value) }
    let (origins, redefined) = (origins, redefined)
    for (position, property) in description.properties.enumerated() {
      let origin = origins[position]
      switch origin {
      case .none: text.columns.append(contentsOf: declared(property, SQLiteCatalog()))
      case .column(let name), .converted(let name, _):
        text.change(property.column) { column in
          if case .converted = origin {
            if self.column(name)?.affinity != property.type.columnType {
              column.type = SQLToken.tokens(of: property.declaredType)
            }
            // The default of the old type is not valid for the new type.
            if !property.hasColumnDefault { column.set(.default, to: nil) }
          }
          if let before = redefined[position] {
            redefine(&column, from: before, to: property, renamed)
          }
          if property.isOptional {
            column.set(.notNull, to: nil)
          } else if !column.constraints.contains(where: { $0.kind == .notNull }) {
            column.set(.notNull, to: "NOT NULL")
          }
          if changesDefault(at: position) { column.set(.default, to: nil) }
          let hasDefault =
            property.hasColumnDefault
            || column.constraints.contains { $0.kind == .default }
          if !hasDefault, !isKey(property), let value = property.defaultValue,
            let literal = SQLiteCatalog().literal(value)
          {
            column.set(.default, to: "DEFAULT \(literal)")
          }
        }
      }
    }
    for column in left where needsRelaxing(column) {
      text.change(newName(column.name)) {
        $0.set(.notNull, to: nil)
        if hasPlaintextDefault(column) { $0.set(.default, to: nil) }
      }
    }
    for property in constrainedLeft {
      text.change(newName(property.column)) { column in
        removeDefinition(of: property, from: &column, renamed)
        // The definition may have been the default that new rows had.
        if !column.constraints.contains(where: { $0.kind == .default }) {
          column.set(.notNull, to: nil)
        }
      }
    }
    if changesObjectID { giveObjectID(to: &text) }
    if changesReferences { giveReferences(to: &text) }
    if changesOptions || changesObjectID && description.options.isWithoutRowID {
      giveOptions(to: &text)
    }
    let hasTime = text.columns.contains { $0.name.asciiLowercased == InsertionTime.column }
    if description.options.keepsInsertionTime, !hasTime {
      text.columns +=
        TableText(
          "CREATE TABLE t (\(InsertionTime.quotedColumn) \(InsertionTime.columnType))")?.columns
        ?? []
    }
    return text
  }

  /// Replaces the former definition of a property in its column by the current one.
  ///
  /// Parts that were written by other programs stay.
  private func redefine(
    _ column: inout TableText.Column, from before: PropertyDescription,
    to property: PropertyDescription, _ renamed: [(key: String, value: String)]
  ) {
    removeDefinition(of: before, from: &column, renamed)
    column.type = SQLToken.tokens(of: property.declaredType)
    column.constraints += property.definedColumn?.constraints ?? []
  }

  /// Removes the constraints that a former property defined from its column.
  private func removeDefinition(
    of before: PropertyDescription, from column: inout TableText.Column,
    _ renamed: [(key: String, value: String)]
  ) {
    let definition = "\(before.declaredType)\(before.constraintText)"
    guard var old = TableText("CREATE TABLE t (\(SQL.quoted(before.column)) \(definition))")
    else { return }
    for (index, name) in renamed.enumerated() { old.rename(name.key, to: "ov_moved_\(index)") }
    for (index, name) in renamed.enumerated() { old.rename("ov_moved_\(index)", to: name.value) }
    let own = old.columns.first?.constraints.map(\.tokens) ?? []
    column.constraints.removeAll { own.contains($0.tokens) }
  }

  /// Returns whether an index has a column that gets another name.
  func renames(_ index: Schema.Object) -> Bool {
    SQLToken.tokens(of: index.sql).drop { $0.text != "(" }.contains { token in
      token.kind != .string && token.name.map { renamed[$0.asciiLowercased] != nil } ?? false
    }
  }

  /// Applies the table options: sorts the columns into the declared order and adds or removes
  /// `WITHOUT ROWID`.
  private func giveOptions(to text: inout TableText) {
    text.options.removeAll { ["without", "rowid"].contains($0.keyword) }
    if description.options.isWithoutRowID {
      text.options = SQLToken.tokens(of: "WITHOUT ROWID") + text.options
    }
    var places: [String: Int] = [:]
    for (place, position) in description.columnPositions.enumerated() {
      places[description.properties[position].column.asciiLowercased] = place
    }
    if description.objectID == .generated {
      places[ClassDescription.generatedIDColumn.asciiLowercased] = -1
    }
    let columns = text.columns.enumerated().map { index, column in
      (places[column.name.asciiLowercased] ?? places.count + index, column)
    }
    text.columns = columns.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func isKey(_ property: PropertyDescription) -> Bool {
    guard case .properties(let positions) = description.objectID else { return false }
    return positions.contains { description.properties[$0].name == property.name }
  }

  /// Returns the definitions of the columns to add.
  ///
  /// - Parameters:
  ///   - catalog: The engine.
  ///   - others: The positions of properties whose columns are added otherwise.
  /// - Returns: The columns.
  func addedColumns(
    _ catalog: any Catalog, except others: some Collection<Int>
  ) -> [TableText.Column] {
    let time =
      description.options.keepsInsertionTime && column(InsertionTime.column) == nil
      ? TableText(
        "CREATE TABLE t (\(InsertionTime.quotedColumn) \(catalog.columnType(InsertionTime.columnType)))"
      )?.columns ?? [] : []
    let skipped = Set(others.map { description.properties[$0].name })
    return added.filter { !skipped.contains($0.name) }.flatMap { declared($0, catalog) } + time
  }

  /// Returns the definition of a new property's column.
  private func declared(
    _ property: PropertyDescription, _ catalog: any Catalog
  ) -> [TableText.Column] {
    var alone = description
    alone.properties = [property]
    alone.objectID = .generated
    alone.options = TableOptions()
    alone.references = description.references.filter { $0.properties == [property.name] }
    // Other engines add the reference when its target has its object ID.
    let text = TableText(
      TableDefinition(description: alone).createTable(
        catalog, refersToTables: !catalog.needsReferencedTables))
    return text?.columns.filter { $0.name == property.column } ?? []
  }

  private func giveObjectID(to text: inout TableText) {
    for index in text.columns.indices { text.columns[index].set(.primaryKey, to: nil) }
    text.constraints.removeAll { $0.kind == .primaryKey }
    // The library's tables have rowids. Without its primary key, the option would be invalid.
    text.options.removeAll { ["without", "rowid"].contains($0.keyword) }
    switch description.objectID {
    case .generated:
      let name = ClassDescription.generatedIDColumn
      text.columns.removeAll { $0.name.asciiLowercased == name.asciiLowercased }
      let made = TableText(
        "CREATE TABLE t (\(SQL.quoted(name)) INTEGER PRIMARY KEY AUTOINCREMENT)")
      text.columns.insert(contentsOf: made?.columns ?? [], at: 0)
    case .properties(let positions) where positions.count == 1:
      text.change(description.properties[positions[0]].column) { column in
        column.set(.notNull, to: nil)
        column.constraints.insert(
          .init(kind: .primaryKey, tokens: SQLToken.tokens(of: "PRIMARY KEY")), at: 0)
        column.set(.notNull, to: "NOT NULL")
      }
    case .properties(let positions):
      let columns = SQL.list(positions.map { description.properties[$0].column })
      text.constraints.append(
        .init(kind: .primaryKey, tokens: SQLToken.tokens(of: "PRIMARY KEY (\(columns))")))
    }
  }
}

extension TableText {
  /// Changes the column with the given name.
  mutating func change(_ name: String, _ body: (inout Column) -> Void) {
    let name = name.asciiLowercased
    guard let index = columns.firstIndex(where: { $0.name.asciiLowercased == name }) else { return }
    body(&columns[index])
  }
}
