import Foundation
import ObjectVaultConformanceFormat
import ObjectVaultEngine

/// The bytes of a file and of its companions.
struct FileBytes {
  let main: [UInt8]
  /// The bytes of the write-ahead log and the rollback journal, by suffix.
  let companions: [String: [UInt8]]
  private let shared: URL

  init(of file: URL) throws {
    // The engine's reader keeps the locks that this process has on the file.
    let raw = try Connection(looking: file.path)
    defer { try? raw.close() }
    main = try raw.readRaw(offset: 0, count: Int(raw.fileSize))
    var companions: [String: [UInt8]] = [:]
    for suffix in ["-wal", "-journal"] {
      companions[suffix] = try Self.content(of: URL(fileURLWithPath: file.path + suffix))
    }
    self.companions = companions
    shared = URL(fileURLWithPath: file.path + "-shm")
  }

  var beginsAsPlain: Bool { main.starts(with: "SQLite format 3\0".utf8) }

  /// Compares the presence of plaintext with the expectation.
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
    // Closing the index drops the locks of this process on it. It is read only here, where the
    // fixture guarantees that the file is not open.
    if let content = try? Self.content(of: shared) { look(in: content, "its -shm") }
    return places
  }

  private static func content(of file: URL) throws -> [UInt8]? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return [UInt8](try Data(contentsOf: file))
  }
}
