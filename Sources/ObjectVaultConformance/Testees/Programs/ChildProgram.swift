import Foundation

import ObjectVaultPlatform

/// A program started in its own process group, with pipes to its standard input and output.
///
/// It shares the standard error of this process.
struct ChildProgram: ~Copyable {
  private let process: pid_t
  /// The descriptor that writes to the program's standard input.
  ///
  /// Neither pipe blocks on this side.
  private(set) var input: Int32
  /// The descriptor that reads the program's standard output.
  let output: Int32

  deinit {
    if input >= 0 { close(input) }
    close(output)
  }

  private init(_ process: pid_t, input: Int32, output: Int32) {
    self.process = process
    self.input = input
    self.output = output
    // The program's ends stay blocking, because the flag belongs to each end.
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Starts a program.
  ///
  /// A name without a slash is searched in `PATH`.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - environment: The differences from this process's environment.
  /// - Returns: The started program.
  /// - Throws: ``TesteeEnded`` if the program cannot be started.
  static func start(
    _ arguments: [String], environment: [String: String]
  ) throws -> ChildProgram {
    guard let program = arguments.first, !program.isEmpty else {
      throw TesteeEnded(reason: "There is no command to start.")
    }
    starting.lock()
    defer { starting.unlock() }
    let input = try Pipe()
    let output = try Pipe()
    let process = try spawn(
      program, arguments, environment, input: input.reading, output: output.writing)
    return ChildProgram(process, input: input.takeWriting(), output: output.takeReading())
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String], input: Int32,
    output: Int32
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      // Only the three standard descriptors stay open, even if this process opens others
      // concurrently.
      let closing = Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let closing: Int16 = 0
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    #if canImport(Darwin)
      posix_spawn_file_actions_addinherit_np(&actions, 2)
    #endif
    // The program starts with default signal handling, even if this process ignores signals.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      closing | Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF)
        | Int16(POSIX_SPAWN_SETSIGMASK))
    let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var argumentPointers = arguments.map { strdup($0) } + [nil]
    var environmentPointers = merged.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    var process: pid_t = 0
    let answer = posix_spawnp(
      &process, program, &actions, &attributes, &argumentPointers, &environmentPointers)
    guard answer == 0 else {
      throw TesteeEnded(reason: "'\(program)' cannot be started: \(systemErrorText(answer)).")
    }
    return process
  }

  /// Serializes starts.
  ///
  /// Between the creation of a pipe and its close-on-exec mark, another program could inherit the
  /// pipe and keep it open.
  private static let starting = NSLock()

  // MARK: End

  /// Closes the program's standard input.
  mutating func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Waits for the program to end, then kills it and its children if they still run.
  ///
  /// Call it once.
  ///
  /// - Parameter seconds: The maximum time to wait, in seconds.
  /// - Returns: The end of the process, and whether it was killed here.
  func finish(within seconds: Double) -> (end: ProcessEnd, wasForced: Bool) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var hasEnded = isOver
    while !hasEnded, ContinuousClock.now < deadline {
      poll(nil, 0, 2)
      hasEnded = isOver
    }
    // Kill the group before the process ID is released, so that the ID cannot belong to another
    // group.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (ProcessEnd(waitStatus: status), !hasEnded)
  }

  /// Whether the process ended.
  ///
  /// Its status is not consumed.
  private var isOver: Bool {
    var info = siginfo_t()
    let answer = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
    return answer == 0 ? info.si_signo == SIGCHLD : errno != EINTR
  }
}

/// A pipe that other programs do not inherit.
///
/// It closes the ends that were not taken.
private final class Pipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw TesteeEnded(reason: "A pipe cannot be created: \(systemErrorText(errno)).")
    }
    for (place, end) in ends.enumerated() {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      guard end <= 2 else { continue }
      // If a standard descriptor of this process is closed, the pipe would get its number.
      ends[place] = fcntl(end, F_DUPFD_CLOEXEC, 3)
      close(end)
    }
    reading = ends[0]
    writing = ends[1]
  }

  deinit {
    for end in [reading, writing] where end >= 0 { close(end) }
  }

  func takeReading() -> Int32 {
    defer { reading = -1 }
    return reading
  }

  func takeWriting() -> Int32 {
    defer { writing = -1 }
    return writing
  }
}
