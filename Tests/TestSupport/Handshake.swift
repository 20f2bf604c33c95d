import Foundation

/// Two named pipes by which a test and its child process wait for each other, without sleeping.
package final class Handshake {
  private let asked: Int32
  private let answered: Int32

  /// Opens the pipes.
  ///
  /// - Parameters:
  ///   - path: The prefix of the pipes' paths, `PATH.asked` and `PATH.answered`.
  ///   - isMaking: Whether this process is the test, which creates the pipes.
  /// - Throws: An error if a pipe cannot be created or opened.
  package init(at path: String, isMaking: Bool) throws {
    if isMaking {
      for name in ["asked", "answered"] {
        unlink("\(path).\(name)")
        guard mkfifo("\(path).\(name)", 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
      }
    }
    // Open for both reading and writing, so that opening does not block.
    asked = open("\(path).asked", O_RDWR | O_CLOEXEC)
    answered = open("\(path).answered", O_RDWR | O_CLOEXEC)
    guard asked >= 0, answered >= 0 else { throw CocoaError(.fileReadUnknown) }
  }

  deinit {
    close(asked)
    close(answered)
  }

  /// Reports that the child is ready, and waits until it can continue.
  ///
  /// Called by the child.
  package func ask() throws {
    _ = write(asked, "r", 1)
    guard Self.wait(for: answered) else { throw CocoaError(.userCancelled) }
  }

  /// Waits until the child is ready.
  ///
  /// Called by the test.
  ///
  /// Returns `false` after ten minutes if the child ended instead.
  package func isAsked() -> Bool { Self.wait(for: asked) }

  /// Lets the child continue.
  ///
  /// Called by the test.
  package func answer() { _ = write(answered, "g", 1) }

  private static func wait(for pipe: Int32) -> Bool {
    var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 600_000) == 1 else { return false }
    var byte: UInt8 = 0
    return read(pipe, &byte, 1) == 1
  }
}
