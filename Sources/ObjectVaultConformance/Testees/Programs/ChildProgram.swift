import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program started in a process group of its own, with pipes to its standard input and output.
///
/// Its standard error is this process's.
struct ChildProgram: ~Copyable {
  private let process: pid_t
  /// Where its standard input is written; neither end blocks.
  private(set) var input: Int32
  /// Where its standard output is read.
  let output: Int32

  deinit {
    if input >= 0 { close(input) }
    close(output)
  }

  private init(_ process: pid_t, input: Int32, output: Int32) {
    self.process = process
    self.input = input
    self.output = output
    // The program's own ends go on blocking: whether they do belongs to each end.
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Starts a program, sought in `PATH` where its name has no slash.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - environment: What differs from this process's environment.
  /// - Throws: ``TesteeEnded`` where it cannot be started.
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
      // Nothing but the three is left open, whatever else this process opens meanwhile.
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
    // A program starts with signals as they are by default, whatever this process ignores.
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

  /// One start at a time: a program must not inherit the pipes of another, between their making and
  /// their mark to be closed. It would keep them open after the other's end.
  private static let starting = NSLock()

  // MARK: The end

  /// Ends its standard input.
  mutating func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Waits for the end, and kills what has not ended by then, with all that it started.
  ///
  /// To be called once.
  ///
  /// - Returns: How it ended, and whether it had to be killed.
  func finish(within seconds: Double) -> (end: ProcessEnd, wasForced: Bool) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var hasEnded = isOver
    while !hasEnded, ContinuousClock.now < deadline {
      poll(nil, 0, 2)
      hasEnded = isOver
    }
    // Before its number is given free: then the group can be no other's.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (ProcessEnd(waitStatus: status), !hasEnded)
  }

  /// Whether it ended; its status is left to be asked for.
  private var isOver: Bool {
    var info = siginfo_t()
    let answer = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
    return answer == 0 ? info.si_signo == SIGCHLD : errno != EINTR
  }
}

/// A pipe that programs do not inherit beyond the standard descriptors. It closes the ends that
/// nobody took.
private final class Pipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw TesteeEnded(reason: "No pipe can be made: \(systemErrorText(errno)).")
    }
    for (place, end) in ends.enumerated() {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      guard end <= 2 else { continue }
      // Where this process has a standard descriptor closed, the pipe would take its number.
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
