import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

/// A file as another program would open it: by the stock engine alone, with the key given to it as
/// it is. What the library makes of keys and files has no part in it, so that its mistakes show.
enum StockFile {
  /// Has another program execute statements; a file that is not there is made, in the engine's own
  /// cipher format.
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

  /// Opens a file that nobody else uses, such as a copy, and finds out how it is encrypted.
  static func open(copy file: URL, key: FixtureKey) throws -> (Connection, CipherSettings) {
    // A log or journal is played back on opening, which must not be done under a wrong cipher.
    if try hasJournal(file) {
      let settings = try recognise(file, key: key)
      return (try open(file, key: key, settings: settings), settings)
    }
    do {
      // Nearly every file is of this kind, and a passphrase is stretched only once for it.
      let settings = try newest
      return (try open(file, key: key, settings: settings), settings)
    } catch let error as EngineError where error.code == .notADatabase {
      let settings = try recognise(file, key: key)
      return (try open(file, key: key, settings: settings), settings)
    }
  }

  /// Opens a file whose cipher is known.
  static func open(
    _ file: URL, key: FixtureKey, settings: CipherSettings, mode: Connection.Mode = .readWrite
  ) throws -> Connection {
    var options = ConnectionOptions()
    // As a program has it that sets nothing.
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
    let raw = try RawFile(path: file.path)
    defer { try? raw.close() }
    var recogniser = FormatRecogniser(formats: [.format4, .format3, .format2, .format1])
    recogniser.namesUnauthenticated = true
    let found = try recogniser.recognise(
      file: file.lastPathComponent, size: raw.size, key: key.resolved(),
      hasJournal: hasJournal(file)
    ) { offset, count in try raw.read(offset: offset, count: count) }
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
