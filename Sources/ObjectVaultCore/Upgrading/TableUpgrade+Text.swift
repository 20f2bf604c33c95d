import ObjectVaultCondition

extension TableUpgrade {
  /// The text of the table as it is to be: that of the class for what the class declares, that of the
  /// file for everything else.
  ///
  /// - Parameter old: The text of the table as it is.
  func text(from old: TableText) -> TableText {
    var text = old
    let left = left
    // Two steps, since one may get the name that another gives up.
    let renamed = renamed.sorted { $0.key < $1.key }
    for (index, name) in renamed.enumerated() { text.rename(name.key, to: "ov_moved_\(index)") }
    for (index, name) in renamed.enumerated() { text.rename("ov_moved_\(index)", to: name.value) }
    for (property, origin) in zip(description.properties, origins) {
      switch origin {
      case .none: text.columns.append(contentsOf: declared(property))
      case .column(let name), .converted(let name, _):
        text.change(property.column) { column in
          if case .converted = origin {
            if self.column(name)?.affinity != property.type.columnType {
              column.type = SQLToken.tokens(of: property.type.columnType)
            }
            // That of the old type would be none of the new.
            column.set(.default, to: nil)
          }
          if property.isOptional {
            column.set(.notNull, to: nil)
          } else if !column.constraints.contains(where: { $0.kind == .notNull }) {
            column.set(.notNull, to: "NOT NULL")
          }
          let hasDefault = column.constraints.contains { $0.kind == .default }
          if !hasDefault, !isKey(property), let value = property.defaultValue,
            let literal = TableDefinition.literal(value)
          {
            column.set(.default, to: "DEFAULT \(literal)")
          }
        }
      }
    }
    for column in left where needsRelaxing(column) {
      text.change(column.name) { $0.set(.notNull, to: nil) }
    }
    if changesObjectID { giveObjectID(to: &text) }
    if changesReferences { giveReferences(to: &text) }
    return text
  }

  private func isKey(_ property: PropertyDescription) -> Bool {
    guard case .properties(let positions) = description.objectID else { return false }
    return positions.contains { description.properties[$0].name == property.name }
  }

  /// The definitions of the columns that are added.
  var addedColumns: [TableText.Column] { added.flatMap(declared) }

  /// The definition of a new property's column.
  private func declared(_ property: PropertyDescription) -> [TableText.Column] {
    var alone = description
    alone.properties = [property]
    alone.objectID = .generated
    alone.references = description.references.filter { $0.properties == [property.name] }
    let text = TableText(TableDefinition(description: alone).createTable)
    return text?.columns.filter { $0.name == property.column } ?? []
  }

  private func giveObjectID(to text: inout TableText) {
    for index in text.columns.indices { text.columns[index].set(.primaryKey, to: nil) }
    text.constraints.removeAll { $0.kind == .primaryKey }
    // Tables of ours have rowids; without its key the option would make no sense.
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
  /// Changes the column of this name.
  mutating func change(_ name: String, _ body: (inout Column) -> Void) {
    let name = name.asciiLowercased
    guard let index = columns.firstIndex(where: { $0.name.asciiLowercased == name }) else { return }
    body(&columns[index])
  }
}
