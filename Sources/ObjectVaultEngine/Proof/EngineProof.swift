internal import CSQLCipher

/// The steps of the proof, each of which must hold before the next may be tried.
enum EngineProof {
  static func run() throws(EngineError) -> EngineInfo {
    let image = try proveOneImage()
    try proveBuild()
    var database: OpaquePointer?
    let code = sqlite3_open_v2(
      ":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    defer { sqlite3_close(database) }
    guard code == SQLITE_OK, let database else {
      throw EngineError(
        .unsupportedEngine, "\(image) cannot open a database in memory", resultCode: code)
    }
    let version = try proveCipher(database, image: image)
    let major = Int(version.prefix { $0.isNumber }) ?? 0
    let number = Int(sqlite3_libversion_number())
    guard major >= 3, number >= 3_015_002 else {
      throw EngineError(
        .unsupportedEngine,
        "\(image) is SQLCipher \(version) (SQLite \(number)); 3.4.1 (SQLite 3.15.2) or newer is "
          + "needed: install the libsqlcipher of Debian 12, Debian 13 or Homebrew")
    }
    return EngineInfo(
      cipherVersion: version, cipherMajor: major,
      sqliteVersion: String(cString: sqlite3_libversion()), sqliteVersionNumber: number,
      imagePath: image, newestCipherFormat: major >= 4 ? 4 : 3,
      maxVariables: Int(sqlite3_limit(database, SQLITE_LIMIT_VARIABLE_NUMBER, -1)),
      hasFTS4: hasModule("fts4", database), hasFTS5: hasModule("fts5", database),
      compileOptions: compileOptions())
  }

  /// Opening and keying must be calls into one library. Calling them to find out would crash.
  private static func proveOneImage() throws(EngineError) -> String {
    let open = ov_address_of_open()
    let base = Engine.imageBase(of: open)
    let path = Engine.imagePath(of: open)
    for other in [ov_address_of_key(), ov_address_of_prepare(), ov_address_of_step()] {
      guard base != nil, Engine.imageBase(of: other) == base else {
        throw EngineError(
          .notSQLCipher,
          "two SQLite libraries answer in this process: \(path) opens files, "
            + "\(Engine.imagePath(of: other)) would encrypt them. Files would be written in clear; "
            + "put SQLCipher before plain SQLite in the order of libraries (LD_PRELOAD, link order)"
        )
      }
    }
    return path
  }

  private static func proveBuild() throws(EngineError) {
    guard sqlite3_threadsafe() != 0 else {
      throw EngineError(
        .unsupportedEngine,
        "the engine was built without thread safety; install one built with SQLITE_THREADSAFE=1")
    }
    // With 0 temporary files are always files, in clear, whatever a connection asks for.
    guard sqlite3_compileoption_used("TEMP_STORE=0") == 0 else {
      throw EngineError(
        .unsupportedEngine,
        "the engine was built to keep temporary tables in files, in clear; install one built with "
          + "SQLITE_TEMP_STORE=2")
    }
  }

  /// Plain SQLite has no such pragma and answers nothing.
  private static func proveCipher(
    _ database: OpaquePointer, image: String
  ) throws(EngineError) -> String {
    // A raw key, so that nothing is derived; there is nothing here to protect.
    let key = "x'" + String(repeating: "00", count: 32) + "'"
    let code = key.withCString { sqlite3_key_v2(database, "main", $0, Int32(key.utf8.count)) }
    if code == SQLITE_OK { silence(database) }
    guard code == SQLITE_OK, let version = firstText(database, "PRAGMA cipher_version") else {
      throw EngineError(
        .notSQLCipher,
        "\(image) is plain SQLite and would write files in clear; install SQLCipher "
          + "(apt install libsqlcipher-dev, brew install sqlcipher) and link it", resultCode: code)
    }
    return version
  }

  /// From 4.6 on the engine reports every wrong key and damaged page on standard error.
  ///
  /// The setting belongs to the process. The process's first key sets it to its default (measured
  /// with 4.6.1), so that it must come after one; this one is on a database that has no pages.
  private static func silence(_ database: OpaquePointer) {
    sqlite3_exec(database, "PRAGMA cipher_log_level = NONE", nil, nil, nil)
  }

  private static func firstText(_ database: OpaquePointer, _ sql: String) -> String? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
    else { return nil }
    return String(cString: text)
  }

  private static func hasModule(_ module: String, _ database: OpaquePointer) -> Bool {
    let sql = "CREATE VIRTUAL TABLE probe_\(module) USING \(module)(content)"
    return sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
  }

  private static func compileOptions() -> [String] {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(Int32(options.count)) {
      options.append(String(cString: option))
    }
    return options
  }
}
