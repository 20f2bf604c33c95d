internal import CSQLCipher
package import ObjectVaultDriver

extension CipherSettings {
  func check(_ engine: EngineInfo) throws(DriverError) {
    guard (1...4).contains(format), format <= engine.newestCipherFormat else {
      throw DriverError(
        .unsupportedFormat,
        "SQLCipher \(engine.cipherVersion) does not support cipher format \(format). Use a format "
          + "from 1 to \(engine.newestCipherFormat).")
    }
    guard !hasPlaintextHeader || format >= 4 else {
      throw DriverError(
        .unsupportedFormat,
        "A plaintext header requires cipher format 4, but the requested format is \(format). Use "
          + "format 4 with SQLCipher 4, or an encrypted header.")
    }
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0, rounds > 0 else {
      throw DriverError(
        .unsupportedFormat,
        "Pages of \(pageSize) bytes with \(rounds) rounds are not possible. Use a power of two "
          + "from 512 to 65536 bytes and at least one round.")
    }
  }
}

extension Connection {
  /// Sets the cipher after the key and before the first page is read.
  ///
  /// The order is such that no setting undoes another: compatibility, page size, rounds.
  func apply(_ cipher: CipherSettings, _ engine: EngineInfo) throws(DriverError) {
    let isModern = engine.cipherMajor >= 4
    let rounds = "\(cipher.rounds)"
    var wanted = [
      ("cipher_use_hmac", cipher.usesHMAC ? "1" : "0"),
      ("cipher_page_size", "\(cipher.pageSize)"),
    ]
    if isModern {
      let hash = cipher.format >= 4 ? "SHA512" : "SHA1"
      wanted += [
        ("cipher_hmac_algorithm", "HMAC_\(hash)"),
        ("cipher_kdf_algorithm", "PBKDF2_HMAC_\(hash)"),
        ("cipher_plaintext_header_size", "\(cipher.plaintextHeaderSize)"),
      ]
      // In most cases these are the defaults.
      if try areTold(wanted + [("kdf_iter", rounds)]) {
        try applyAuthentication(cipher, engine)
        return
      }
      try setPragma("cipher_compatibility", to: "\(cipher.format)", expecting: nil)
    }
    if !cipher.usesHMAC { try setPragma("cipher_use_hmac", to: "OFF", expecting: nil) }
    try setPragma("cipher_page_size", to: "\(cipher.pageSize)", expecting: nil)
    if cipher.hasPlaintextHeader {
      try setPragma(
        "cipher_plaintext_header_size", to: "\(cipher.plaintextHeaderSize)", expecting: nil)
    }
    for (name, value) in wanted { try expectPragma(name, value) }
    if try pragma("kdf_iter") != rounds {
      try setPragma("kdf_iter", to: rounds, expecting: rounds)
    }
    try applyAuthentication(cipher, engine)
  }

  /// Sets the page authentication if it differs from the defaults of all formats.
  ///
  /// The mask of the salt is a setting of the whole process; ``SaltMask`` sets it.
  private func applyAuthentication(
    _ cipher: CipherSettings, _ engine: EngineInfo
  ) throws(DriverError) {
    guard cipher.usesHMAC else { return }
    var wanted: [(name: String, value: String)] = []
    if cipher.hmacPageNumberOrder != "le" {
      wanted.append(("cipher_hmac_pgno", cipher.hmacPageNumberOrder))
    }
    if cipher.hmacIterations != 2 {
      wanted.append(("fast_kdf_iter", "\(cipher.hmacIterations)"))
    }
    for (name, value) in wanted {
      do throws(DriverError) {
        try setPragma(name, to: value, expecting: value)
      } catch {
        throw .lacks(name, of: engine, error)
      }
    }
  }

  /// Returns whether the cipher settings have these values.
  ///
  /// Newer engines return all settings at once.
  private func areTold(_ wanted: [(name: String, value: String)]) throws(DriverError) -> Bool {
    let told = try firstColumn("PRAGMA cipher_settings")
    return wanted.allSatisfy { told.contains("PRAGMA \($0.name) = \($0.value);") }
  }

