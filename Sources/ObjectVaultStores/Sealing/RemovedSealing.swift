import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// The sealed values of properties that were removed from a class and whose columns remain.
///
/// They are bound to the object ID, like the values of the class's properties.
struct RemovedSealing {
  private let description: ClassDescription
  private let properties: [FormerProperty]

  /// Finds the properties; `nil` if the class has none.
  init?(of description: ClassDescription, on session: Session) throws {
    let removed = try SystemTables(session).described(ofTable: description.table)?.removed ?? []
    properties = removed.filter { $0.property.sealing != nil }
    if properties.isEmpty { return nil }
    self.description = description
  }

  /// Returns the values of an object, sealed for another object ID.
  ///
  /// - Parameters:
  ///   - id: The object ID.
  ///   - newID: The other object ID.
  ///   - opened: The database with the keys.
  ///   - session: The writer connection.
  /// - Returns: The value of each property; NULL for a missing value and for one under a destroyed
  ///   key. `nil` if no object has the object ID.
  /// - Throws: The errors of the sealer and of the statement; `.damaged` or `.wrongKey` also if the
  ///   object named another key when the value was sealed; `.keyDestroyed` if the key that the new
  ///   object ID names was destroyed.
  func values(
    of id: some ObjectIDValue, sealedFor newID: some ObjectIDValue, by opened: any OpenDatabase,
    on session: Session
  ) throws -> [StoredValue]? {
    let names = properties.map { $0.property.sealing?.keyProperty }
    let columns = properties.map { SQL.quoted($0.property.column) }
    let keys = names.map { $0.map(SQL.quoted) ?? "NULL" }
    let stored = try session.with(
      "SELECT \((columns + keys).joined(separator: ", ")) FROM \(SQL.quoted(description.table)) "
        + "WHERE \(hasObjectID(from: 1))"
    ) { statement -> [StoredValue]? in
      try id.bindObjectID(to: statement.binder, at: 0)
      guard try statement.step() else { return nil }
      return (0..<2 * properties.count).map(statement.row.storedValue(at:))
    }
    guard let stored else { return nil }
    if stored.prefix(properties.count).allSatisfy(\.isNull) { return nil }
    let sealer = try opened.sealer()
    if names.contains(where: { $0 != nil }) { try opened.checkErasableKeys() }
    var erasable = ErasableSealers(sealer, making: false)
    var newErasable = ErasableSealers(sealer, making: true)
    let newParts = try newID.objectIDParts
    let idColumns = description.objectIDPositions.map { description.rowColumns[$0] }
    let place = description.sealedParts(ofID: try id.objectIDParts)
    let newPlace = description.sealedParts(ofID: newParts)
    return try properties.indices.map { index in
      guard case .blob(let sealed) = stored[index], let column = properties[index].sealedColumn
      else { return stored[index] }
      let name = names[index].map { _ in stored[properties.count + index] }
      let own: any ValueSealer
      let value: [UInt8]
      do {
        guard let named = try erasable.sealer(naming: name, in: column) else { return .null }
        own = named
        value = try own.opened(sealed, in: column, of: place)
      } catch var error as VaultError
        where name != nil && [.damaged, .wrongKey].contains(error.code)
      {
        error.message +=
          " If the object named another key when the property was removed, name that key again, or "
          + "drop the values with dropRemovedProperties()."
        throw error
      }
      // The object ID can be the name of the key.
      guard let position = names[index].flatMap(idColumns.firstIndex(of:)) else {
        return .blob(try own.sealed(value, in: column, of: newPlace))
      }
      guard let next = try newErasable.sealer(naming: newParts[position], in: column) else {
        throw RowSealing.destroyed(column)
      }
      return .blob(try next.sealed(value, in: column, of: newPlace))
    }
  }

  /// Stores values that ``values(of:sealedFor:by:on:)`` returned.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - id: The object ID that they are sealed for.
  ///   - session: The writer connection, inside a transaction.
  /// - Throws: The errors of the statement.
  func store(
    _ values: [StoredValue], of id: some ObjectIDValue, on session: Session
  ) throws {
    let present = values.filter { !$0.isNull }
    var parameter = 0
    let assignments = zip(properties, values).map { property, value in
      let column = SQL.quoted(property.property.column)
      if value.isNull { return "\(column) = NULL" }
      parameter += 1
      return "\(column) = ?\(parameter)"
    }
    try session.with(
      "UPDATE \(SQL.quoted(description.table)) SET \(assignments.joined(separator: ", ")) "
        + "WHERE \(hasObjectID(from: present.count + 1))"
    ) { statement in
      let binder = statement.binder
      for (position, value) in present.enumerated() { value.bind(to: binder, at: position) }
      try id.bindObjectID(to: binder, at: present.count)
      try statement.run()
    }
  }

  private func hasObjectID(from parameter: Int) -> String {
    description.objectIDPositions.enumerated()
      .map { "\(SQL.quoted(description.rowColumns[$1])) = ?\($0 + parameter)" }
      .joined(separator: " AND ")
  }
}
