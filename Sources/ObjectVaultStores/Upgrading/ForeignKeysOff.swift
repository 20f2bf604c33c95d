import ObjectVaultDriver
import ObjectVaultEngine

/// The connection settings that are required while tables are rebuilt.
///
/// With foreign keys on, the engine would treat the removal of a table as the removal of all its
/// objects, and would rename references to it. Neither setting can be changed inside a transaction.
struct ForeignKeysOff {
  private static let foreignKeys = "foreign_keys"
  /// The pragma of SQLite 3.26 and later that stops `ALTER TABLE` from checking views and triggers.
  ///
  /// Without it, the engine would check them while a table is missing.
  private static let oldRenaming = "legacy_alter_table"

  private let engine: Connection
  private let knowsOldRenaming: Bool

  /// Changes the settings of a connection.
  ///
  /// - Throws: ``DriverError`` if the engine does not accept a setting. All settings are restored
  ///   then.
  init(on engine: Connection) throws(DriverError) {
    self.engine = engine
    knowsOldRenaming = try engine.pragma(Self.oldRenaming) != nil
    do throws(DriverError) {
      try engine.setPragma(Self.foreignKeys, to: "OFF", expecting: "0")
      if knowsOldRenaming { try engine.setPragma(Self.oldRenaming, to: "ON", expecting: "1") }
    } catch {
      try end()
      throw error
    }
  }

  /// Restores the settings and reads them back.
  func end() throws(DriverError) {
    try engine.setPragma(Self.foreignKeys, to: "ON", expecting: "1")
    if knowsOldRenaming { try engine.setPragma(Self.oldRenaming, to: "OFF", expecting: "0") }
  }
}
