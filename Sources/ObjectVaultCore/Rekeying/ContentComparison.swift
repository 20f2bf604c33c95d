import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

/// Whether two files hold the same, whatever the keys of their pages.
struct ContentComparison {
  let original: Connection
  let copy: Connection

  /// - Parameter progress: Told how many of how many tables were compared.
  /// - Throws: `.damaged` where the copy differs, with the first difference.
  func check(_ progress: (Int, Int) throws -> Void) throws {
    for setting in ["user_version", "application_id", "auto_vacuum", "page_size", "encoding"] {
      guard try original.pragma(setting) == copy.pragma(setting) else {
        throw different("the setting \(setting)")
      }
    }
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    guard try digest(of: schema, on: original) == digest(of: schema, on: copy) else {
      throw different("the list of tables")
    }
    let tables = try self.tables()
    try progress(0, tables.count)
    for (number, table) in tables.enumerated() {
      guard try digest(ofTable: table, on: original) == digest(ofTable: table, on: copy) else {
        throw different("table '\(table)'")
      }
      try progress(number + 1, tables.count)
    }
  }

  /// The tables that have pages; what virtual ones hold stands in others.
  private func tables() throws -> [String] {
    let statement = try original.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0", persistent: false)
    var names: [String] = []
    while try statement.step() {
      if let name = statement.row.text(at: 0) { names.append(name) }
    }
    return names
  }

  private func digest(ofTable table: String, on connection: Connection) throws -> [UInt8] {
    let name = SQL.quoted(table)
    // A table without a rowid says so by having no such column; the order is that of the table.
    if (try? connection.prepare("SELECT rowid FROM \(name)", persistent: false)) != nil {
      return try digest(of: "SELECT rowid, * FROM \(name) NOT INDEXED", on: connection)
    }
    return try digest(of: "SELECT * FROM \(name) NOT INDEXED", on: connection)
  }

  /// The digest of all rows: of each value its storage class and its bytes, behind their number.
  private func digest(of sql: String, on connection: Connection) throws -> [UInt8] {
    let statement = try connection.prepare(sql, persistent: false)
    var digest = try ContentDigest()
    while try statement.step() {
      let row = statement.row
      digest.update(UInt32(truncatingIfNeeded: row.columnCount))
      for position in 0..<row.columnCount {
        let storageClass = row.storageClass(at: position)
        digest.update(storageClass)
        switch storageClass {
        case StorageClass.integer: digest.update(row.integer(at: position))
        case StorageClass.real: digest.update(row.real(at: position).bitPattern)
        case StorageClass.text, StorageClass.blob:
          row.withBytes(at: position) { bytes in
            digest.update(UInt64(bytes.count))
            digest.update(bytes)
          }
        default: break
        }
      }
    }
    return try digest.finish()
  }

  private func different(_ what: String) -> VaultError {
    VaultError(
      .damaged,
      "The copy differs from the original in \(what), so it was given up and the original kept. Check "
        + "the disk and the memory of this machine, and try again.")
  }
}
