import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

/// Makes a new vault in an empty file.
struct VaultCreation {
  let path: String
  let held: HeldFile
  let key: ResolvedKey
  let engine: EngineInfo
  let settings: VaultConfiguration

  /// Writes the first pages, and proves from the file itself that they are encrypted.
  ///
  /// - Returns: `nil` where another process wrote to the file first.
  func create() throws -> (file: OpenedFile, writer: VaultConnection?)? {
    let format: CipherFormat =
      settings.cipherFormat == .portable || engine.newestCipherFormat < 4 ? .format3 : .format4
    let salt = try key.salt ?? FileSalt.random()
    let file = OpenedFile(
      held: held, format: format, pageSize: 4096, rawKey: try key.rawKey(for: format, salt: salt),
      salt: salt)
    let connection: VaultConnection
    do {
      connection = try file.connect(.writer, path: path, settings: settings, creating: true)
      // Not yet a write-ahead log: the first page must be in the file itself to be looked at.
      try connection.execute("BEGIN EXCLUSIVE")
      guard held.size == 0 else {
        try connection.execute("ROLLBACK")
        return nil
      }
      try SystemTables(connection).create()
      try connection.execute("COMMIT")
    } catch let error as EngineError where error.code == .notADatabase {
      // What another process wrote has another salt.
      return nil
    }
    guard try file.isFirstPageSealed() else {
      try? connection.engine.close()
      unlink(path)
      throw VaultError(
        .unusableEngine,
        "SQLCipher at '\(engine.imagePath)' did not encrypt the first page of the new file "
          + "'\(path)' as asked. The file was removed. Check which library the process loads.")
    }
    try SystemTables(connection).enterWriteAheadLog()
    return (file, connection)
  }
}
