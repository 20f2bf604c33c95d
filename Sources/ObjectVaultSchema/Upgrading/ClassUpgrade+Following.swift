import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension SchemaUpgrade {
  /// Returns the class upgrades, completed with the references to objects that get a new object ID.
  ///
  /// The parts of object IDs are completed first, each class after those that its object ID refers
  /// to: the other references take their new values from them.
  static func following(
    _ classes: [ClassUpgrade], on session: Session
  ) throws -> [ClassUpgrade] {
    var classes = ordered(classes) { $0.referencesInObjectID }
    for isInObjectID in [true, false] {
      for index in classes.indices {
        classes[index].followed = try classes[index].following(
          classes, isInObjectID: isInObjectID, in: Schema(on: session))
      }
    }
    return classes
  }
}

extension ClassUpgrade {
  /// Returns the followed references, with those parts that belong to the object ID or that do not.
  fileprivate func following(
    _ classes: [ClassUpgrade], isInObjectID: Bool, in schema: Schema
  ) throws -> [Int: FollowedReference] {
    var followed = followed
    guard let table, let described, change != nil else { return followed }
    // A part that several references have belongs to the one with the fewest parts: the others can
    // be absent while it is present.
    for reference in description.references.sorted(by: { $0.properties.count < $1.properties.count }
    ) {
      guard let former = formerReference(of: reference, in: described) else { continue }
      let columns = described.columns(of: former.properties)
      let other = classes.first {
        $0.description.table.asciiLowercased == reference.target.asciiLowercased
      }
      // The foreign key has the present name of the target, the description may have a former one.
      let present = other?.table?.name ?? reference.target
      let key = table.foreignKeys.first {
        $0.columns.map(\.asciiLowercased) == columns.map(\.asciiLowercased)
          && $0.table.asciiLowercased == present.asciiLowercased
      }
      guard let key, !key.targetColumns.isEmpty else { continue }
      let target = try other?.table ?? PresentTable(key.table, in: schema)
      for (position, column) in changedParts(of: reference, formerly: columns, key, other)
      where description.objectIDPositions.contains(position) == isInObjectID {
        if followed[position] == nil {
          followed[position] = FollowedReference(
            columns: columns, target: target, formerColumns: key.targetColumns, column: column,
            upgrade: { other })
        } else {
          followed[position]?.others.append(columns)
        }
      }
    }
    return followed
  }

  /// Returns the positions of the parts of a reference that get another value, with the columns of
  /// the target that have it.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - columns: Its columns in the file.
  ///   - key: Its foreign key in the file.
  ///   - other: The upgrade of the target; `nil` if that class is not upgraded.
  /// - Returns: The positions and columns.
  private func changedParts(
    of reference: ReferenceDescription, formerly columns: [String], _ key: TableForeignKey,
    _ other: ClassUpgrade?
  ) -> [(position: Int, column: String)] {
    let renamed = other?.change?.renamed ?? [:]
    let now = key.targetColumns.map { renamed[$0.asciiLowercased] ?? $0 }
    let isSameKey = now.map(\.asciiLowercased) == reference.targetColumns.map(\.asciiLowercased)
    return zip(reference.properties, reference.targetColumns).enumerated().compactMap {
      part, names in
      let (name, column) = names
      guard let position = description.properties.firstIndex(where: { $0.name == name }),
        let origin = change?.origins[position]
      else { return nil }
      // The values of a renamed property are its own.
      let former = columns.map(\.asciiLowercased)
      if let source = origin.column, source != description.properties[position].column,
        !former.contains(source.asciiLowercased)
      {
        return nil
      }
      // The column has the value already if it is still that of the same part.
      let isSame =
        isSameKey && columns.indices.contains(part)
        && origin.column?.asciiLowercased == former[part]
      return isSame && other?.followedPosition(ofColumn: column) == nil ? nil : (position, column)
    }
  }

  /// Returns the reference in the file that a reference of the class was: it has the same columns,
  /// or the same name, or one of its properties was renamed.
  func formerReference(
    of reference: ReferenceDescription, in described: ClassDescription
  ) -> ReferenceDescription? {
    let change = change
    func now(_ former: ReferenceDescription) -> [String] {
      described.columns(of: former.properties).map { change?.newName($0) ?? $0 }
    }
    let columns = description.columns(of: reference.properties)
    let same = described.references.filter { now($0) == columns }
    if let found = same.first(where: { $0.name == reference.name }) ?? same.first { return found }
    // The name of a reference can be one that another reference gave up.
    let others = Set(description.references.map { description.columns(of: $0.properties) })
    let left = described.references.filter { !others.contains(now($0)) }
    return left.first { $0.name == reference.name }
      ?? left.first { former in
        description.reference(named: former.name) == nil
          && described.columns(of: former.properties).contains { column in
            (change?.renamed[column.asciiLowercased]).map(columns.contains) ?? false
          }
      }
  }

  /// The references that have a part in the object ID.
  fileprivate var referencesInObjectID: [ReferenceDescription] {
    let names = Set(
      description.objectIDPositions.compactMap { position in
        description.properties.indices.contains(position)
          ? description.properties[position].name : nil
      })
    return description.references.filter { !names.isDisjoint(with: $0.properties) }
  }

  /// Returns the position of the property whose column gets the new value of a reference; `nil` if
  /// the column gets none.
  func followedPosition(ofColumn column: String) -> Int? {
    followed.keys.first { description.properties[$0].column == column }
  }

  /// Checks that no table outside of the upgrade refers to values that change.
  ///
  /// - Parameters:
  ///   - tables: The names of the tables of the upgrade in the file.
  ///   - schema: The tables of the file.
  /// - Throws: `.upgradeRefused` with the name of the first such table.
  func checkReferences(outside tables: Set<String>, in schema: Schema) throws {
    guard let table, let change, !followed.isEmpty else { return }
    let changed = Set(followed.keys.compactMap { change.origins[$0].column?.asciiLowercased })
    for (other, keys) in try schema.foreignKeys() where !tables.contains(other.asciiLowercased) {
      let refers = keys.contains { key in
        key.table.asciiLowercased == table.name.asciiLowercased
          && key.targetColumns.contains { changed.contains($0.asciiLowercased) }
      }
      guard refers else { continue }
      throw description.refusedUpgrade(
        "its object IDs get other values, and table '\(other)' refers to them",
        remedy: "Upgrade the classes of both tables together.")
    }
  }
}
