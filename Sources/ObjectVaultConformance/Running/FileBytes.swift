import Foundation
import ObjectVaultEngine

/// The bytes of a file and of what stands beside it.
struct FileBytes {
  let main: [UInt8]
  /// By suffix: the write-ahead log, its index, the rollback journal.
  let companions: [String: [UInt8]]
  private let shared: URL

  init(of file: URL) throws {
    // Through the engine, which keeps its locks where this process has the file open.
    let raw = try RawFile(path: file.path)
    defer { try? raw.close() }
    main = try raw.read(offset: 0, count: Int(raw.size))
    var companions: [String: [UInt8]] = [:]
    for suffix in ["-wal", "-journal"] {
      companions[suffix] = try Self.content(of: URL(fileURLWithPath: file.path + suffix))
    }
    self.companions = companions
    shared = URL(fileURLWithPath: file.path + "-shm")
  }

  var beginsAsPlain: Bool { main.starts(with: "SQLite format 3\0".utf8) }

  /// Compares where plaintext stands and where it does not.
  func compare(_ report: inout InspectionReport) {
    for (field, isWanted) in [("withoutPlaintext", false), ("withPlaintext", true)] {
      for (index, element) in (report.value[field]?.elements ?? []).enumerated() {
        let subject = "\(field)[\(index)]"
        guard let bytes = element.bytes, !bytes.isEmpty else {
          report.add(subject, expected: "a text or data, not empty", actual: element.notation)
          continue
        }
        let found = places(of: bytes)
        if isWanted, found.isEmpty {
          report.add(subject, expected: "\(element.notation) in the bytes", actual: "nowhere")
        } else if !isWanted, !found.isEmpty {
          report.add(
            subject, expected: "\(element.notation) nowhere in the bytes",
            actual: "in \(found.joined(separator: " and "))")
        }
      }
    }
  }

  private func places(of bytes: [UInt8]) -> [String] {
    var places: [String] = []
    func look(in content: [UInt8], _ name: String) {
      if Data(content).range(of: Data(bytes)) != nil { places.append(name) }
    }
    look(in: main, "the file")
    for (suffix, content) in companions.sorted(by: { $0.key < $1.key }) {
      look(in: content, "its \(suffix)")
    }
    // Only here, where the fixture says that nobody has the file open: closing the index drops the
    // locks of this process on it.
    if let content = try? Self.content(of: shared) { look(in: content, "its -shm") }
    return places
  }

  private static func content(of file: URL) throws -> [UInt8]? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return [UInt8](try Data(contentsOf: file))
  }
}
