package import Foundation

/// A folder for one test.
///
/// It is removed with its content on deinitialization.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ObjectVault-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  package var path: String { url.path }

  /// Returns the size of a file in the folder in bytes; 0 if the file is missing.
  package func size(of name: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: file(name)) else { return 0 }
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Returns the path of a file in the folder.
  package func file(_ name: String) -> String { url.appendingPathComponent(name).path }
}
