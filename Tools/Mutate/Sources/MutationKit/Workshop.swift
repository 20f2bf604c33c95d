import Foundation

/// A copy of the package in which mutants are built and run.
///
/// The copy stays between runs, and a file that did not change keeps its time, so that each run
/// builds only what differs.
public struct Workshop: Sendable {
  /// The package to mutate.
  public let repository: String
  /// The folder of the copy and its build.
  public let folder: String
  /// The options of `swift build` for the copy.
  let buildOptions: [String]

  var copy: String { folder + "/package" }
  var scratch: String { folder + "/build" }

  /// Creates a workshop in the repository's ignored folder `.build-mutate`.
  ///
  /// - Parameters:
  ///   - repository: The path of the package to mutate.
  ///   - buildOptions: The options of `swift build` for the copy.
  public init(repository: String, buildOptions: [String] = []) {
    self.repository = repository
    self.buildOptions = buildOptions
    folder = repository + "/.build-mutate"
  }

  /// Returns the text of a file of the repository.
  ///
  /// - Parameter file: The path, relative to the package.
  /// - Returns: The text.
  /// - Throws: An error if the file cannot be read.
  public func source(_ file: String) throws -> String {
    try String(contentsOfFile: "\(repository)/\(file)", encoding: .utf8)
  }

  /// Makes the copy like the repository, but for the texts given.
  ///
  /// - Parameter texts: The texts of files that differ, by path.
  /// - Throws: An error if git cannot list the files, or a file cannot be copied.
  func renew(replacing texts: [String: String]) throws {
    let listed = try Shell.run(
      ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], in: repository)
    guard listed.status == 0 else { throw MutationFailure("git cannot list the files") }
    let present = listed.output.split(separator: "\0").map(String.init)
      .filter { !$0.hasPrefix("Tools/") }
      .filter { FileManager.default.fileExists(atPath: "\(repository)/\($0)") }
    var wanted = Set(present)
    wanted.formUnion(texts.keys)
    let old = FileManager.default.enumerator(atPath: copy)?.compactMap { $0 as? String } ?? []
    for path in old where !wanted.contains(path) {
      var isFolder: ObjCBool = false
      let full = "\(copy)/\(path)"
      if FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue {
        try FileManager.default.removeItem(atPath: full)
      }
    }
    for path in wanted {
      let content =
        try texts[path].map { Data($0.utf8) }
        ?? Data(contentsOf: URL(fileURLWithPath: "\(repository)/\(path)"))
      let target = URL(fileURLWithPath: "\(copy)/\(path)")
      if let now = try? Data(contentsOf: target), now == content { continue }
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: target)
      if FileManager.default.isExecutableFile(atPath: "\(repository)/\(path)") {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: target.path)
      }
    }
  }

  private static let buildEnvironment = [
    "OBJECTVAULT_WITHOUT_MACROS": "1", "OBJECTVAULT_TESTS": "library",
    "OBJECTVAULT_WARNINGS_AS_ERRORS": "",
  ]

  private func buildArguments(_ more: [String]) -> [String] {
    ["swift", "build", "--package-path", copy, "--scratch-path", scratch] + buildOptions + more
  }

  /// Builds the copy with its tests.
  ///
  /// The modules of the tool come first. If the compiler rejects a mutant there, no test is compiled
  /// in vain.
  ///
  /// - Returns: What the compiler said; empty if it accepted everything.
  /// - Throws: An error if the compiler cannot be started.
  func build() throws -> String {
    for part in [["--target", "ObjectVaultTool"], ["--build-tests"]] {
      let outcome = try Shell.run(
        buildArguments(part), in: repository, environment: Self.buildEnvironment)
      guard outcome.status == 0 else { return outcome.output }
    }
    return ""
  }

  /// Returns the folder of the built programs.
  func programFolder() throws -> String {
    let outcome = try Shell.run(
      buildArguments(["--show-bin-path"]), in: repository, environment: Self.buildEnvironment)
    guard outcome.status == 0, let path = outcome.output.split(separator: "\n").last else {
      throw MutationFailure(outcome.output)
    }
    return String(path)
  }
}
