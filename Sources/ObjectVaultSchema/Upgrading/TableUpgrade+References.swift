import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// Changes to the foreign keys of a table.
extension TableUpgrade {
  /// The foreign keys that the class declares, with the new column names.
  private var wanted: [TableForeignKey] {
    description.references.map { foreignKey($0, of: description) }
  }

  private func foreignKey(
    _ reference: ReferenceDescription, of description: ClassDescription
  ) -> TableForeignKey {
    let action =
      switch reference.onDelete {
      case .cascade: "CASCADE"
      case .nullify: "SET NULL"
      case .deny, .noAction: "NO ACTION"
      }
    return TableForeignKey(
      columns: description.columns(of: reference.properties), table: reference.target,
      targetColumns: reference.targetColumns, onUpdate: "CASCADE", onDelete: action)
  }

  /// The foreign keys of the file that belong to a former or current reference of the class.
  private var presentReferences: [TableForeignKey] {
    let owned =
      wanted.map { lowercased($0.columns) }
      + (described?.references ?? []).map { reference in
        lowercased(described?.columns(of: reference.properties).map(newName) ?? [])
      }
    return foreignKeys.filter { owned.contains(lowercased($0.columns)) }
  }

  private func lowercased(_ names: [String]) -> [String] { names.map(\.asciiLowercased) }

  private func isSame(_ first: TableForeignKey, _ second: TableForeignKey) -> Bool {
    lowercased(first.columns) == lowercased(second.columns)
      && first.table.asciiLowercased == second.table.asciiLowercased
      && lowercased(first.targetColumns) == lowercased(second.targetColumns)
      && first.onUpdate == second.onUpdate && first.onDelete == second.onDelete
  }

  /// Whether a foreign key must be removed, or must be added to columns that already exist.
  var changesReferences: Bool {
    let (present, wanted) = (presentReferences, wanted)
    if present.contains(where: { key in !wanted.contains { isSame($0, key) } }) { return true }
    let addedColumns = Set(added.map(\.column.asciiLowercased))
    return wanted.contains { key in
      let isAdded = key.columns.count == 1 && addedColumns.contains(lowercased(key.columns)[0])
      return !isAdded && !present.contains { isSame($0, key) }
    }
  }

  /// Replaces the former foreign keys of the class by the declared ones.
  func giveReferences(to text: inout TableText) {
    for key in presentReferences {
      if key.columns.count == 1 {
        text.change(key.columns[0]) { $0.set(.references, to: nil) }
      }
      text.constraints.removeAll { constraint in
        constraint.kind == .foreignKey
          && constraint.columns.map(\.asciiLowercased) == lowercased(key.columns)
      }
    }
    for reference in description.references {
      let columns = description.columns(of: reference.properties)
      let sql = TableDefinition.foreignKey(of: reference)
      if columns.count == 1 {
        text.change(columns[0]) { $0.set(.references, to: sql) }
      } else {
        let constraint = "FOREIGN KEY (\(SQL.list(columns))) \(sql)"
        let tokens = SQLToken.tokens(of: constraint)
        text.constraints.removeAll { $0.kind == .foreignKey && $0.tokens == tokens }
        text.constraints.append(.init(kind: .foreignKey, tokens: tokens))
      }
    }
  }
}

extension TableText.Constraint {
  /// The columns of a table constraint.
  package var columns: [String] {
    tokens.drop { $0.text != "(" }.dropFirst().prefix { $0.text != ")" }
      .filter { $0.text != "," }.compactMap(\.name)
  }
}
