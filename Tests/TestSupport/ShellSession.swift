internal import Foundation

/// The stock `sqlcipher` shell of the tested engine, kept open between statements.
///
/// It acts as another program's handle on a file.
package final class ShellSession {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var questions = 0

  /// Starts the shell on a file and runs statements.
  package init(_ file: String, _ statements: String...) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlcipher", "-batch", file]
    process.environment = ChildProcess.environmentOfStranger
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    for statement in statements { _ = try run(statement) }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Runs a statement and returns the output of the shell.
  package func run(_ statement: String) throws -> String {
    questions += 1
    let end = Data("end of answer \(questions)\n".utf8)
    try input.fileHandleForWriting.write(
      contentsOf: Data("\(statement)\n.print end of answer \(questions)\n".utf8))
    var answer = Data()
    while !answer.holds(end) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw CocoaError(.fileReadUnknown) }
      answer += more
    }
    return String(decoding: answer.dropLast(end.count), as: UTF8.self)
  }

  /// Ends the shell.
  package func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
