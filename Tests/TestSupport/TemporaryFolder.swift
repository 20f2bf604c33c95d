package import Foundation

/// A folder of its own for one test, removed with everything in it.
package final class TemporaryFolder {
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

  /// The path of a file in it.
  package func file(_ name: String) -> String { url.appendingPathComponent(name).path }
}
