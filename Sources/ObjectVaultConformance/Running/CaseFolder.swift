import Foundation

/// The folder of one case.
///
/// It is created empty, and is removed with its content on deinitialization.
final class CaseFolder {
  /// The absolute path of the folder.
  let url: URL
  /// The folder of fixtures.
  ///
  /// Cases can copy files from its `databases` folder.
  private let fixtures: URL

  init(fixtures: URL) throws {
    self.fixtures = fixtures
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("objectvault-case-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // A case can remove the permissions of its own files.
    if (try? FileManager.default.removeItem(at: url)) == nil {
      giveRightsBack()
      try? FileManager.default.removeItem(at: url)
    }
  }

  /// The path of a vault if a fixture specifies none.
  static let defaultPath = "main.vault"

  /// Returns the names of all files in the folder, sorted by bytes.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the URL of a fixture's path for reading and writing.
  func file(_ path: String) throws(RunnerError) -> URL {
    let components = try Self.components(of: path)
    guard components[0] != Self.databases else {
      throw RunnerError("'\(path)' is a file of the fixtures and cannot be changed; copy it first")
    }
    return components.reduce(url) { $0.appendingPathComponent($1) }
  }

  /// Returns the URL of the source of `copy`: a file of the case, or a database of the fixtures.
  func source(_ path: String) throws(RunnerError) -> URL {
    let components = try Self.components(of: path)
    let base = components[0] == Self.databases ? fixtures : url
    return components.reduce(base) { $0.appendingPathComponent($1) }
  }

  private static let databases = "databases"

  private static func components(of path: String) throws(RunnerError) -> [String] {
    let components = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard !path.utf8.contains(0), components.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw RunnerError(
        "'\(path)' leaves the folder of the case; use a relative path without '..'")
    }
    return components
  }

  private func giveRightsBack() {
    let manager = FileManager.default
    try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    for name in manager.enumerator(atPath: url.path)?.compactMap({ $0 as? String }) ?? [] {
      let path = url.appendingPathComponent(name).path
      var isFolder: ObjCBool = false
      if manager.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      }
    }
  }
}
