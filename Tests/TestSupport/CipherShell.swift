import Foundation

/// The stock `sqlcipher` shell of the engine under test, as another program that writes and reads
/// the same files. It is the first on the `PATH`.
package enum CipherShell {
  /// Runs statements on a file and gives what the shell printed.
  ///
  /// - Parameters:
  ///   - shell: The shell: the first on the `PATH`, or the path of another one.
  ///   - environment: What it finds in its environment besides.
  package static func run(
    _ file: String, _ statements: [String], by shell: String = "sqlcipher",
    environment: [String: String] = [:]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [shell, "-batch", file]
    // A suite that runs on another engine preloads it; the shell brings its own.
    process.environment = ProcessInfo.processInfo.environment.filter {
      !["LD_PRELOAD", "LD_LIBRARY_PATH"].contains($0.key)
    }.merging(environment) { $1 }
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
