import Foundation
import ObjectVaultKeys
import TestSupport

extension CipherShell {
  static let passphrase = "open sesame"

  /// The pragmas that make any version of the shell write a format; the older one does not know
  /// the first of them, and ignores it.
  static func settings(_ format: CipherFormat, pageSize: Int) -> [String] {
    var pragmas = ["PRAGMA cipher_compatibility=\(format.rawValue);"]
    if format == .format1 { pragmas.append("PRAGMA cipher_use_hmac=OFF;") }
    if format < .format3 { pragmas.append("PRAGMA kdf_iter=4000;") }
    return pragmas + ["PRAGMA cipher_page_size=\(pageSize);"]
  }

  /// Makes a database of several pages and gives its bytes.
  static func database(
    _ format: CipherFormat, pageSize: Int, key: String = "'\(passphrase)'", extra: [String] = [],
    rows: Int = 40, in folder: TemporaryFolder
  ) throws -> [UInt8] {
    let path = folder.path("shell-\(format)-\(pageSize)-\(UUID().uuidString).db")
    _ = try run(
      path,
      ["PRAGMA key=\(key);"] + settings(format, pageSize: pageSize) + extra + [
        "CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT);",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<\(rows)) "
          + "INSERT INTO note SELECT i, 'note number '||i||hex(zeroblob(\(pageSize / 16))) FROM n;",
      ])
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
