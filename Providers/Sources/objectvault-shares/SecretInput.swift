internal import KeyProviderProgram
internal import RecoveryShares

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The settings of the terminal that shows what is typed, restored at the end.
// Unsafe: changed once, before the handlers that read it are installed. A handler can interrupt any
// statement, so both settings are accessed only through their addresses.
nonisolated(unsafe) private let visibleTerminal = UnsafeMutablePointer<termios>.allocate(
  capacity: 1)
/// The settings that do not show it.
nonisolated(unsafe) private let silentTerminal = UnsafeMutablePointer<termios>.allocate(
  capacity: 1)

/// Lines of standard input; a terminal does not show them.
final class SecretInput {
  /// Whether a person types the lines.
  let isTerminal = isatty(0) == 1
  private var pending: ProtectedBytes?

  init() {
    guard isTerminal else { return }
    visibleTerminal.initialize(to: termios())
    tcgetattr(0, visibleTerminal)
    var silent = visibleTerminal.pointee
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ECHONL)
    silentTerminal.initialize(to: silent)
    atexit { tcsetattr(0, TCSANOW, visibleTerminal) }
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
      signal(number) { number in
        tcsetattr(0, TCSANOW, visibleTerminal)
        _exit(128 + number)
      }
    }
    // A shell sets the terminal while the program is suspended.
    signal(SIGCONT) { _ in tcsetattr(0, TCSANOW, silentTerminal) }
    tcsetattr(0, TCSAFLUSH, silentTerminal)
  }

  /// Prompts the person, if there is one.
  func prompt(_ text: String) {
    if isTerminal { ProtectedBytes(copying: text.utf8).write(to: 2) }
  }

  /// Returns the next line without its newline, cut at 1,024 bytes; `nil` at the end.
  func line() -> ProtectedBytes? {
    if let line = pending.take() { return line }
    var line = ProtectedBytes(count: 1024)
    var length = 0
    var hasRead = false
    while true {
      let count = line.withUnsafeMutableBytes { bytes in
        // A byte at a time: a terminal provides few, and the rest belongs to the next line.
        read(0, bytes.baseAddress.map { $0 + min(length, bytes.count - 1) }, 1)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      hasRead = true
      let isEnd = line.withUnsafeBytes { $0[min(length, $0.count - 1)] == 0x0A }
      if isEnd { break }
      length = min(length + 1, line.count - 1)
    }
    guard hasRead else { return nil }
    line.truncate(to: length)
    return line
  }

  /// Returns the lines of the next share; `nil` at the end.
  func block() -> ShareBlock? {
    var block = ShareBlock()
    while !block.isComplete, let line = line() {
      guard block.add(line) else {
        pending = consume line
        break
      }
    }
    if block.isEmpty { return nil }
    return block
  }
}

extension ProtectedBytes {
  /// Writes the bytes to a descriptor, and returns whether all of them are written.
  @discardableResult
  borrowing func write(to descriptor: Int32) -> Bool {
    withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = systemWrite(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, start, count)
}
