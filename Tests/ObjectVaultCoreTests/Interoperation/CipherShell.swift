import Foundation
import ObjectVaultEngine

/// The stock `sqlcipher` shell of the engine under test, as another program that writes and reads
/// the same files. It is the first on the `PATH`.
enum CipherShell {
  /// Runs statements on a file and gives what the shell printed.
  static func run(_ file: String, _ statements: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlcipher", "-batch", file]
    // A suite that runs on another engine preloads it; the shell brings its own.
    process.environment = ProcessInfo.processInfo.environment.filter {
      !["LD_PRELOAD", "LD_LIBRARY_PATH"].contains($0.key)
    }
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

  /// What opens a file that this engine's newest format and the library's page size have.
  static func open(_ passphrase: String, portable: Bool = false) throws -> [String] {
    let newest = try Engine.prove().newestCipherFormat
    var pragmas = [
      "PRAGMA key='\(passphrase.replacingOccurrences(of: "'", with: "''"))';"
    ]
    if portable, newest >= 4 { pragmas.append("PRAGMA cipher_compatibility=3;") }
    if portable || newest < 4 { pragmas.append("PRAGMA cipher_page_size=4096;") }
    return pragmas
  }

  /// The lines that statements print on a vault's file, without what the key pragma answers.
  static func lines(
    _ file: String, _ passphrase: String, portable: Bool = false, _ statements: [String]
  ) throws -> [String] {
    let output = try run(
      file, try open(passphrase, portable: portable) + ["SELECT '>>>';"] + statements)
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: ">>>") else { return lines }
    return Array(lines[(start + 1)...].dropLast())
  }
}
