package import Foundation
import ObjectVaultKeys

/// The result of a program that a test started.
package struct ChildProcess: Sendable {
  /// The exit code, or the number of the signal that ended the program.
  package let status: Int32
  /// Whether the program exited by itself.
  package let exited: Bool
  package let output: String
  package let errors: String

  /// Runs `vaultchild`, the helper program of the tests, to its end.
  ///
  /// `environment` contains the differences from this process's environment.
  package static func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try run(arguments, environment: environment)
  }

  /// Runs `vaultchild`, the helper program of the tests, to its end.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    // The output goes to files: a full pipe without a reader would block the child.
    let folder = try TemporaryFolder()
    for name in ["output", "errors"] {
      _ = FileManager.default.createFile(atPath: folder.file(name), contents: nil)
    }
    let output = try FileHandle(forWritingTo: folder.url.appendingPathComponent("output"))
    let errors = try FileHandle(forWritingTo: folder.url.appendingPathComponent("errors"))
    let process = Process()
    process.executableURL = programs.appendingPathComponent("vaultchild")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return ChildProcess(
      status: process.terminationStatus, exited: process.terminationReason == .exit,
      output: try String(contentsOfFile: folder.file("output"), encoding: .utf8),
      errors: try String(contentsOfFile: folder.file("errors"), encoding: .utf8))
  }

  /// The environment of a program that has its own engine, such as the stock shell.
  ///
  /// An engine that the tests preload is not for that program.
  package static var environmentOfStranger: [String: String] {
    ProcessInfo.processInfo.environment.filter { $0.key != "LD_LIBRARY_PATH" }
      .merging(["LD_PRELOAD": preloadedByStranger]) { $1 }
  }

  /// The libraries that such a program preloads: the one that derives each key once, if there is
  /// one (`Tests/DerivationCache`).
  package static var preloadedByStranger: String {
    ProcessInfo.processInfo.environment["DERIVATION_LIBRARY"] ?? ""
  }

  /// The build folder of this package's programs.
  package static var programs: URL {
    #if canImport(Darwin)
      for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent()
      }
    #endif
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }

  /// Returns the path of a program of this package.
  ///
  /// - Parameter name: The name of the program. For `objectvault`, the path in `OBJECTVAULT_TOOL`
  ///   comes first: whole test runs use a release build, because the argument parser checks its
  ///   declarations at every start of a debug build, which takes most of the time of a short
  ///   command. Within ``CheapSlots``, it is the tool of this build that creates cheap slots.
  /// - Returns: The absolute path.
  package static func path(of name: String) -> String {
    let built = programs.appendingPathComponent(name).path
    guard name == "objectvault" else { return built }
    if let path = ProcessInfo.processInfo.environment["OBJECTVAULT_TOOL"], !path.isEmpty,
      path != built
    {
      return path
    }
    return ScryptCost.replacement == nil
      ? built : programs.appendingPathComponent("cheap-objectvault").path
  }
}
