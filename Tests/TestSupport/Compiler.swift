import Foundation

/// The compiler that built the tests, which checks a source against the modules that they were built
/// with, and builds nothing.
package enum Compiler {
  /// What the compiler says of a source that an application could have.
  ///
  /// The macros are at hand where they were built.
  package static func check(_ source: String, _ options: String...) throws -> ChildProcess {
    try check(source, options)
  }

  /// What the compiler says of a source, with options.
  package static func check(_ source: String, _ options: [String]) throws -> ChildProcess {
    let folder = try TemporaryFolder()
    try source.write(toFile: folder.file("Application.swift"), atomically: true, encoding: .utf8)
    // By one path: modules that are found by two are two.
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
        "-I", sources.appendingPathComponent("CSQLCipher").path,
        "-I", sources.appendingPathComponent("COpenSSL").path,
      ] + plugin + headers.flatMap { ["-Xcc", $0] } + options + [folder.file("Application.swift")])
  }

  /// Where the headers of the engine and of OpenSSL are, as the package's build asks for it.
  private static let headers: [String] = {
    let found = try? run(["pkg-config", "--cflags", "sqlcipher", "libcrypto"])
    return found?.output.split { $0.isWhitespace }.map(String.init) ?? []
  }()

  /// A suite that runs on another engine preloads it, which is none of the compiler's business.
  private static func run(_ arguments: [String]) throws -> ChildProcess {
    try SpawnedProgram.run("/usr/bin/env", ["-u", "LD_PRELOAD"] + arguments)
  }
}
