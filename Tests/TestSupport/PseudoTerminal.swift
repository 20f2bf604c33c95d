internal import Foundation

internal import ObjectVaultPlatform

/// A program with its own terminal, which the test controls.
package final class PseudoTerminal {
  private let controller: Int32
  private let program: SpawnedProgram
  /// The whole output on the terminal so far.
  package private(set) var transcript = ""
  /// The part of the transcript after the last match.
  private var unmatched = ""
  /// Whether the program said nothing for five minutes when it was last read.
  private var isSilent = false

  /// Starts a program with the terminal as its standard input, output and error.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - arguments: The arguments of the program.
  ///   - columns: The terminal's width.
  ///   - rows: The terminal's height.
  ///   - kind: The value of `TERM`.
  ///   - environment: The differences from this process's environment.
  /// - Throws: An error if the terminal or the program cannot be started.
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
    // Opened by the leader of a new session, it becomes the terminal of that session.
    actions.open(path, as: 0, O_RDWR)
    actions.duplicate(0, as: 1)
    actions.duplicate(0, as: 2)
    program = try actions.spawn(
      name, arguments, environment: environment.merging(["TERM": kind]) { $1 })
  }

  deinit { close(controller) }

  /// Waits until the text appears after the text that earlier calls matched.
  ///
  /// Returns whether it appeared. The wait ends when the program prints nothing for five minutes.
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

  /// Waits until the text appears, unless it has already appeared.
  ///
  /// Returns whether it appeared. The wait ends when the program prints nothing for five minutes.
  package func expectEventually(_ text: String) -> Bool {
    while !transcript.contains(text) {
      guard let more = read() else { return false }
      unmatched += more
      transcript += more
    }
    return true
  }

  /// Whether the terminal echoes input.
  package var echoes: Bool {
    var mode = termios()
    return tcgetattr(controller, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types text.
  ///
  /// The return key is `\r`.
  package func type(_ text: String) {
    Array(text.utf8).withUnsafeBytes { _ = write(controller, $0.baseAddress, $0.count) }
  }

  /// The ID of the program's process.
  package var process: Int32 { program.process }

  /// Sends the program a signal.
  package func signal(_ number: Int32) { program.signal(number) }

  /// Waits for the end of the program, and returns its exit code.
  package func wait() -> Int32 { waitForEnd().status }

  /// Waits for the end of the program, and returns its exit code or the number of its signal.
  ///
  /// A program that is silent for five minutes is killed.
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
    // At the end of the program Linux returns an error, and other systems return nothing.
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

/// Returns a new terminal: the descriptor of the controlling side, and the path of the program's
/// side.
private func openTerminal() throws -> (controller: Int32, path: String) {
  #if canImport(Darwin)
    let controller = posix_openpt(O_RDWR | O_NOCTTY)
    guard controller >= 0, grantpt(controller) == 0, unlockpt(controller) == 0,
      let path = ptsname(controller)
    else { throw CocoaError(.fileReadUnknown) }
    return (controller, String(cString: path))
  #else
    // Swift's C library module omits these functions. These are the calls that they make
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
