import Foundation

/// The compiler that built the tests.
///
/// It checks a source against the modules that the tests were built with, without building
/// anything.
package enum Compiler {
  /// Returns the compiler's output for the source of an application.
  ///
  /// Macros are available if they were built.
  package static func check(_ source: String, _ options: String...) throws -> ChildProcess {
    try check(source, options)
  }

  /// Returns the compiler's output for a source with compiler options.
  package static func check(_ source: String, _ options: [String]) throws -> ChildProcess {
    let folder = try TemporaryFolder()
    try source.write(toFile: folder.file("Application.swift"), atomically: true, encoding: .utf8)
    // Use one path only: the same module found at two paths counts as two modules.
    let programs = ChildProcess.programs.resolvingSymlinksInPath()
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    let macros = programs.appendingPathComponent("ObjectVaultMacros-tool").path
    let plugin =
      FileManager.default.fileExists(atPath: macros)
      ? ["-load-plugin-executable", macros + "#ObjectVaultMacros"] : []
    return try run(
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-module-name", "Application",
        "-module-cache-path", programs.appendingPathComponent("ModuleCache").path,
        "-I", programs.appendingPathComponent("Modules").path,
        "-I", sources.appendingPathComponent("CSQLCipher/include").path,
        "-I", sources.appendingPathComponent("COpenSSL").path,
      ] + plugin + headers.flatMap { ["-Xcc", $0] } + options + [folder.file("Application.swift")])
  }

  /// The compiler flags for the headers of the engine and of OpenSSL, as the package build finds
  /// them.
  private static let headers: [String] = {
    let found = try? run(["pkg-config", "--cflags", "sqlcipher", "libcrypto"])
    return found?.output.split { $0.isWhitespace }.map(String.init) ?? []
  }()

  /// Runs a program without the preloaded engine of the tests.
  private static func run(_ arguments: [String]) throws -> ChildProcess {
    try SpawnedProgram.run("/usr/bin/env", ["-u", "LD_PRELOAD"] + arguments)
  }
}
