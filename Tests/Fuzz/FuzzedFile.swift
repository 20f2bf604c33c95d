import Foundation
import ObjectVaultConformance
import ObjectVaultEngine

import ObjectVaultCore
import ObjectVaultTool

/// Files of fuzzed bytes in the temporary folder.
enum FuzzedFile {
  private static let shared = folder()

  /// Returns the path of a new folder.
  static func folder() -> String {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("vaultfuzz-\(UUID())")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url.path
  }

  private static func emptied() throws -> String {
    for name in try FileManager.default.contentsOfDirectory(atPath: shared) {
      try FileManager.default.removeItem(atPath: "\(shared)/\(name)")
    }
    return shared
  }

  /// Opens, verifies and salvages a file with these bytes.
  static func examine(_ bytes: [UInt8], key: VaultKey?) throws {
    let folder = try emptied()
    let path = folder + "/fuzz.db"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = try DatabaseFile(at: path, key: key)
    let isOpened = (try? file.verify()) != nil
    // A salvage takes as long to find that the key does not open the file.
    guard isOpened || key == nil else { return }
    _ = try? file.salvage(to: folder + "/salvaged.db", key: .raw([UInt8](repeating: 9, count: 32)))
  }

  /// Opens, verifies and salvages a database with this text in its schema.
  static func examine(schema: String) throws {
    let folder = try emptied()
    let path = folder + "/made.db"
    do {
      let key = "x'\(String(repeating: "07", count: 48))'"
      let connection = try Array(key.utf8).withUnsafeBytes {
        try Connection(
          path: path, mode: .create, key: $0,
          cipher: CipherSettings(format: try Engine.prove().newestCipherFormat))
      }
      try connection.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'x')")
      try connection.execute("PRAGMA writable_schema = ON")
      let statement = try connection.prepare("UPDATE sqlite_master SET sql = ?")
      StoredValue.text(schema).bind(to: statement.binder, at: 0)
      try statement.run()
      try connection.close()
    }
    let key = VaultKey.raw([UInt8](repeating: 7, count: 32))
    let file = try DatabaseFile(at: path, key: key)
    _ = try? file.verify()
    _ = try? file.salvage(to: folder + "/salvaged.db")
    let vault = try Vault(at: path, key: key)
    defer { vault.close() }
    _ = try? vault.classes()
  }

  /// Imports the bytes into a new class.
  static func importing(_ bytes: [UInt8], _ format: ImportFormat) throws {
    let folder = try emptied()
    let vault = try Vault(at: folder + "/fuzz.vault", key: .raw([UInt8](repeating: 7, count: 32)))
    defer { vault.close() }
    let source = try RecordSources.open(
      ByteInput(bytes: bytes, name: "'fuzz'"), path: "fuzz", format: format,
      delimiter: nil)
    _ = try Importer(vault: vault, className: "Fuzz").run(source, input: "'fuzz'")
  }
}
