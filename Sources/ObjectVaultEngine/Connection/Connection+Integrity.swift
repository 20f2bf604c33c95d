package import ObjectVaultDriver

extension Connection {
  /// Returns the problems of the file in the engine's words; empty if all pages authenticate and
  /// the structure is sound.
  ///
  /// Engines from 4.2 on authenticate every page. Older engines check only the pages that tables
  /// and indexes use.
  package func integrityProblems() throws(DriverError) -> [String] {
    var problems: [String] = []
    // Pages of format 1 have no authentication codes, which the engine would report as a problem.
    if try Engine.prove().cipherMajor >= 4, try pragma("cipher_use_hmac") != "0" {
      // No row means no problem. An engine without the pragma also returns no row, so check the
      // version first.
      problems += try rows("PRAGMA cipher_integrity_check")
    }
    problems += try structureProblems()
    return problems
  }

  /// Returns the problems of tables and indexes in the engine's words; empty if they are sound.
  ///
  /// Only the pages that tables and indexes use are read.
  package func structureProblems() throws(DriverError) -> [String] {
    try forgetWordsReadBefore()
    // Some engines return several problems in one row, after the name of the database.
    return try rows("PRAGMA integrity_check").flatMap { $0.split(separator: "\n") }
      .filter { $0 != "ok" && !$0.hasPrefix("*** in database") }.map(String.init)
  }

  /// Makes FTS5 read its indexes again.
  ///
  /// FTS5 caches the contents of an index until it is queried for rows. Newer engines compare the
  /// index with that cache without a query (SQLite 3.44 and later, "The Integrity Check" of virtual
  /// tables), and so would report an index as unsound if another connection has rebuilt it since.
  private func forgetWordsReadBefore() throws(DriverError) {
    let tables = try rows(
      "SELECT '\"' || replace(name, '\"', '\"\"') || '\"' FROM sqlite_master "
        + "WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'")
    for table in tables {
      // The integrity check reports an index that is damaged or lacks its module.
      _ = try? rows("SELECT rowid FROM \(table) LIMIT 1")
    }
  }

  private func rows(_ sql: String) throws(DriverError) -> [String] {
    let statement = try prepare(sql, persistent: false)
    var rows: [String] = []
    do throws(DriverError) {
      while try statement.step() {
        if let row = statement.row.text(at: 0) { rows.append(row) }
      }
    } catch {
      // A damaged page may also end the check itself.
      guard [.corrupt, .notADatabase, .sqlError].contains(error.code) else { throw error }
      rows.append(error.message)
    }
    return rows
  }
}

extension Connection {
  /// Returns the tables with references to missing rows, without duplicates.
  ///
  /// If the engine cannot check because a reference names a missing table or column, the result
  /// contains its message. Such a declaration is harmless until foreign keys are enforced.
  package func tablesWithBrokenReferences() throws(DriverError) -> [String] {
    var tables: [String] = []
    do throws(DriverError) {
      let statement = try prepare("PRAGMA foreign_key_check", persistent: false)
      while try statement.step() {
        if let table = statement.row.text(at: 0), !tables.contains(table) { tables.append(table) }
      }
    } catch {
      guard error.code == .sqlError else { throw error }
      tables.append(error.message)
    }
    return tables
  }
}
