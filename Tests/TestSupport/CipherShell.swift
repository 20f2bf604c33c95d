import Foundation

/// The stock `sqlcipher` shell of the tested engine, as another program that uses the same files.
///
/// It is the first one in `PATH`.
package enum CipherShell {
  /// Runs statements on a file.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - statements: The statements.
  ///   - shell: The shell: the first one in `PATH`, or the path of another one.
  ///   - environment: Additional environment variables of the shell.
  /// - Returns: The output of the shell.
  /// - Throws: The error of a shell that cannot be started.
  package static func run(
    _ file: String, _ statements: [String], by shell: String = "sqlcipher",
    environment: [String: String] = [:]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [shell, "-batch", file]
    process.environment = ChildProcess.environmentOfStranger.merging(environment) { $1 }
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    input.fileHandleForWriting.write(Data((statements.joined(separator: "\n") + "\n").utf8))
    try input.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
