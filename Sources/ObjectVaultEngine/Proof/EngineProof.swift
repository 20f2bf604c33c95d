internal import CSQLCipher
import ObjectVaultDriver

/// The steps of the proof.
///
/// Each must succeed before the next is tried.
enum EngineProof {
  static func run() throws(DriverError) -> EngineInfo {
    let image = try proveOneImage()
    try proveBuild()
    var database: OpaquePointer?
    let code = sqlite3_open_v2(
      ":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    defer { sqlite3_close(database) }
    guard code == SQLITE_OK, let database else {
      throw DriverError(
        .unsupportedEngine,
        "\(image) cannot open a database in memory. Install a working SQLCipher.", resultCode: code)
    }
    let version = try proveCipher(database, image: image)
    let major = Int(version.prefix { $0.isNumber }) ?? 0
    let number = Int(sqlite3_libversion_number())
    guard major >= 3, number >= 3_015_002 else {
      throw DriverError(
        .unsupportedEngine,
        "\(image) is SQLCipher \(version) (SQLite \(number)), but 3.4.1 (SQLite 3.15.2) or newer "
          + "is needed. Install the libsqlcipher of Debian 12, Debian 13 or Homebrew.")
    }
    return EngineInfo(
      cipherVersion: version, cipherMajor: major,
      sqliteVersion: String(cString: sqlite3_libversion()), sqliteVersionNumber: number,
      imagePath: image, newestCipherFormat: major >= 4 ? 4 : 3,
      maxVariables: Int(sqlite3_limit(database, SQLITE_LIMIT_VARIABLE_NUMBER, -1)),
      hasFTS4: hasModule("fts4", database), hasFTS5: hasModule("fts5", database),
      compileOptions: compileOptions())
  }

  /// Checks that opening and keying are calls into one library, and returns its path.
  ///
  /// Calling them to find out would crash.
  private static func proveOneImage() throws(DriverError) -> String {
    let open = ov_address_of_open()
    let path = Engine.imagePath(of: open)
    for other in [ov_address_of_key(), ov_address_of_prepare(), ov_address_of_step()] {
      guard Engine.areInOneImage(open, other) else {
        throw DriverError(
          .notSQLCipher,
          "This process has two SQLite libraries: \(path) opens files, and "
            + "\(Engine.imagePath(of: other)) encrypts them, so files would be unencrypted. Load "
            + "SQLCipher before plain SQLite (LD_PRELOAD, link order).")
      }
    }
    return path
  }

  private static func proveBuild() throws(DriverError) {
    guard sqlite3_threadsafe() != 0 else {
      throw DriverError(
        .unsupportedEngine,
        "The engine was built without thread safety. Install one built with SQLITE_THREADSAFE=1.")
    }
    // With 0, temporary tables are always in unencrypted files, whatever a connection requests.
    guard sqlite3_compileoption_used("TEMP_STORE=0") == 0 else {
      throw DriverError(
        .unsupportedEngine,
        "The engine was built to store temporary tables in unencrypted files. Install one built "
          + "with SQLITE_TEMP_STORE=2.")
    }
  }

  /// Returns the version of SQLCipher.
  ///
  /// Plain SQLite does not know the pragma and returns nothing.
  private static func proveCipher(
    _ database: OpaquePointer, image: String
  ) throws(DriverError) -> String {
    // A raw key, so that nothing is derived. There is nothing to protect here.
    let key = "x'" + String(repeating: "00", count: 32) + "'"
    let code = key.withCString { sqlite3_key_v2(database, "main", $0, Int32(key.utf8.count)) }
    if code == SQLITE_OK { silence(database) }
    guard code == SQLITE_OK, let version = firstText(database, "PRAGMA cipher_version") else {
      throw DriverError(
        .notSQLCipher,
        "\(image) is plain SQLite and would write files unencrypted. Install SQLCipher (apt "
          + "install libsqlcipher-dev, brew install sqlcipher) and link it.",
        resultCode: code)
    }
    return version
  }

  /// Disables the log messages of the engine: versions from 4.6 on report every wrong key and
  /// damaged page on standard error.
  ///
  /// The setting belongs to the process. The first key of the process resets it to its default
  /// (observed with 4.6.1), so it must be set after a key. The key here is for a database without
  /// pages.
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
