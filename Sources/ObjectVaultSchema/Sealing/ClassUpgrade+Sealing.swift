import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

// The changes that sealed properties need.

extension ClassUpgrade {
  /// The former form of a column whose values must be sealed.
  private struct Resealing {
    let position: Int
    /// The former column of sealed values; `nil` if they were in plaintext.
    let former: SealedColumn?
  }

  /// Whether columns must be sealed, or sealed in another way.
  package var sealsOtherwise: Bool {
    !resealed.isEmpty || unsealed != nil || propertyOfOtherKey != nil
  }

  /// A stored property that begins or ends to need an erasable key, or whose key is named by
  /// another property.
  private var propertyOfOtherKey: PropertyDescription? {
    guard let change else { return nil }
    for (position, property) in description.properties.enumerated() {
      guard case .column(let name) = change.origins[position],
        let old = change.former(ofColumn: name)
      else { continue }
      let former = old.property.sealing?.keyProperty
      guard let key = description.keyPosition(of: position) else {
        if former == nil { continue } else { return property }
      }
      guard let former, case .column(former) = change.origins[key] else { return property }
    }
    return nil
  }

  /// The columns whose values must be sealed, or sealed again.
  private var resealed: [Resealing] {
    guard let change else { return [] }
    return description.properties.indices.compactMap { position in
      guard let column = description.sealedColumn(position),
        case .column(let name) = change.origins[position]
      else { return nil }
      let former = change.former(ofColumn: name)?.sealedColumn
      let isSame = former == column && name.hasSameBytes(as: column.column)
      return isSame ? nil : Resealing(position: position, former: former)
    }
  }

  /// The positions of properties with the sealed values of removed ones.
  private var addedAgain: [Int] {
    guard let change, let described else { return [] }
    return description.properties.indices.filter { position in
      guard description.sealedColumn(position) != nil,
        case .column(let name) = change.origins[position],
        change.former(ofColumn: name)?.sealedColumn != nil
      else { return false }
      return !described.properties.contains { $0.column.asciiLowercased == name.asciiLowercased }
    }
  }

  /// The property that is no longer sealed, if any.
  private var unsealed: PropertyDescription? {
    guard let change else { return nil }
    return zip(description.properties, change.origins).first { property, origin in
      property.sealing == nil
        && origin.column.flatMap { change.former(ofColumn: $0) }?.property.sealing != nil
    }?.0
  }

  /// Checks that the upgrade can open and seal the values.
  ///
  /// - Throws: `.upgradeRefused`.
  func checkSealing() throws(VaultError) {
    guard let change, let described else { return }
    if let unsealed {
      throw description.refusedUpgrade(
        "property '\(unsealed.name)' is sealed in the file, but not in the class, which would store "
          + "its values in plaintext",
        remedy: "Declare it as sealed, or copy the values to another property.")
    }
    guard change.hasSealed || description.hasSealed else { return }
    if let property = propertyOfOtherKey {
      throw description.refusedUpgrade(
        "property '\(property.name)' is stored with another erasable key, or without one",
        remedy: "Declare its key as before, or copy the values to another property.")
    }
    for (property, origin) in zip(description.properties, change.origins) {
      guard property.sealing != nil, case .converted = origin else { continue }
      throw description.refusedUpgrade(
        "property '\(property.name)' is sealed and changes its type",
        remedy: "Add a property of the new type, and convert the values of the objects.")
    }
    if change.hasSealed, changesID {
      throw description.refusedUpgrade(
        "its sealed values are bound to the object ID, which changes",
        remedy: described.hasSealed
          ? "Store the objects of the changed class in another table with `table:`."
          : "Drop the columns of removed properties first with `dropRemovedProperties()`.")
    }
  }

  /// Seals the values of the columns that need it, in each row.
  ///
  /// - Parameters:
  ///   - sealer: Returns the keys.
  ///   - session: The writer connection.
  /// - Throws: The errors of the sealer and of the statements.
  func seal(_ sealer: () throws -> any ValueSealer, on session: Session) throws {
    let (resealed, addedAgain) = (resealed, addedAgain)
    guard !(resealed.isEmpty && addedAgain.isEmpty) else { return }
    let sealer = try sealer()
    for position in addedAgain { try checkOpens(position, sealer, on: session) }
    for one in resealed {
      guard let column = description.sealedColumn(one.position) else { continue }
      // Sealed values have another type than the former ones.
      let isReplaced = isAltered && one.former == nil
      let target = isReplaced ? Self.new : column.column
      if isReplaced {
        try session.execute(
          "ALTER TABLE \(SQL.quoted(column.table)) ADD COLUMN \(SQL.quoted(target)) "
            + session.connection.catalog.columnType("BLOB"))
      }
      let name = description.keyPosition(of: one.position)
        .map { SQL.quoted(description.rowColumns[$0]) }
      try RowBatches(
        of: column.table, columns: [SQL.quoted(column.column)] + (name.map { [$0] } ?? []),
        order: key, size: Self.batch
      ).forEach(on: session) { rows in
        var erasable = ErasableSealers(sealer, making: false)
        for row in rows where !row.values[0].isNull {
          // A value under a destroyed key cannot be opened, and remains as it is.
          guard
            let own = try erasable.sealer(naming: name.map { _ in row.values[1] }, in: column)
          else { continue }
          let value = description.properties[one.position].type.restored(row.values[0])
          try seal(value, of: row.order, column, one.former, own, to: target, on: session)
        }
      }
      if isReplaced { try replace(column, on: session) }
    }
  }

