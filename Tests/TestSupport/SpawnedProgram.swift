internal import Foundation

internal import ObjectVaultPlatform

/// A program of this package, started as a user or a script would.
///
/// It has its own session, so its only terminal is a given one.
package struct SpawnedProgram {
  /// The standard input of the program.
  package enum Input {
    /// An input that ends immediately.
    case none
    /// A file with these bytes.
    case file([UInt8])
    /// A pipe with these bytes, at most the capacity of a pipe (64 KiB), which then ends.
    case pipe([UInt8])
  }

  package let process: Int32

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - program: The name or the absolute path of the program.
  ///   - arguments: The arguments of the program.
  ///   - input: The standard input.
  ///   - output: The path of a device for standard output, which is not read back.
  ///   - descriptors: The content of further descriptors for reading.
  ///   - environment: The differences from this process's environment.
  /// - Returns: The result of the program.
  /// - Throws: An error if the program cannot be started.
  package static func run(
    _ program: String, _ arguments: [String], input: Input = .none, output: String? = nil,
    descriptors: [Int32: [UInt8]] = [:], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let folder = try TemporaryFolder()
    var actions = SpawnActions()
    try actions.addInput(input, in: folder)
    if let output {
      actions.open(output, as: 1, O_WRONLY)
    } else {
      actions.open(folder.file("output"), as: 1, O_WRONLY | O_CREAT)
    }
    actions.open(folder.file("errors"), as: 2, O_WRONLY | O_CREAT)
    for (number, bytes) in descriptors {
      try Data(bytes).write(to: folder.url.appendingPathComponent("\(number)"))
      actions.open(folder.file("\(number)"), as: number, O_RDONLY)
    }
    let started = try actions.spawn(program, arguments, environment: environment)
    let (status, exited) = started.wait()
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
    }
    return ChildProcess(
      status: status, exited: exited, output: output == nil ? try text("output") : "",
      errors: try text("errors"))
  }

  /// Starts the program without waiting.
  ///
  /// The file at `output` receives its output, which is discarded by default.
  package static func start(
    _ program: String, _ arguments: [String], output: String = "/dev/null"
  ) throws -> SpawnedProgram {
    var actions = SpawnActions()
    actions.open("/dev/null", as: 0, O_RDONLY)
    actions.open(output, as: 1, O_WRONLY | O_CREAT | O_APPEND)
    actions.open(output, as: 2, O_WRONLY | O_CREAT | O_APPEND)
    return try actions.spawn(program, arguments, environment: [:])
  }

  /// Whether the program has ended.
  ///
  /// Waiting for it is still possible.
  package var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information.si_signo != 0
  }

  /// Sends the program a signal.
  package func signal(_ number: Int32) { kill(process, number) }

  /// Runs the program with a standard output that has a closed reading end.
  package static func runWithClosedOutput(
    _ program: String, _ arguments: [String]
  ) throws -> ChildProcess {
    let folder = try TemporaryFolder()
    var actions = SpawnActions()
    try actions.addInput(.none, in: folder)
    try actions.addClosedPipe(as: 1)
    actions.open(folder.file("errors"), as: 2, O_WRONLY | O_CREAT)
    let (status, exited) = try actions.spawn(program, arguments, environment: [:]).wait()
    let errors = try Data(contentsOf: folder.url.appendingPathComponent("errors"))
    return ChildProcess(
      status: status, exited: exited, output: "", errors: String(decoding: errors, as: UTF8.self))
  }

  /// Waits for the end, and returns the exit code or the number of the signal.
  package func wait() -> (status: Int32, exited: Bool) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? ((status >> 8) & 0xFF, true) : (signal, false)
  }
}

/// The descriptors of a program to start.
struct SpawnActions: ~Copyable {
  #if canImport(Darwin)
    private var actions: posix_spawn_file_actions_t?
    private static let newSession: Int16 = 0x0400
  #else
    private var actions = posix_spawn_file_actions_t()
    private static let newSession: Int16 = 0x80
  #endif
  private var pipes: [Int32] = []

  init() { posix_spawn_file_actions_init(&actions) }

  deinit {
    for descriptor in pipes { close(descriptor) }
  }

  mutating func open(_ path: String, as number: Int32, _ flags: Int32) {
    posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
  }

  mutating func duplicate(_ descriptor: Int32, as number: Int32) {
    posix_spawn_file_actions_adddup2(&actions, descriptor, number)
  }

  mutating func addInput(_ input: SpawnedProgram.Input, in folder: TemporaryFolder) throws {
    switch input {
    case .none: open("/dev/null", as: 0, O_RDONLY)
    case .file(let bytes):
      try Data(bytes).write(to: folder.url.appendingPathComponent("input"))
      open(folder.file("input"), as: 0, O_RDONLY)
    case .pipe(let bytes):
      let ends = try privatePipe()
      _ = bytes.withUnsafeBytes { write(ends.writing, $0.baseAddress, $0.count) }
      close(ends.writing)
      pipes.append(ends.reading)
      duplicate(ends.reading, as: 0)
    }
  }

  /// Adds a pipe with a closed reading end.
  mutating func addClosedPipe(as number: Int32) throws {
    let ends = try privatePipe()
    close(ends.reading)
    pipes.append(ends.writing)
    duplicate(ends.writing, as: number)
  }

  mutating func spawn(
    _ program: String, _ arguments: [String], environment: [String: String]
  ) throws -> SpawnedProgram {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    // The program starts with default signal handling, even if the test runner ignores signals.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Self.newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    // A relative name is a program of this package.
    let path = program.hasPrefix("/") ? program : ChildProcess.path(of: program)
    let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var argumentPointers = ([path] + arguments).map { strdup($0) } + [nil]
    var environmentPointers = merged.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for pointer in argumentPointers + environmentPointers { free(pointer) }
    }
    var process: pid_t = 0
    let answer = posix_spawn(
      &process, path, &actions, &attributes, &argumentPointers, &environmentPointers)
    guard answer == 0 else { throw CocoaError(.executableNotLoadable) }
    return SpawnedProgram(process: process)
  }
}
