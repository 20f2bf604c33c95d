import ObjectVaultPlatform

/// A terminal mode that delivers each byte as it is typed, without echo, until it is restored.
///
/// A signal that ends or suspends the process restores the terminal first. After a suspension the
/// mode is set again and the question is shown again. Only one mode can be active at a time.
struct TerminalMode {
  /// The state of the handlers.
  ///
  /// Handlers can interrupt any statement, so it is accessed only through its address.
  private struct State {
    var descriptor: Int32 = -1
    var original = termios()
    var hidden = termios()
    /// Whether a change of the mode discards or keeps earlier input.
    var change = TCSAFLUSH
    var question = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    var isHidden = false
    var wasContinued = false
  }

  private typealias Handler = @convention(c) (Int32) -> Void

  nonisolated(unsafe) private static let state = {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    return state
  }()

  /// The signals that end a process unless it handles them.
  private static let endingSignals = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGUSR1, SIGUSR2,
    SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGSEGV, SIGTRAP, SIGSYS,
  ]

  private var formerHandlers: [(number: Int32, handler: Handler?)] = []

  /// Sets the mode.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor of the terminal.
  ///   - question: The text that is shown again after the process was suspended.
  ///   - sendsSignals: Whether keys such as Control-C send signals instead of bytes.
  /// - Throws: ``ToolError`` if the mode cannot be read or set.
  init(_ descriptor: Int32, question: String, sendsSignals: Bool) throws {
    let state = Self.state
    state.pointee.descriptor = descriptor
    guard tcgetattr(descriptor, &state.pointee.original) == 0 else {
      throw ToolError(
        .inputOutput, "The mode of the terminal cannot be read: \(systemErrorText(errno)).")
    }
    var off = tcflag_t(ECHO | ECHONL | ICANON | IEXTEN)
    if !sendsSignals { off |= tcflag_t(ISIG) }
    state.pointee.hidden = state.pointee.original
    state.pointee.hidden.c_lflag &= ~off
    // Input that was typed before the question for a key could be intended for something else.
    state.pointee.change = sendsSignals ? TCSAFLUSH : TCSADRAIN
    let text = Array(question.utf8)
    state.pointee.question = .allocate(capacity: text.count)
    _ = state.pointee.question.update(from: text)
    state.pointee.wasContinued = false
    state.pointee.isHidden = true
    for number in Self.endingSignals {
      handle(number) { number in
        TerminalMode.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    handle(SIGTSTP) { _ in TerminalMode.suspend() }
    handle(SIGCONT) { _ in TerminalMode.enter() }
    guard tcsetattr(descriptor, state.pointee.change, &state.pointee.hidden) == 0 else {
      let error = errno
      restore()
      throw ToolError(
        .inputOutput, "The echo of the terminal cannot be turned off: \(systemErrorText(error)).")
    }
  }

  /// Restores the terminal's mode and the signal handlers.
  func restore() {
    let state = Self.state
    _ = tcsetattr(
      state.pointee.descriptor, state.pointee.change, &state.pointee.original)
    for (number, handler) in formerHandlers { signal(number, handler) }
    state.pointee.isHidden = false
    state.pointee.question.deallocate()
    state.pointee.question = UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  /// Returns whether the process was suspended and continued since the last call.
  func takeContinued() -> Bool {
    defer { Self.state.pointee.wasContinued = false }
    return Self.state.pointee.wasContinued
  }

  // MARK: Signals

  /// Handles a signal from now on.
  ///
  /// A signal that was ignored stays ignored.
  private mutating func handle(_ number: Int32, _ handler: @escaping Handler) {
    let former = signal(number, handler)
    if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(number, SIG_IGN)
    } else {
      formerHandlers.append((number, former))
    }
  }

  // The functions below run in signal handlers. They call only functions that POSIX allows there.

  private static func leave() {
    state.pointee.isHidden = false
    _ = tcsetattr(state.pointee.descriptor, TCSANOW, &state.pointee.original)
    // Following output begins on a new line.
    withUnsafeBytes(of: UInt8(ascii: "\n")) { _ = systemWrite(state.pointee.descriptor, $0) }
  }

  private static func enter() {
    state.pointee.isHidden = true
    state.pointee.wasContinued = true
    _ = tcsetattr(
      state.pointee.descriptor, state.pointee.change, &state.pointee.hidden)
    _ = systemWrite(
      state.pointee.descriptor, UnsafeRawBufferPointer(state.pointee.question))
  }

  private static func suspend() {
    leave()
    signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    // The process stops and continues here.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(SIGTSTP) { _ in TerminalMode.suspend() }
    if !state.pointee.isHidden { enter() }
  }
}
