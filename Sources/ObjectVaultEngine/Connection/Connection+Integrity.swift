extension Connection {
  /// What is wrong with the file, in the engine's words; empty when all pages authenticate and the
  /// structure is sound.
  ///
  /// Every page is authenticated where the engine can do that by itself (4.2 and later). Older
  /// ones only meet the pages that tables and indexes use.
  package func integrityProblems() throws(EngineError) -> [String] {
    var problems: [String] = []
    // Pages of format 1 have no seals; the engine would report that as a problem.
    if try Engine.prove().cipherMajor >= 4, try pragma("cipher_use_hmac") != "0" {
      // No row means that all is well, so that an engine without the pragma must not be asked.
      problems += try rows("PRAGMA cipher_integrity_check")
    }
    problems += try structureProblems()
    return problems
  }

  /// What is wrong with tables and indexes, in the engine's words; empty when they are sound. Only
  /// the pages that they use are met.
  package func structureProblems() throws(EngineError) -> [String] {
    try forgetWordsReadBefore()
    return try rows("PRAGMA integrity_check").filter { $0 != "ok" }
  }

  /// Has FTS5 look at its indexes anew.
  ///
  /// It keeps what it read of an index until somebody asks it for rows, and newer engines check it
  /// against that without asking (SQLite 3.44 and later, "The Integrity Check" of virtual tables): an
  /// index that another connection has made anew since would be called unsound.
  private func forgetWordsReadBefore() throws(EngineError) {
    let tables = try rows(
      "SELECT '\"' || replace(name, '\"', '\"\"') || '\"' FROM sqlite_master "
        + "WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'")
    for table in tables {
      // One that is damaged or whose module is missing is for the check to name.
      _ = try? rows("SELECT rowid FROM \(table) LIMIT 1")
    }
  }

  private func rows(_ sql: String) throws(EngineError) -> [String] {
    let statement = try prepare(sql, persistent: false)
    var rows: [String] = []
    do throws(EngineError) {
      while try statement.step() {
        if let row = statement.row.text(at: 0) { rows.append(row) }
      }
    } catch {
      // A bad page may also end the check itself.
      guard [.corrupt, .notADatabase, .sqlError].contains(error.code) else { throw error }
      rows.append(error.message)
    }
    return rows
  }
}

extension Connection {
  /// The tables whose rows refer to rows that are not there, each once; and what the engine says
  /// where it cannot check, because a reference names a table or columns that there are not. Such
  /// a declaration does no harm until foreign keys are enforced.
  package func tablesWithBrokenReferences() throws(EngineError) -> [String] {
    var tables: [String] = []
    do throws(EngineError) {
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
