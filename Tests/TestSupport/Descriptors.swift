import Foundation

import ObjectVaultPlatform

/// Returns the ends of a pipe that programs started concurrently by other tests do not inherit.
///
/// A program that inherited the reading end would keep writers from noticing that their reader is
/// closed.
package func privatePipe() throws -> (reading: Int32, writing: Int32) {
  // A named pipe: only a descriptor that is opened by name is never inherited, not even briefly.
  let folder = try TemporaryFolder()
  let path = folder.file("pipe")
  guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  // Does not wait for a writer.
  let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  let writing = open(path, O_WRONLY | O_CLOEXEC)
  guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, 0) == 0 else {
    throw CocoaError(.fileReadUnknown)
  }
  return (reading, writing)
}

/// The lock of a whole file, as held by a process that is working on the file.
package final class HeldLock {
  private let descriptor: Int32

  /// Acquires the lock, or returns `nil` if the file is missing or another process holds the lock.
  package init?(of path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Releases the lock immediately.
  ///
  /// If the descriptor were only closed, a program that another test is starting would hold the
  /// lock until it runs.
  package func release() { flock(descriptor, LOCK_UN) }
}
