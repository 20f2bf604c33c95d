import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultKeys

/// A file opened as another program would open it: by the stock engine alone, with an unchanged
/// key.
///
/// The library's own handling of keys and files is bypassed, so that mistakes in it show.
enum StockFile {
  /// Executes statements as another program would.
  ///
  /// A missing file is created in the engine's own cipher format.
  static func execute(_ statements: [String], on file: URL, key: FixtureKey) throws {
    let connection: Connection
    if try size(of: file) > 0 {
      connection = try open(file, key: key, settings: recognise(file, key: key))
    } else {
      connection = try open(file, key: key, settings: newest, mode: .create)
    }
    for (index, statement) in statements.enumerated() {
      do {
        try connection.execute(statement)
      } catch {
        throw RunnerError("statement \(index + 1), '\(statement)': \(error)")
      }
    }
    try connection.close()
  }

  /// Opens a file that is not in use elsewhere, such as a copy, and detects its cipher settings.
  static func open(copy file: URL, key: FixtureKey) throws -> (Connection, CipherSettings) {
    // A log or journal is replayed on opening, which must not happen with wrong cipher settings.
    if try hasJournal(file) {
      let settings = try recognise(file, key: key)
      return (try open(file, key: key, settings: settings), settings)
    }
    do {
      // Nearly every file has these settings, and trying them first derives a passphrase's key only
      // once.
      let settings = try newest
      return (try open(file, key: key, settings: settings), settings)
    } catch let error as DriverError where error.code == .notADatabase {
      let settings = try recognise(file, key: key)
      return (try open(file, key: key, settings: settings), settings)
    }
  }

  /// Opens a file with known cipher settings.
  static func open(
    _ file: URL, key: FixtureKey, settings: CipherSettings, mode: Connection.Mode = .readWrite
  ) throws -> Connection {
    var options = ConnectionOptions()
    // The default of a program that sets no options.
    options.foreignKeys = false
    return try key.engineForm().withUnsafeBytes {
      try Connection(
        path: file.path, mode: mode, key: $0, cipher: settings, options: options)
    }
  }

  private static var newest: CipherSettings {
    get throws { CipherSettings(format: try Engine.prove().newestCipherFormat) }
  }

  private static func recognise(_ file: URL, key: FixtureKey) throws -> CipherSettings {
    let raw = try Connection(looking: file.path)
    defer { try? raw.close() }
    var recogniser = FormatRecogniser(formats: [.format4, .format3, .format2, .format1])
    recogniser.namesUnauthenticated = true
    let found = try recogniser.recognise(
      file: file.lastPathComponent, size: raw.fileSize, key: key.resolved(),
      hasJournal: hasJournal(file)
    ) { offset, count in try raw.readRaw(offset: offset, count: count) }
    return CipherSettings(format: found.format.rawValue, pageSize: found.pageSize)
  }

  private static func hasJournal(_ file: URL) throws -> Bool {
    try ["-wal", "-journal"].contains { try size(of: URL(fileURLWithPath: file.path + $0)) > 0 }
  }

  private static func size(of file: URL) throws -> Int64 {
    guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes[.size] as? NSNumber)?.int64Value ?? 0
  }
}
