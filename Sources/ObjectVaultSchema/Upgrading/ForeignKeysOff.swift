package import ObjectVaultDriver

/// The connection settings that are required while tables are rebuilt.
///
/// With foreign keys on, the engine would treat the removal of a table as the removal of all its
/// objects, and would rename references to it. Neither setting can be changed inside a transaction.
package struct ForeignKeysOff {
  private static let foreignKeys = "foreign_keys"
  /// The pragma of SQLite 3.26 and later that stops `ALTER TABLE` from checking views and triggers.
  ///
  /// Without it, the engine would check them while a table is missing.
  private static let oldRenaming = "legacy_alter_table"

  private let connection: any DriverConnection
  private let knowsOldRenaming: Bool

  /// Changes the settings of a connection.
  ///
  /// - Throws: ``DriverError`` if the engine does not accept a setting. All settings are restored
  ///   then.
  package init(on connection: any DriverConnection) throws(DriverError) {
    self.connection = connection
    knowsOldRenaming = try connection.setting(Self.oldRenaming) != nil
    do throws(DriverError) {
      try connection.set(Self.foreignKeys, to: "OFF", expecting: "0")
      if knowsOldRenaming { try connection.set(Self.oldRenaming, to: "ON", expecting: "1") }
    } catch {
      try end()
      throw error
    }
  }

  /// Restores the settings and reads them back.
  package func end() throws(DriverError) {
    try connection.set(Self.foreignKeys, to: "ON", expecting: "1")
    if knowsOldRenaming { try connection.set(Self.oldRenaming, to: "OFF", expecting: "0") }
  }
}