  /// Sets the options of a connection and reads them back.
  func apply(_ options: ConnectionOptions, _ engine: EngineInfo) throws(DriverError) {
    try setPragma("temp_store", to: "MEMORY", expecting: "2")
    try configure(SQLITE_DBCONFIG_ENABLE_FKEY, to: options.foreignKeys, "foreign_keys")
    try configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, to: false, "load_extension")
    if engine.sqliteVersionNumber >= 3_031_000 {
      // SQLITE_DBCONFIG_TRUSTED_SCHEMA, which older headers lack.
      try configure(1017, to: false, "trusted_schema")
    }
    var mapped: sqlite3_int64 = 0
    sqlite3_file_control(try open(), "main", SQLITE_FCNTL_MMAP_SIZE, &mapped)
    try expect("mmap_size", mappedSize(), "0")
    try setPragma(
      "secure_delete", to: options.secureDelete ? "ON" : "OFF",
      expecting: options.secureDelete ? "1" : "0")
    try expectTaken(
      "wal_autocheckpoint", sqlite3_wal_autocheckpoint(try open(), options.walAutocheckpoint))
    if options.journalSizeLimit >= 0 {
      let size = "\(options.journalSizeLimit)"
      try setPragma("journal_size_limit", to: size, expecting: size)
    }
    if options.isExclusive {
      // If set before the first access to a write-ahead log, it excludes others from the whole
      // file.
      try setPragma("locking_mode", to: "EXCLUSIVE", expecting: "exclusive")
    }
    if options.isGuarded { try guardAgainstContent(options, engine) }
    if let limit = options.valueSizeLimit { try limitValueSize(to: Int32(clamping: limit)) }
    if options.onlyLocks {
      // The field of the header is read without the schema. The transaction retains the lock.
      try execute("BEGIN")
      _ = try pragma("user_version")
      return
    }
    // From here on, the schema is read, and its first page proves the key.
    try setPragma(
      "synchronous", to: "\(options.synchronous.rawValue)",
      expecting: "\(options.synchronous.rawValue)")
    try setPragma(
      "cache_size", to: "\(-options.cacheKiB)", expecting: "\(-options.cacheKiB)")
    if let limit = options.fileSizeLimit, let cipher {
      // The engine has at most so many pages, and newer engines more.
      let pages = "\(min(1_073_741_823, max(1, limit / cipher.pageSize)))"
      try setPragma("max_page_count", to: pages, expecting: pages)
    }
  }

  /// Prepares the connection for a file that may be malicious.
  ///
  /// Nothing of the file is read yet.
  private func guardAgainstContent(
    _ options: ConnectionOptions, _ engine: EngineInfo
  ) throws(DriverError) {
    try setPragma("cell_size_check", to: "ON", expecting: "1")
    if options.isDefensive, engine.sqliteVersionNumber >= 3_026_000 {
      try configure(Self.defensive, to: true, "defensive")
    }
    for (limit, value) in [
      (SQLITE_LIMIT_SQL_LENGTH, 1_000_000), (SQLITE_LIMIT_TRIGGER_DEPTH, 100),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ] { sqlite3_limit(try open(), limit, Int32(value)) }
  }

  /// SQLITE_DBCONFIG_DEFENSIVE, which older headers lack.
  private static let defensive: Int32 = 1010

  /// Calls `body` with the engine's defensive mode off.
  ///
  /// Defensive mode would also protect the tables of full-text indexes in the schema `temp`.
  package func withoutDefensiveMode<R>(_ body: () throws -> R) throws -> R {
    var isOn: Int32 = 0
    guard ov_db_config(try open(), Self.defensive, -1, &isOn) == SQLITE_OK, isOn == 1 else {
      return try body()
    }
    try configure(Self.defensive, to: false, "defensive")
    let result = Result { try body() }
    try configure(Self.defensive, to: true, "defensive")
    return try result.get()
  }

  /// Lowers the maximum size in bytes of a text or a blob.
  package func limitValueSize(to bytes: Int32) throws(DriverError) {
    sqlite3_limit(try open(), SQLITE_LIMIT_LENGTH, max(0, bytes))
  }

  /// Checks the result of a setting that is made by a function call instead of a pragma.
  func expectTaken(_ name: String, _ code: Int32) throws(DriverError) {
    guard code == SQLITE_OK else {
      throw DriverError(
        .settingNotApplied(name),
        "The engine did not accept the setting \(name). Check which SQLCipher the process loads.",
        resultCode: code)
    }
  }

  private func mappedSize() throws(DriverError) -> String {
    var size: sqlite3_int64 = -1
    sqlite3_file_control(try open(), "main", SQLITE_FCNTL_MMAP_SIZE, &size)
    return "\(max(size, 0))"
  }

  private func configure(_ setting: Int32, to value: Bool, _ name: String) throws(DriverError) {
    var applied: Int32 = -1
    let code = ov_db_config(try open(), setting, value ? 1 : 0, &applied)
    try expect(name, code == SQLITE_OK ? "\(applied)" : nil, value ? "1" : "0")
  }
}
