import Foundation
import TestSupport
import Testing

/// A shell in a folder of its own in which the commands of a guide are run as they stand there.
struct GuideShell {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  let folder: TemporaryFolder
  private var environment: [String: String]

  /// Creates the folder and the programs that the commands of the guide call.
  ///
  /// - Parameters:
  ///   - scripts: Commands of the tool that the guide calls as `Scripts/NAME`.
  ///   - environment: Variables that the guide expects.
  /// - Throws: An error of creating the files.
  init(scripts: [String] = [], environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    // An engine that is preloaded is meant for the tool; what else the shell starts has its own.
    let settings = try Self.settings(log: folder.file(Self.log)).map { "\($0)='\($1)'" }
    let tool = ChildProcess.path(of: "objectvault")
    let start = "#!/bin/sh\nexec env \(settings.joined(separator: " ")) '\(tool)'"
    self.environment = environment.merging([
      "PATH": folder.file("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
      "LD_PRELOAD": "",
    ]) { $1 }
    for name in ["Scripts", "bin"] { try makeFolder(name) }
    try ProgramFile.write("\(start) \"$@\"\n", to: folder.file("bin/objectvault"))
    for script in scripts {
      try ProgramFile.write("\(start) \(script) \"$@\"\n", to: folder.file("Scripts/\(script)"))
    }
  }

  private static let log = "trace.log"

  /// What the tool finds in its environment: a trace of all that it tells its engine, where the
  /// system preloads one.
  private static func settings(log: String) throws -> [String: String] {
    #if os(Linux)
      return try PreloadedLibrary("SQLTracing/trace.c", as: "libtrace.so").environment
        .merging(["TRACE_LOG": log]) { $1 }
    #else
      return ["LD_PRELOAD": ""]
    #endif
  }

  /// Everything that the commands told their engine until now, with the values that were bound, and
  /// their command lines; `nil` where there is no trace.
  var trace: Data? {
    get throws {
      #if os(Linux)
        return try Data(contentsOf: folder.url.appendingPathComponent(Self.log))
      #else
        return nil
      #endif
    }
  }

  /// Expects that no command passed a secret to its engine or had one on its command line.
  ///
  /// - Parameters:
  ///   - secrets: The secrets to search for, also as hexadecimal digits.
  ///   - commands: The number of commands that used the tool.
  /// - Throws: An error of reading the trace.
  func expectNothingTold(of secrets: [String], in commands: Int) throws {
    guard let trace = try trace else { return }
    // The trace is that of these commands.
    let statements = trace.split(separator: Data("\n--\n".utf8))
    #expect(statements.filter { $0.holds(Data("objectvault\0".utf8)) }.count >= commands)
    #expect(statements.filter { $0.holds(Data("sqlite_master".utf8)) }.count >= commands / 2)
    for secret in secrets {
      for text in [secret, Self.digits(of: secret), Self.digits(of: secret).uppercased()] {
        #expect(!trace.holds(Data(text.utf8)))
      }
    }
  }

  private static func digits(of text: String) -> String {
    text.utf8.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
  }

  /// The commands of a guide: the lines of the blocks that are marked as those of a shell. A line
  /// that ends in a backslash goes on in the next one.
  static func commands(of guide: String) throws -> [String] {
    let text = try String(
      contentsOf: root.appendingPathComponent("Guides/\(guide).md"), encoding: .utf8)
    var commands: [String] = []
    var (isInside, goesOn) = (false, false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("```") {
        isInside = line == "```sh"
      } else if isInside, !line.isEmpty {
        if goesOn, let last = commands.popLast() {
          commands.append("\(last)\n\(line)")
        } else {
          commands.append("\(line)")
        }
        goesOn = line.hasSuffix("\\")
      }
    }
    return commands
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file(name), withIntermediateDirectories: false)
  }

  func write(_ text: String, to name: String) throws {
    let path = folder.file(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: folder.file(name), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }

  /// Runs a command at a terminal, answering questions in their order.
  ///
  /// - Returns: All that appeared, and the exit status.
  func run(
    _ command: String, answering answers: [(question: String, answer: String)] = []
  ) throws -> (output: String, code: Int32) {
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-c", "cd '\(folder.path)' && \(command)"], environment: environment)
    for (question, answer) in answers {
      #expect(terminal.expect(question), "\(command)")
      terminal.type(answer + "\r")
    }
    let code = terminal.wait()
    return (terminal.transcript, code)
  }
}
