import Foundation
import ObjectVaultConformanceFormat

/// The operations that the runner itself performs on the files of a case.
struct FileOperations {
  let folder: CaseFolder
  let keys: KnownKeys

  /// Performs an operation of the runner other than `file`.
  ///
  /// - Throws: ``RunnerError`` if the operation is invalid, and the errors of the system and of the
  ///   engine.
  func perform(_ operation: FixtureOperation, _ arguments: FixtureValue) throws {
    switch operation {
    case .sql:
      let path = try arguments.optionalText("path") ?? CaseFolder.defaultPath
      try StockFile.execute(
        arguments.texts("statements"), on: folder.file(path),
        key: folder.unlocked(arguments["key"] ?? keys.key(of: path), of: path))
    case .copy:
      try copy(arguments.text("from"), to: arguments.text("to"))
    case .write:
      let file = try folder.file(arguments.text("path"))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(arguments.bytes("data")).write(to: file)
    case .overwrite:
      try overwrite(
        arguments.text("path"), at: arguments.integer("at"), with: arguments.bytes("data"))
    case .truncate:
      try truncate(arguments.text("path"), to: arguments.integer("to"))
    case .delete:
      try FileManager.default.removeItem(at: existing(arguments.text("path")))
    default:
      throw RunnerError("\(operation.rawValue) is not an operation of the runner")
    }
  }

  /// Copies a file and replaces the file at the other path.
  func copy(_ from: String, to: String) throws {
    let (source, target) = (try folder.source(from), try folder.file(to))
    guard FileManager.default.fileExists(atPath: source.path) else {
      throw RunnerError("there is no file '\(from)' to copy")
    }
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Copies only the bytes, because the fixtures' files may be write-protected.
    try Data(contentsOf: source).write(to: target)
  }

  private func overwrite(_ path: String, at place: Int64, with data: [UInt8]) throws {
    let handle = try FileHandle(forUpdating: existing(path))
    defer { try? handle.close() }
    let size = Int64(try handle.seekToEnd())
    let (start, overflow) = place < 0 ? size.addingReportingOverflow(place) : (place, false)
    guard !overflow, start >= 0, start <= size - Int64(data.count) else {
      throw RunnerError(
        "\(data.count) bytes at \(place) are not within '\(path)', which has \(size) bytes")
    }
    try handle.seek(toOffset: UInt64(start))
    try handle.write(contentsOf: Data(data))
  }

  private func truncate(_ path: String, to length: Int64) throws {
    let handle = try FileHandle(forUpdating: existing(path))
    defer { try? handle.close() }
    let size = Int64(try handle.seekToEnd())
    let (end, overflow) = length < 0 ? size.addingReportingOverflow(length) : (length, false)
    guard !overflow, (0...size).contains(end) else {
      throw RunnerError("'\(path)' has \(size) bytes and cannot be cut to \(length)")
    }
    try handle.truncate(atOffset: UInt64(end))
  }

  private func existing(_ path: String) throws -> URL {
    let file = try folder.file(path)
    guard (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil else {
      throw RunnerError("there is no file '\(path)'")
    }
    return file
  }
}
