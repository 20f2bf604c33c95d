package import Foundation
import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The library's own tables in a file.
///
/// `objectvault_info` stores the vault's identifier and format. `objectvault_classes` describes the
/// classes, so that the file documents itself.
package struct SystemTables {
  /// "OVLT", the application ID of a vault file.
  package static let applicationID: Int64 = 0x4F56_4C54
  /// The format of the tables that this version writes.
  package static let formatVersion = 1

  package let session: Session

  package init(_ session: Session) {
    self.session = session
  }

  /// Returns whether the file is marked as a vault.
  package func isVault() throws -> Bool {
    try session.connection.setting("application_id") == String(Self.applicationID)
  }

  /// Marks the file as a vault and creates the tables.
  ///
  /// Must be called inside a transaction.
  ///
  /// - Parameter vaultID: The identifier recorded in the vault's keyring, or `nil` for a new one.
  /// - Throws: ``DriverError`` if the engine cannot write.
  package func create(vaultID: UUID? = nil) throws {
    let number = String(Self.applicationID)
    try session.connection.set("application_id", to: number, expecting: number)
    try session.execute(
      "CREATE TABLE IF NOT EXISTS objectvault_info "
        + "(\"key\" TEXT PRIMARY KEY NOT NULL, \"value\" TEXT NOT NULL)")
    try session.execute(
      "CREATE TABLE IF NOT EXISTS objectvault_classes (\"table\" TEXT PRIMARY KEY NOT NULL, "
        + "\"name\" TEXT NOT NULL, \"description\" TEXT NOT NULL)")
    try set("vault_id", to: (vaultID ?? UUID()).uuidString)
    try set("format_version", to: String(Self.formatVersion))
  }

  /// The vault's identifier, or `nil` in a database of another program.
  package var vaultID: UUID? {
    get throws { try value("vault_id").flatMap { UUID(uuidString: $0) } }
  }

  func set(_ key: String, to value: String) throws {
    let insertion = session.connection.catalog.insertingNew(
      into: "objectvault_info", "VALUES (?1, ?2)")
    try session.with(insertion) { statement in
      let binder = statement.binder
      binder.bind(text: key, at: 0)
      binder.bind(text: value, at: 1)
      try statement.run()
    }
  }

  /// Sets a key of `objectvault_info` to a value, such as its value in another file.
  ///
  /// Must be called inside a transaction.
  package func restore(_ key: String, _ value: String) throws {
    try set(key, to: value)
    try session.with("UPDATE objectvault_info SET \"value\" = ?2 WHERE \"key\" = ?1") {
      let binder = $0.binder
      binder.bind(text: key, at: 0)
      binder.bind(text: value, at: 1)
      try $0.run()
    }
  }

  /// Returns the value of a key of `objectvault_info`, or `nil`.
  package func value(_ key: String) throws -> String? {
    guard try Schema(on: session).hasTable("objectvault_info") else { return nil }
    return try session.with("SELECT \"value\" FROM objectvault_info WHERE \"key\" = ?1") {
      $0.binder.bind(text: key, at: 0)
      return try $0.step() ? $0.row.text(at: 0) : nil
    }
  }

  /// Stores the description of a class.
  ///
  /// Must be called inside a transaction.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - removed: The removed properties whose columns remain in the table.
  ///   - isNew: Whether the transaction creates the table.
  /// - Throws: ``DriverError`` if the engine cannot write.
  package func describe(
    _ description: ClassDescription, removed: [FormerProperty] = [], ofNewTable isNew: Bool = false
  ) throws {
    try forget(table: description.table)
    // Programs that know the former description must not write, and others read the new one. A new
    // table began a version.
    if !isNew { try session.connection.beginSchemaVersion() }
    let tableColumns = try tableColumns(of: description, isNew: isNew)
    try session.with(
      "INSERT INTO objectvault_classes (\"table\", \"name\", \"description\") VALUES (?1, ?2, ?3)"
    ) { statement in
      let binder = statement.binder
      binder.bind(text: description.table, at: 0)
      binder.bind(text: description.name, at: 1)
      binder.bind(text: description.json(removed: removed, tableColumns: tableColumns), at: 2)
      try statement.run()
    }
  }

  /// Returns the columns of a class's table; none if they are those of a new table in its order.
  ///
  /// A salvage needs them if the list of tables is lost: the rows on the pages of a file have their
  /// values in this order, without the names.
  private func tableColumns(
    of description: ClassDescription, isNew: Bool
  ) throws -> [String] {
    let schema = Schema(on: session)
    // The rows of a server have no such order.
    if schema.catalog.altersColumns { return [] }
    let present = try schema.columns(of: description.table).map(\.name)
    let declared = TableDefinition(description: description).columnNames
    return isNew && present == declared ? [] : present
  }

  /// Removes the description of a class.
  ///
  /// Must be called inside a transaction.
  package func forget(table: String) throws {
    session.forgetReferences()
    try session.with("DELETE FROM objectvault_classes WHERE \"table\" = ?1") { statement in
      statement.binder.bind(text: table, at: 0)
      try statement.run()
    }
  }

  /// Returns the stored description of a table's class, or `nil`.
  package func description(ofTable table: String) throws -> ClassDescription? {
    try json(ofTable: table).map { try ClassDescription(json: $0, table: table) }
  }

  /// Returns the stored description of a table's class with the removed properties whose columns
  /// remain in the table, or `nil`.
  package func described(ofTable table: String) throws -> DescribedClass? {
    guard let json = try json(ofTable: table) else { return nil }
    return (
      try ClassDescription(json: json, table: table),
      try ClassDescription.removedProperties(json: json, table: table)
    )
  }

  /// A stored description of a class, and the removed properties whose columns remain in its table.
  package typealias DescribedClass = (description: ClassDescription, removed: [FormerProperty])

  private func json(ofTable table: String) throws -> String? {
    guard try Schema(on: session).hasTable("objectvault_classes") else { return nil }
    return try session.with(
      "SELECT \"description\" FROM objectvault_classes WHERE \"table\" = ?1"
    ) { statement in
      statement.binder.bind(text: table, at: 0)
      return try statement.step() ? statement.row.text(at: 0) ?? "" : nil
    }
  }

  /// Returns the stored descriptions of all classes, by table.
  package func descriptions() throws -> [ClassDescription] {
    guard try Schema(on: session).hasTable("objectvault_classes") else { return [] }
    return try session.with(
      "SELECT \"description\", \"table\" FROM objectvault_classes ORDER BY \"table\""
    ) { statement in
      var descriptions: [ClassDescription] = []
      while try statement.step() {
        let row = statement.row
        descriptions.append(
          try ClassDescription(json: row.text(at: 0) ?? "", table: row.text(at: 1) ?? ""))
      }
      return descriptions
    }
  }
}
