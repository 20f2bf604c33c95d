/// What the engine in this process is and can do, as it answered.
package struct EngineInfo: Sendable {
  /// What `PRAGMA cipher_version` says, such as `4.6.1 community`.
  package let cipherVersion: String
  /// The first number of ``cipherVersion``.
  package let cipherMajor: Int
  /// The version of SQLite inside, such as `3.46.1`.
  package let sqliteVersion: String
  /// The version of SQLite inside as a number, such as 3046001.
  package let sqliteVersionNumber: Int
  /// The file the engine was loaded from.
  package let imagePath: String
  /// The newest cipher format it reads and writes: 3 or 4.
  package let newestCipherFormat: Int
  /// How many parameters one statement may have.
  package let maxVariables: Int
  /// Whether the FTS4 module is there.
  package let hasFTS4: Bool
  /// Whether the FTS5 module is there.
  package let hasFTS5: Bool
  /// The options the engine was compiled with, as it names them.
  package let compileOptions: [String]
}
