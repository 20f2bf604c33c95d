import Foundation

/// Two pipes with names by which a test and a process that it started wait for each other: neither
/// side waits for a time.
package final class Handshake {
  private let asked: Int32
  private let answered: Int32

  /// - Parameters:
  ///   - path: Where the pipes are: `PATH.asked` and `PATH.answered`.
  ///   - isMaking: Whether this is the test, which makes them.
  package init(at path: String, isMaking: Bool) throws {
    if isMaking {
      for name in ["asked", "answered"] {
        unlink("\(path).\(name)")
        guard mkfifo("\(path).\(name)", 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
      }
    }
    // Open for both reading and writing, so that opening waits for nobody.
    asked = open("\(path).asked", O_RDWR | O_CLOEXEC)
    answered = open("\(path).answered", O_RDWR | O_CLOEXEC)
    guard asked >= 0, answered >= 0 else { throw CocoaError(.fileReadUnknown) }
  }

  deinit {
    close(asked)
    close(answered)
  }

  /// The process: says that it is ready, and waits until it may go on.
  package func ask() throws {
    _ = write(asked, "r", 1)
    guard Self.wait(for: answered) else { throw CocoaError(.userCancelled) }
  }

  /// The test: waits until the process is ready.
  ///
  /// - Returns: Whether it is; not where it ended instead, which shows after ten minutes.
  package func isAsked() -> Bool { Self.wait(for: asked) }

  /// The test: lets the process go on.
  package func answer() { _ = write(answered, "g", 1) }

  private static func wait(for pipe: Int32) -> Bool {
    var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 600_000) == 1 else { return false }
    var byte: UInt8 = 0
    return read(pipe, &byte, 1) == 1
  }
}
