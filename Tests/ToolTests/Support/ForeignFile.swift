import Foundation
import Synchronization
import TestSupport

/// A database that the stock `sqlcipher` shell makes and reads, in format 3 on every engine.
struct ForeignFile {
  let path: String
  /// What the program that owns it sets after the key.
  var settings: [String] = []

  private func opening(_ key: String) -> [String] {
    // The older shell knows no other format, and overlooks the setting.
    let key = key.hasPrefix("x'") ? "\"\(key)\"" : "'\(key)'"
    return ["PRAGMA key = \(key);", "PRAGMA cipher_compatibility = 3;"] + settings
  }

  @discardableResult
  func run(_ key: String, _ statements: String...) throws -> String {
    try CipherShell.run(path, opening(key) + statements)
  }

  /// Makes it with a table of so many rows of a thousand random bytes, besides one to find again.
  ///
  /// Equal files are copies with one salt, so each passphrase is derived once.
  func make(_ key: String, rows: Int = 3, journalMode: String = "DELETE") throws {
    let recipe = ([key, "\(rows)", journalMode] + settings).joined(separator: "\n")
    if let bytes = Self.made.withLock({ $0[recipe] }) {
      try bytes.write(to: URL(fileURLWithPath: path))
      return
    }
    try run(
      key, "PRAGMA journal_mode = \(journalMode);",
      "CREATE TABLE note(id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT);",
      "INSERT INTO note(body) VALUES('kept words');", "CREATE TABLE filler(bytes);",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) "
        + "INSERT INTO filler SELECT randomblob(1000) FROM n;")
    let bytes = try self.bytes
    Self.made.withLock { $0[recipe] = bytes }
  }

  /// The bytes of the files that were made, by what they were made from.
  private static let made = Mutex<[String: Data]>([:])

  /// Whether the shell finds under the key what ``make(_:rows:journalMode:)`` put in.
  func isOpened(by key: String) throws -> Bool {
    try run(key, "SELECT 'found ' || body FROM note;").contains("found kept words")
  }

  var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }
}

/// The shell with the file open, until this goes.
final class HoldingShell {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  /// Runs statements and stays; it holds the file when this returns.
  init(_ file: ForeignFile, _ key: String, _ statements: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlcipher", "-batch", file.path]
    process.environment = ChildProcess.environmentOfStranger
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let lines =
      ["PRAGMA key = '\(key)';", "PRAGMA cipher_compatibility = 3;"] + statements
      // The shell keeps its own output back; that of its child comes at once.
      + [".shell echo held"]
    input.fileHandleForWriting.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    var seen = Data()
    while !seen.holds(Data("held".utf8)) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw CocoaError(.fileReadUnknown) }
      seen += more
    }
  }

  func release() {
    // The end of its input may not come: a program that was started meanwhile has the pipe too.
    input.fileHandleForWriting.write(Data(".exit\n".utf8))
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  deinit { if process.isRunning { release() } }
}
