/// The version and the features of the engine in this process, as reported by it.
package struct EngineInfo: Sendable {
  /// The value of `PRAGMA cipher_version`, such as `4.6.1 community`.
  package let cipherVersion: String
  /// The first number of ``cipherVersion``.
  package let cipherMajor: Int
  /// The version of the included SQLite, such as `3.46.1`.
  package let sqliteVersion: String
  /// The version of the included SQLite as a number, such as 3046001.
  package let sqliteVersionNumber: Int
  /// The file that the engine was loaded from.
  package let imagePath: String
  /// The newest cipher format that the engine reads and writes: 3 or 4.
  package let newestCipherFormat: Int
  /// The maximum number of parameters of a statement.
  package let maxVariables: Int
  /// Whether the FTS4 module is available.
  package let hasFTS4: Bool
  /// Whether the FTS5 module is available.
  package let hasFTS5: Bool
  /// The options that the engine was compiled with, as it names them.
  package let compileOptions: [String]
}
