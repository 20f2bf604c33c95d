import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// The creation of a new vault in an empty file.
struct VaultCreation {
  let path: String
  let held: HeldFile
  let key: VaultKey
  let engine: EngineInfo
  let settings: VaultConfiguration

  /// Writes the first pages and verifies in the file itself that they are encrypted.
  ///
  /// - Returns: The file and its writer connection; `nil` if another process wrote to the file
  ///   first.
  func create() throws -> (file: OpenedFile, writer: Session?)? {
    let newKey = try NewFileKey(
      key, forFileAt: path,
      scheme: CipherScheme(settings.cipherFormat.format(on: engine), header: settings.fileHeader),
      pageSize: 4096)
    let file = OpenedFile(
      held: held, cipher: newKey.cipher, key: key, keyring: try newKey.keyring())
    var isDone = false
    defer { if !isDone { newKey.withdraw() } }
    let session: Session
    do {
      session = try file.connect(.writer, path: path, settings: settings, creating: true)
      isDone = try Connection.whileWritingFirstPage {
        // No write-ahead log yet: the first page must be in the file itself to be verified.
        try session.execute("BEGIN EXCLUSIVE")
        guard held.size == 0 else {
          try session.execute("ROLLBACK")
          return false
        }
        // No other process can be creating the vault now, so the file gets this key.
        try newKey.announce()
        try SystemTables(session).create(vaultID: newKey.vaultID)
        try session.execute("COMMIT")
        return true
      }
      if !isDone { return nil }
    } catch let error as DriverError where error.code == .notADatabase {
      // The pages of another process have another salt.
      return nil
    }
    guard try file.isFirstPageSealed() else {
      try? session.engine.close()
      unlink(path)
      newKey.withdraw()
      throw VaultError(
        .unusableEngine,
        "SQLCipher at '\(engine.imagePath)' did not encrypt the first page of the new file "
          + "'\(path)' as requested. The file was removed. Check which library the process loads.")
    }
    // If this fails, the next opening does it.
    try? newKey.confirm()
    try SystemTables(session).enterWriteAheadLog()
    return (file, session)
  }
}
