import ObjectVaultEngine

/// What a connection is set to while tables are made anew, and back again.
///
/// With foreign keys on, the engine would take the removal of a table for one of all its objects, and
/// rename what refers to it. Neither setting can change inside a transaction.
struct ForeignKeysOff {
  private static let foreignKeys = "foreign_keys"
  /// Came with SQLite 3.26; without it, views and triggers would be looked at while a table is gone.
  private static let oldRenaming = "legacy_alter_table"

  private let engine: Connection
  private let knowsOldRenaming: Bool

  /// - Throws: ``EngineError`` where the engine did not take a setting; all are as before then.
  init(on engine: Connection) throws(EngineError) {
    self.engine = engine
    knowsOldRenaming = try engine.pragma(Self.oldRenaming) != nil
    do throws(EngineError) {
      try engine.setPragma(Self.foreignKeys, to: "OFF", expecting: "0")
      if knowsOldRenaming { try engine.setPragma(Self.oldRenaming, to: "ON", expecting: "1") }
    } catch {
      try end()
      throw error
    }
  }

  /// Sets everything as it was, and reads it back.
  func end() throws(EngineError) {
    try engine.setPragma(Self.foreignKeys, to: "ON", expecting: "1")
    if knowsOldRenaming { try engine.setPragma(Self.oldRenaming, to: "OFF", expecting: "0") }
  }
}
