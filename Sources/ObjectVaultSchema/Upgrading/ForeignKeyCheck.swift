import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// A check of one table's foreign keys after an upgrade that ran with foreign keys off.
package struct ForeignKeyCheck {
  let table: String
  let keys: [TableForeignKey]
  /// The class of the table, or a class without properties that has its name.
  let description: ClassDescription
  /// The classes that were upgraded with converted object IDs, if the table is of another class.
  var converted: [ClassDescription] = []

  /// Checks the tables of the classes and all tables that refer to them.
  ///
  /// - Parameters:
  ///   - descriptions: The classes.
  ///   - all: Whether to check every table of the file.
  ///   - converted: The classes whose object IDs were converted.
  ///   - session: The connection of the upgrade.
  /// - Throws: `.upgradeRefused` with the first objects that refer to a missing object.
  package static func run(
    for descriptions: [ClassDescription], all: Bool = false, converted: [ClassDescription] = [],
    on session: Session
  ) throws {
    let schema = Schema(on: session)
    let changed = Set(descriptions.map(\.table.asciiLowercased))
    for (table, keys) in try schema.foreignKeys() {
      let isOwn = changed.contains(table.asciiLowercased)
      guard
        isOwn || all || keys.contains(where: { changed.contains($0.table.asciiLowercased) })
      else { continue }
      let own = descriptions.first { $0.table.asciiLowercased == table.asciiLowercased }
      let description = own ?? ClassDescription(table, properties: [])
      try ForeignKeyCheck(
        table: table, keys: keys, description: description, converted: isOwn ? [] : converted
      ).run(on: session)
    }
  }

  private func run(on session: Session) throws {
    let found: [(rowID: Int64?, key: Int)]
    do {
      found = try violations(on: session)
    } catch let error as DriverError where error.code == .sqlError {
      throw description.refusedUpgrade(
        "table '\(table)' refers to columns of another table that are no longer an object ID",
        remedy:
          "Upgrade the classes of both tables together, and declare the reference to the new "
          + "object ID.")
    }
    guard let first = found.first else { return }
    // The engine numbers foreign keys in reverse order of their declaration.
    let position = keys.count - 1 - first.key
    let key = keys.indices.contains(position) ? keys[position] : nil
    let name = key?.table.asciiLowercased
    if let target = converted.first(where: { $0.table.asciiLowercased == name }) {
      throw target.refusedUpgrade(
        "its object IDs get other values, and table '\(table)' refers to them",
        remedy: "Upgrade the classes of both tables together: request the store of the class that "
          + "refers to this one first.")
    }
    let present = try PresentTable(table, in: Schema(on: session))
    let isOwn = description.table.asciiLowercased == table.asciiLowercased
    let names = ObjectNames(
      table: present, areGenerated: isOwn && description.objectID == .generated,
      session: session)
    let rows = found.filter { $0.key == first.key }.prefix(4).compactMap { $0.rowID }
    var objects: String?
    if let rowID = present.rowIDName, !rows.isEmpty {
      let list = rows.map(String.init).joined(separator: ", ")
      objects = try names.first(where: "o.\(rowID) IN (\(list))")
    }
    let reference = (key?.columns ?? []).map { "'\($0)'" }.formattedList
    throw description.refusedUpgrade(
      "in table '\(table)', \(reference) of \(objects ?? "an object") refers to an object that is "
        + "missing",
      remedy: "Correct or remove the objects, or remove the reference.")
  }

  private func violations(
    on session: Session
  ) throws -> [(rowID: Int64?, key: Int)] {
    let statement = try session.connection.prepare(
      "PRAGMA foreign_key_check(\(SQL.quoted(table)))", persistent: false)
    var found: [(rowID: Int64?, key: Int)] = []
    while found.count < 1000, try statement.step() {
      let row = statement.row
      found.append(
        (row.isNull(at: 1) ? nil : row.integer(at: 1), Int(row.integer(at: 3))))
    }
    return found
  }
}