  /// Checks that the values of a removed property, which the class has again, can be opened.
  ///
  /// Otherwise the objects could not be read. The names of their keys can have changed meanwhile.
  ///
  /// - Throws: `.upgradeRefused`, and the errors of the statements.
  private func checkOpens(
    _ position: Int, _ sealer: any ValueSealer, on session: Session
  ) throws {
    let property = description.properties[position]
    guard let change, let name = change.origins[position].column,
      let former = change.former(ofColumn: name)?.sealedColumn
    else { return }
    let key = description.keyPosition(of: position)
      .map { SQL.quoted(description.rowColumns[$0]) }
    try RowBatches(
      of: description.table, columns: [SQL.quoted(property.column)] + (key.map { [$0] } ?? []),
      order: self.key, size: Self.batch
    ).forEach(on: session) { rows in
      var erasable = ErasableSealers(sealer, making: false)
      for row in rows where !row.values[0].isNull {
        do {
          guard let own = try erasable.sealer(naming: key.map { _ in row.values[1] }, in: former)
          else { continue }
          let bytes: [UInt8] = if case .blob(let sealed) = row.values[0] { sealed } else { [] }
          _ = try own.opened(bytes, in: former, of: description.sealedParts(ofID: row.order))
        } catch let error as VaultError where [.damaged, .wrongKey].contains(error.code) {
          throw description.refusedUpgrade(
            "values of property '\(property.name)', which was removed before, do not open"
              + (key == nil ? "" : " under the keys that their objects name now"),
            remedy: key == nil
              ? "Drop them with `dropRemovedProperties()` of the class without the property."
              : "Name the former keys again, or drop the values with `dropRemovedProperties()` of "
                + "the class without the property.")
        }
      }
    }
  }

  private static let new = "ov_sealed"

  /// Gives a column the type and the values of the one with sealed values.
  private func replace(_ column: SealedColumn, on session: Session) throws {
    let (name, new) = (SQL.quoted(column.column), SQL.quoted(Self.new))
    let alter = "ALTER TABLE \(SQL.quoted(column.table)) "
    try session.execute(
      "\(alter)ALTER COLUMN \(name) TYPE \(session.connection.catalog.columnType("BLOB")) "
        + "USING \(new)")
    try session.execute("\(alter)DROP COLUMN \(new)")
  }

  /// The quoted columns of the object ID.
  private var key: [String] {
    description.objectIDPositions.map { SQL.quoted(description.rowColumns[$0]) }
  }

  private static let batch = 500

  private func seal(
    _ stored: StoredValue, of objectID: [StoredValue], _ column: SealedColumn,
    _ former: SealedColumn?, _ sealer: any ValueSealer, to target: String, on session: Session
  ) throws {
    let id = description.sealedParts(ofID: objectID)
    let sealed = try sealed(stored, of: id, column, former, sealer)
    let found = key.enumerated().map { "\($1) = ?\($0 + 2)" }.joined(separator: " AND ")
    try session.with(
      "UPDATE \(SQL.quoted(column.table)) SET \(SQL.quoted(target)) = ?1 WHERE \(found)"
    ) { statement in
      let binder = statement.binder
      StoredValue.blob(sealed).bind(to: binder, at: 0)
      for (position, part) in objectID.enumerated() { part.bind(to: binder, at: position + 1) }
      try statement.run()
    }
  }

  /// Returns the sealed form of a stored value.
  private func sealed(
    _ stored: StoredValue, of id: [[UInt8]], _ column: SealedColumn, _ former: SealedColumn?,
    _ sealer: any ValueSealer
  ) throws -> [UInt8] {
    let value: [UInt8]
    switch (former, stored) {
    case (let former?, .blob(let sealed)): value = try sealer.opened(sealed, in: former, of: id)
    // A value in plaintext is not one of this vault, so it has the error of changed bytes.
    case (let former?, _): value = try sealer.opened([], in: former, of: id)
    // Earlier versions did not record that the column of a removed property has sealed values.
    case (nil, .blob(let bytes)) where (try? sealer.opened(bytes, in: column, of: id)) != nil:
      return bytes
    case (nil, let plain): value = SealedEncoding.bytes(of: plain)
    }
    return try sealer.sealed(value, in: column, of: id)
  }
}
