internal import Foundation

/// Another process that keeps a file open until it is ended.
package final class HoldingChild {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts `vaultchild` and waits until it reports that it holds the file.
  package init(_ arguments: String...) throws {
    process.executableURL = ChildProcess.programs.appendingPathComponent("vaultchild")
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = output.fileHandleForReading.availableData
    guard line == Data("ready\n".utf8) else {
      throw CocoaError(
        .featureUnsupported, userInfo: ["output": String(decoding: line, as: UTF8.self)])
    }
  }

  /// Ends the process and returns its last output.
  package func end() throws -> String {
    try input.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
