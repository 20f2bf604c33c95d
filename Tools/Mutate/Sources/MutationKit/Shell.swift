import Foundation

/// Runs programs and collects what they print.
enum Shell {
  /// The end of a program.
  struct Outcome {
    /// The exit status; 128 and the signal's number if a signal ended the program.
    var status: Int32
    /// Standard output and standard error, in the order they came.
    var output: String
    /// Whether the program was ended because it ran too long.
    var isTimeout: Bool
    /// The seconds that it took.
    var seconds: Double
  }

  /// Runs a program and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: The program, found by `PATH` or its path, and its arguments.
  ///   - folder: The working directory.
  ///   - environment: Variables to add to this process's own; an empty value removes one.
  ///   - limit: The seconds after which the program's process group is killed.
  /// - Returns: The status, the output and the duration of the program.
  /// - Throws: An error of starting the program or reading its output.
  static func run(
    _ arguments: [String], in folder: String, environment: [String: String] = [:],
    limit: Double = 3600
  ) throws -> Outcome {
    let log = NSTemporaryDirectory() + "mutate-\(UUID().uuidString)"
    guard FileManager.default.createFile(atPath: log, contents: nil) else {
      throw MutationFailure("'\(log)' cannot be created. Check the temporary folder.")
    }
    defer { try? FileManager.default.removeItem(atPath: log) }
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // `timeout` ends the program with all of its children, which `Process` cannot.
    process.arguments = ["timeout", "--kill-after=5", "\(Int(limit.rounded(.up)))"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    var variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    for (name, value) in environment where value.isEmpty { variables[name] = nil }
    process.environment = variables
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    let start = ContinuousClock.now
    try process.run()
    process.waitUntilExit()
    let elapsed = start.duration(to: .now)
    try output.close()
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
    let isSignal = process.terminationReason == .uncaughtSignal
    let status = process.terminationStatus + (isSignal ? 128 : 0)
    return Outcome(
      status: status, output: text, isTimeout: status == 124 || status == 137,
      seconds: Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
  }
}

/// An error of the tool, with the sentence to print.
public struct MutationFailure: Error, CustomStringConvertible {
  /// The sentence to print.
  public let description: String

  /// Creates an error.
  ///
  /// - Parameter description: The sentence to print.
  public init(_ description: String) { self.description = description }
}
