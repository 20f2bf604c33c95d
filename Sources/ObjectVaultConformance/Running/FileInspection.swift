import Foundation
import ObjectVaultConformanceFormat
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultKeys

/// A comparison of a file with the expectation of a fixture.
///
/// The original file is never opened. Its bytes, and those of its log or journal, are copied to
/// another folder, and the stock engine opens the copy. The original does not change: no log is
/// checkpointed into it, and a journal left by a killed process is rolled back in the copy only.
struct FileInspection {
  let folder: CaseFolder
  let keys: KnownKeys

  /// Returns all differences between the file and the expectation.
  func discrepancies(from expectation: FileExpectation) -> [Discrepancy] {
    var report = InspectionReport(expectation)
    do {
      try inspect(&report)
    } catch {
      report.add("file", expected: "a readable file", actual: "\(error)")
    }
    return report.discrepancies
  }

  private func inspect(_ report: inout InspectionReport) throws {
    let value = report.value
    if let unknown = value.members?.first(where: { !Self.known.contains($0.name) }) {
      throw RunnerError("'\(unknown.name)' is not a field of a file")
    }
    let path = try value.optionalText("path") ?? CaseFolder.defaultPath
    report.path = path
    let file = try folder.file(path)
    if let files = value["files"] {
      report.compare("files", files, .list(try folder.names().map { .text($0) }))
    }
    let asked = Set(value.members?.map(\.name) ?? [])
    let exists = (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil
    if value["exists"] == .bool(false) {
      if exists { report.add("exists", expected: "no such file", actual: "there is one") }
      return
    }
    if asked == ["files"] { return }
    guard exists else {
      report.add("exists", expected: "a file", actual: "there is no such file")
      return
    }
    if asked.isSubset(of: ["path", "exists", "files"]) { return }
    let bytes = try FileBytes(of: file)
    bytes.compare(&report)
    if asked.contains("withPlaintext") { return }
    guard !bytes.beginsAsPlain else {
      report.add(
        "encryption", expected: "an encrypted file",
        actual: "it begins like a plaintext SQLite file")
      return
    }
    try withCopy(of: bytes) { copy in
      try compareContent(of: copy, path, key: value["key"] ?? keys.key(of: path), &report)
    }
  }

  private func compareContent(
    of copy: URL, _ path: String, key: FixtureValue, _ report: inout InspectionReport
  ) throws {
    let connection: Connection
    let settings: CipherSettings
    do {
      let key = try folder.unlocked(key, of: path)
      (connection, settings) = try StockFile.open(copy: copy, key: key)
    } catch {
      report.add("key", expected: "the engine opens the file with it", actual: "\(error)")
      return
    }
    let cipher: [FixtureValue.Member] = [
      .init("format", .integer(Int64(settings.format))),
      .init("pageSize", .integer(Int64(settings.pageSize))),
    ]
    if let expected = report.value["cipher"] {
      let asked = cipher.filter { expected[$0.name] != nil }
      report.compare("cipher", expected, .object(asked))
    }
    SchemaInspection(connection).compare(&report)
    ContentInspection(connection).compare(&report)
    for (index, refused) in (report.value["refusedKeys"]?.elements ?? []).enumerated() {
      refuse(refused, path, copy, settings, "refusedKeys[\(index)]", &report)
    }
  }

  private func refuse(
    _ key: FixtureValue, _ path: String, _ copy: URL, _ settings: CipherSettings,
    _ subject: String, _ report: inout InspectionReport
  ) {
    do {
      let key = try folder.unlocked(key, of: path)
      let connection = try StockFile.open(copy, key: key, settings: settings, mode: .readOnly)
      // Reading a page proves that the key is right. Opening reads a page too, but does not report
      // which.
      _ = try connection.pragma("schema_version")
      report.add(subject, expected: "a key that does not open the file", actual: "it opens it")
    } catch let error as DriverError where error.code == .notADatabase {
      return
    } catch let error as KeyError where error.code == .wrongKey {
      return
    } catch {
      report.add(subject, expected: "a key that does not open the file", actual: "\(error)")
    }
  }

  private func withCopy(of bytes: FileBytes, _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("objectvault-look-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appendingPathComponent("copy")
    try Data(bytes.main).write(to: copy)
    for suffix in ["-wal", "-journal"] {
      guard let content = bytes.companions[suffix] else { continue }
      try Data(content).write(to: URL(fileURLWithPath: copy.path + suffix))
    }
    try body(copy)
  }

  private static let known = Set(FileExpectation.fields.map(\.name))
}
