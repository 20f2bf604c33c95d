package import Foundation

/// A folder of its own for one test, removed with everything in it.
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

  /// How many bytes a file in it has; 0 where there is none.
  package func size(of name: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: file(name)) else { return 0 }
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
  }

  /// The path of a file in it.
  package func file(_ name: String) -> String { url.appendingPathComponent(name).path }
}
