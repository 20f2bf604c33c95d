import Foundation
import Synchronization

/// Runs programs and collects what they print.
enum Shell {
  /// The end of a program.
  struct Outcome {
    /// The exit status; 128 and the signal's number if a signal ended the program.
    var status: Int32
    /// Standard output and standard error, in the order they came.
    var output: String
    /// The reason for which the program was killed; `nil` if it ended by itself.
    var kill: Kill?
    /// The seconds that it took.
    var seconds: Double
  }

  /// A reason to kill a program.
  enum Kill {
    /// It ran too long.
    case timeLimit
    /// It printed the text to wait for.
    case text
  }

  /// Returns a path in the folder of temporary files that no file has.
  static func temporaryPath() -> String {
    "\(temporaryFolder)/\(temporaryPrefix)\(UUID().uuidString.prefix(8))"
  }

  // The path of a URL has no slash at its end.
  private static let temporaryFolder = URL(fileURLWithPath: NSTemporaryDirectory()).path
  private static let temporaryPrefix = "mutate-\(ProcessInfo.processInfo.processIdentifier)-"

  /// Removes the temporary files of this process, whose own cleanup an interrupt prevents.
  static func removeTemporaryFiles() {
    let manager = FileManager.default
    let names = (try? manager.contentsOfDirectory(atPath: temporaryFolder)) ?? []
    for name in names where name.hasPrefix(temporaryPrefix) {
      try? manager.removeItem(atPath: "\(temporaryFolder)/\(name)")
    }
  }

  /// Runs a program in a process group of its own and waits for its end.
  ///
  /// All processes of the group are killed afterwards.
  ///
  /// - Parameters:
  ///   - arguments: The program, found by `PATH` or its path, and its arguments.
  ///   - folder: The working directory.
  ///   - environment: Variables to add to this process's own; an empty value removes one.
  ///   - limit: The seconds after which the process group is killed.
  ///   - text: The process group is also killed when it prints this text.
  /// - Returns: The status and the output of the program.
  /// - Throws: An error if the program cannot be started.
  static func run(
    _ arguments: [String], in folder: String, environment: [String: String] = [:],
    limit: Double = 3600, until text: String? = nil
  ) throws -> Outcome {
    let log = temporaryPath() + ".log"
    guard FileManager.default.createFile(atPath: log, contents: nil),
      let reader = FileHandle(forReadingAtPath: log)
    else { throw MutationFailure("'\(log)' cannot be created") }
    defer {
      try? reader.close()
      try? FileManager.default.removeItem(atPath: log)
    }
    var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    for (name, value) in environment where value.isEmpty { variables[name] = nil }
    let start = ContinuousClock.now
    let leader = try ProcessGroups.running.start(
      arguments, in: folder, environment: variables.map { "\($0)=\($1)" }, log: log)
    defer { ProcessGroups.running.end(leader) }
    var output = Data()
    var kill: Kill?
    var status: Int32 = 0
    while waitpid(leader, &status, WNOHANG) == 0 {
      usleep(20_000)
      guard kill == nil else { continue }
      if start.duration(to: .now) > .seconds(limit) {
        kill = .timeLimit
      } else if let text, read(reader, into: &output, until: text) {
        kill = .text
      }
      if kill != nil { ProcessGroups.kill(leader) }
    }
    let elapsed = start.duration(to: .now)
    output += try reader.readToEnd() ?? Data()
    let signal = status & 0x7F
    return Outcome(
      status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
      output: String(decoding: output, as: UTF8.self), kill: kill,
      seconds: Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
  }

  /// Reads what was printed since the last call, and returns whether the text is in it.
  private static func read(_ reader: FileHandle, into output: inout Data, until text: String)
    -> Bool
  {
    guard let new = try? reader.readToEnd(), !new.isEmpty else { return false }
    let from = max(0, output.count - text.utf8.count)
    output += new
    return output.range(of: Data(text.utf8), in: from..<output.count) != nil
  }
}

/// The process groups that this tool has started and that have not ended.
///
/// An interrupt of the tool does not reach them, so they are killed with it.
final class ProcessGroups: Sendable {
  static let running = ProcessGroups()

  private let leaders = Mutex<Set<pid_t>>([])
  // Unsafe: only retained after the initializer.
  nonisolated(unsafe) private let interrupts: [any DispatchSourceSignal]

  private init() {
    interrupts = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    for (source, number) in zip(interrupts, [SIGINT, SIGTERM, SIGHUP]) {
      source.setEventHandler { Self.running.endAll(status: 128 + number) }
      source.resume()
    }
  }

  /// Starts a program as the leader of a new process group.
  ///
  /// - Returns: The process, whose number is that of the group.
  func start(
    _ arguments: [String], in folder: String, environment: [String], log: String
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_APPEND, 0)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // The signals that this process ignores are not ignored by the program.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF))
    // There is no portable way to start a program in another working directory.
    let command = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + arguments
    let words = command.map { strdup($0) }
    let variables = environment.map { strdup($0) }
    defer { for text in words + variables { free(text) } }
    return try leaders.withLock { leaders in
      var leader: pid_t = 0
      let error = posix_spawn(
        &leader, command[0], &actions, &attributes, words + [nil], variables + [nil])
      guard error == 0 else {
        throw MutationFailure(
          "'\(arguments[0])' does not start: \(String(cString: strerror(error)))")
      }
      leaders.insert(leader)
      return leader
    }
  }

  /// Kills what a process left in its group when it ended.
  func end(_ leader: pid_t) {
    Self.kill(leader)
    _ = leaders.withLock { $0.remove(leader) }
  }

  /// Kills all processes of a group.
  static func kill(_ leader: pid_t) {
    #if canImport(Darwin)
      _ = Darwin.kill(-leader, SIGKILL)
    #else
      _ = Glibc.kill(-leader, SIGKILL)
    #endif
  }

  private func endAll(status: Int32) {
    // The lock is not released, so that nothing is started any more.
    leaders.withLock { leaders in
      for leader in leaders { Self.kill(leader) }
      Shell.removeTemporaryFiles()
      exit(status)
    }
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
