internal import Foundation
internal import ObjectVaultPlatform

/// A started program with the ends of its three streams.
///
/// The end of the value's lifetime closes the streams, kills the process group of the program, and
/// reaps the program. It waits at most two seconds for a program that cannot be killed.
struct PluginProcess: ~Copyable {
  private let process: pid_t
  private var isReaped = false
  /// The end that writes to standard input; -1 if it is closed.
  private(set) var input: Int32
  /// The end that reads standard output.
  let output: Int32
  /// The end that reads standard error; -1 if it is closed.
  private(set) var errors: Int32

  /// Starts a program without arguments, with the environment of this process.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the program.
  ///   - name: The name of the provider, for errors.
  /// - Throws: `providerFailed` with the error number of the system.
  init(starting path: String, of name: String) throws(KeyError) {
    var streams: [Stream] = []
    while streams.count < 3 {
      guard let stream = Stream.make() else {
        let reason = errno
        for stream in streams { stream.closeBoth() }
        throw PluginProcess.notStarted(path, of: name, reason)
      }
      streams.append(stream)
    }
    var process: pid_t = 0
    let answer = spawn(path, streams.map(\.other), as: &process)
    for stream in streams { close(stream.other) }
    guard answer == 0 else {
      for stream in streams { close(stream.own) }
      throw PluginProcess.notStarted(path, of: name, answer)
    }
    for stream in streams {
      _ = fcntl(stream.own, F_SETFL, fcntl(stream.own, F_GETFL) | O_NONBLOCK)
    }
    self.process = process
    (input, output, errors) = (streams[0].own, streams[1].own, streams[2].own)
  }

  deinit {
    if input >= 0 { close(input) }
    close(output)
    if errors >= 0 { close(errors) }
    guard !isReaped else { return }
    // The program is not reaped yet, so its number belongs to no other process.
    Self.sendSignal(-process, SIGKILL)
    Self.sendSignal(process, SIGKILL)
    if Self.hasEnded(process, within: PluginLimits.ending) { return }
    // This user may not kill a program that runs as another one, and the system does not kill a
    // program that waits for a device. The thread removes its entry from the system at its end.
    let process = process
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
  }

  /// Waits for the end of a program, and removes its entry from the system.
  ///
  /// - Parameters:
  ///   - process: The number of the program.
  ///   - time: The time to wait.
  /// - Returns: Whether the entry is removed.
  private static func hasEnded(_ process: pid_t, within time: Duration) -> Bool {
    let limit = ContinuousClock.now + time
    var pause: useconds_t = 500
    var status: Int32 = 0
    while true {
      let answer = waitpid(process, &status, WNOHANG)
      // Another part of the application may reap every child.
      if answer == process || answer < 0 && errno != EINTR { return true }
      guard .now < limit else { return false }
      usleep(pause)
      pause = min(2 * pause, 20_000)
    }
  }

  /// Closes the standard input of the program.
  mutating func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Stops reading the standard error of the program.
  mutating func closeErrors() {
    if errors >= 0 { close(errors) }
    errors = -1
  }

  /// Returns the end of the program if it has ended, and removes its entry from the system.
  ///
  /// The processes that it left in its group are killed.
  mutating func reap() -> Ending? {
    var information = siginfo_t()
    let answer = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    if answer != 0, errno == EINTR { return nil }
    // Another part of the application may reap every child.
    guard answer == 0 else {
      isReaped = true
      return .unknown
    }
    guard information.si_signo != 0 else { return nil }
    kill(-process, SIGKILL)
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return nil }
    isReaped = true
    let signal = status & 0x7F
    return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }

  private static func notStarted(_ path: String, of name: String, _ reason: Int32) -> KeyError {
    KeyError(
      .providerFailed,
      "The program '\(path)' of the key provider '\(name)' cannot be started: "
        + "\(systemErrorText(reason)). Check the program.",
      systemError: reason)
  }
}

extension PluginProcess {
  /// Sends a signal to a program that must end; tests replace it.
  @TaskLocal static var sendSignal: @Sendable (pid_t, Int32) -> Void = { _ = kill($0, $1) }

  /// The end of a program.
  enum Ending {
    case status(Int32)
    case signal(Int32)
    /// Another part of the application has reaped the program.
    case unknown

    /// The words for messages.
    var description: String {
      switch self {
      case .status(let status): "ended with status \(status)"
      case .signal(let signal): "was ended by signal \(signal)"
      case .unknown: "ended"
      }
    }
  }
}

/// The two ends of a stream, which no other program inherits.
private struct Stream {
  let own: Int32
  let other: Int32

  func closeBoth() { for end in [own, other] where end >= 0 { close(end) } }

  /// Creates a stream; returns `nil` with the error number in `errno`.
  ///
  /// A socket, not a pipe: writing to it can report a closed end without the signal SIGPIPE, and it
  /// is closed on exec from the beginning.
  static func make() -> Stream? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
      var on: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #elseif canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    #else
      guard socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, &ends) == 0 else { return nil }
    #endif
    // Above 2, in case this process has closed a standard stream.
    let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    let reason = errno
    Stream(own: ends[0], other: ends[1]).closeBoth()
    let stream = Stream(own: moved[0], other: moved[1])
    guard moved.allSatisfy({ $0 >= 3 }) else {
      stream.closeBoth()
      errno = reason
      return nil
    }
    return stream
  }
}
