import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

/// The references that classes had in properties that were removed from them.
extension SchemaUpgrade {
  /// Describes removed references with the new names of their targets, and marks those whose values
  /// are not object IDs of the same objects any more.
  ///
  /// Must be called inside a transaction, after the classes of the upgrade were described.
  func describeRemovedReferences(on session: Session) throws {
    let system = SystemTables(session)
    let names = classes.compactMap(\.newNames)
    let own = Set(classes.map(\.description.table))
    for (description, former) in try system.describedClasses() {
      var removed = former
      for index in removed.indices {
        // The classes of the upgrade were described with the new names.
        if !own.contains(description.table) { removed[index].redirect(to: names) }
        for upgrade in classes { removed[index].outdate(by: upgrade) }
      }
      if removed != former { try system.describe(description, removed: removed) }
    }
  }
}

extension ClassUpgrade {
  /// Checks that the class does not declare references again whose values are object IDs of other
  /// objects now.
  ///
  /// - Throws: `.upgradeRefused` with the first objects that have such values.
  func checkRemovedReferences(on session: Session) throws {
    guard let table, let change else { return }
    for reference in description.references {
      for (name, column) in zip(reference.properties, reference.targetColumns) {
        guard let position = description.properties.firstIndex(where: { $0.name == name }),
          // A reference that is followed gets new values.
          followed[position] == nil, let source = change.origins[position].column,
          let former = change.former(ofColumn: source)?.references.filter({
            $0.target.asciiLowercased == reference.target.asciiLowercased
          }), !former.isEmpty,
          !former.contains(where: { $0.leads(to: column, ofTable: reference.target) }),
          let first = try names(table, on: session)
            .first(where: "o.\(SQL.quoted(source)) IS NOT NULL")
        else { continue }
        throw description.refusedUpgrade(
          "property '\(name)' of reference '\(reference.name)' was removed before, and its values in "
            + "\(first) are former object IDs of table '\(reference.target)'",
          remedy: "Declare the reference with another column, or first call "
            + "`dropRemovedProperties()` while the class does not have it.")
      }
    }
  }

  /// Returns whether the values of a column are not those of the same objects any more.
  fileprivate func hasOtherValues(inColumn column: String) -> Bool {
    guard let change else { return table == nil }
    if column.asciiLowercased == ClassDescription.generatedIDColumn.asciiLowercased {
      return description.objectID == .generated && change.changesObjectID && restored == nil
    }
    let isNew = change.added.contains { $0.column.asciiLowercased == column.asciiLowercased }
    return isNew || followedPosition(ofColumn: column) != nil
  }
}

extension FormerReference {
  /// Returns whether the values are those of a column of a table.
  func leads(to column: String, ofTable table: String) -> Bool {
    target.asciiLowercased == table.asciiLowercased
      && self.column?.asciiLowercased == column.asciiLowercased
  }
}

extension FormerProperty {
  /// Gives the targets of the references their new names.
  mutating func redirect(to names: [TableNames]) {
    for index in references.indices {
      let former = references[index]
      guard
        let target = names.first(where: {
          $0.former.asciiLowercased == former.target.asciiLowercased
        })
      else { continue }
      references[index] = FormerReference(
        target: target.name,
        column: former.column.map { target.renamed[$0.asciiLowercased] ?? $0 })
    }
  }

  /// Marks the references whose values are not object IDs of the same objects after an upgrade.
  fileprivate mutating func outdate(by upgrade: ClassUpgrade) {
    for index in references.indices {
      guard
        references[index].target.asciiLowercased == upgrade.description.table.asciiLowercased,
        let column = references[index].column, upgrade.hasOtherValues(inColumn: column)
      else { continue }
      references[index].column = nil
    }
  }
}

extension SystemTables {
  /// Returns the stored descriptions of all classes with their removed properties, by table.
  func describedClasses() throws -> [DescribedClass] {
    try descriptions().compactMap { try described(ofTable: $0.table) }
  }
}
