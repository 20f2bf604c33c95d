import ObjectVaultDriver
import ObjectVaultEngine

/// A comparison of the contents of two files, independent of the keys of their pages.
///
/// Both files are read in parallel and every value is compared as it is stored. This needs no
/// digest and locates the first difference.
struct ContentComparison {
  let original: Connection
  let copy: Connection
  /// The settings that the copy has intentionally changed, such as `page_size`.
  var meantToDiffer: Set<String> = []

  /// Compares the files.
  ///
  /// - Throws: `.damaged` with the first difference.
  func check() throws {
    for setting in ["user_version", "application_id", "auto_vacuum", "page_size", "encoding"]
    where !meantToDiffer.contains(setting) {
      guard try original.pragma(setting) == copy.pragma(setting) else {
        throw VaultError.copyDiffers(in: "the setting \(setting)")
      }
    }
    let isUTF16 = try original.pragma("encoding")?.hasPrefix("UTF-16") ?? false
    // A copy by rows creates indexes after their tables, so the original order is not compared.
    try compare(
      "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name",
      "the schema table", isUTF16)
    for table in try tables() {
      let rows = try StoredTable(table, in: original).wholeSelection
      try compare(rows, "table '\(table)'", isUTF16)
    }
  }

  /// Returns the tables that have pages.
  ///
  /// The contents of virtual tables are in other tables.
  private func tables() throws -> [String] {
    let statement = try original.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0", persistent: false)
    var names: [String] = []
    while try statement.step() {
      if let name = statement.row.text(at: 0) { names.append(name) }
    }
    return names
  }

  /// Compares the results of a statement in both files row by row.
  private func compare(_ sql: String, _ what: String, _ isUTF16: Bool) throws {
    let first = try original.prepare(sql, persistent: false)
    let second = try copy.prepare(sql, persistent: false)
    var number = 0
    while try first.step() {
      number += 1
      guard try second.step() else {
        throw VaultError.copyDiffers(in: "\(what), which ends before row \(number)")
      }
      guard first.row.isIdentical(to: second.row, isUTF16: isUTF16) else {
        throw VaultError.copyDiffers(in: "row \(number) of \(what)")
      }
    }
    guard try !second.step() else {
      throw VaultError.copyDiffers(in: "\(what), which has more than \(number) rows")
    }
  }

}

extension VaultError {
  /// Returns the error about a copy that differs from its original in some part.
  static func copyDiffers(in what: String) -> VaultError {
    VaultError(
      .damaged,
      "The copy differs from the original in \(what). It was discarded, and the original is "
        + "unchanged. Check the disk and the memory of this machine, and try again.")
  }
}
