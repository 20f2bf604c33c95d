internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program with a terminal of its own, at which the test sits.
package final class PseudoTerminal {
  private let controller: Int32
  private let program: SpawnedProgram
  /// All that appeared on the terminal so far.
  package private(set) var transcript = ""
  /// The end of the transcript, behind what was waited for.
  private var unmatched = ""
  /// Whether the program said nothing for five minutes when it was last read.
  private var isSilent = false

  /// Starts a program whose standard input, output and error are the terminal.
  ///
  /// - Parameters:
  ///   - columns: The terminal's width.
  ///   - rows: The terminal's height.
  ///   - kind: The value of `TERM`.
  package init(
    _ name: String, _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24,
    kind: String = "dumb", environment: [String: String] = [:]
  ) throws {
    let path: String
    (controller, path) = try openTerminal()
    _ = fcntl(controller, F_SETFD, FD_CLOEXEC)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
    var actions = SpawnActions()
    // Opened by the leader of a new session, it becomes that session's terminal.
    actions.open(path, as: 0, O_RDWR)
    actions.duplicate(0, as: 1)
    actions.duplicate(0, as: 2)
    program = try actions.spawn(
      name, arguments, environment: environment.merging(["TERM": kind]) { $1 })
  }

  deinit { close(controller) }

  /// Waits until the text appears behind what the calls before waited for; a program that says nothing
  /// for five minutes is not waited for.
  ///
  /// - Returns: Whether it did.
  package func expect(_ text: String) -> Bool {
    while true {
      if let found = unmatched.range(of: text) {
        unmatched = String(unmatched[found.upperBound...])
        return true
      }
      guard let more = read() else { return false }
      unmatched += more
      transcript += more
    }
  }

  /// Waits until the text appears, unless it did before; a program that says nothing for five
  /// minutes is not waited for.
  ///
  /// - Returns: Whether it did.
  package func expectEventually(_ text: String) -> Bool {
    while !transcript.contains(text) {
      guard let more = read() else { return false }
      unmatched += more
      transcript += more
    }
    return true
  }

  /// Whether the terminal shows what is typed.
  package var echoes: Bool {
    var mode = termios()
    return tcgetattr(controller, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types text; `\r` is the return key.
  package func type(_ text: String) {
    Array(text.utf8).withUnsafeBytes { _ = write(controller, $0.baseAddress, $0.count) }
  }

  /// The number of the program's process.
  package var process: Int32 { program.process }

  /// Sends the program a signal.
  package func signal(_ number: Int32) { program.signal(number) }

  /// Waits for the end of the program: its exit code.
  package func wait() -> Int32 { waitForEnd().status }

  /// Waits for the end of the program: its exit code, or the number of the signal that ended it. A
  /// program that says nothing for five minutes is ended.
  package func waitForEnd() -> (status: Int32, exited: Bool) {
    while let more = read() { transcript += more }
    if isSilent { program.signal(SIGKILL) }
    return program.wait()
  }

  private func read() -> String? {
    var request = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
    isSilent = poll(&request, 1, 300_000) == 0
    if isSilent { return nil }
    var buffer = [UInt8](repeating: 0, count: 4096)
    // At the end of the program Linux answers with an error, others with nothing.
    let count = buffer.withUnsafeMutableBytes {
      systemRead(controller, $0.baseAddress, $0.count)
    }
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int)
  -> Int
{
  read(descriptor, buffer, count)
}

/// A new terminal: the side of who sits at it, and the path of the program's side.
private func openTerminal() throws -> (controller: Int32, path: String) {
  #if canImport(Darwin)
    let controller = posix_openpt(O_RDWR | O_NOCTTY)
    guard controller >= 0, grantpt(controller) == 0, unlockpt(controller) == 0,
      let path = ptsname(controller)
    else { throw CocoaError(.fileReadUnknown) }
    return (controller, String(cString: path))
  #else
    // Swift's C library module leaves the functions out; these are the calls they make
    // (TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h).
    let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var number: Int32 = 0
    guard controller >= 0, ioctl(controller, 0x4004_5431, &lock) == 0,
      ioctl(controller, 0x8004_5430, &number) == 0
    else { throw CocoaError(.fileReadUnknown) }
    return (controller, "/dev/pts/\(number)")
  #endif
}
