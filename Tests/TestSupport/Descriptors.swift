import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe whose ends no program started meanwhile by another test inherits: one that had the
/// reading end would keep writers from noticing that their reader is gone.
package func privatePipe() throws -> (reading: Int32, writing: Int32) {
  // One with a name, since only what is opened by a name is never inherited for a moment.
  let folder = try TemporaryFolder()
  let path = folder.file("pipe")
  guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  // Without waiting for a writer.
  let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  let writing = open(path, O_WRONLY | O_CLOEXEC)
  guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, 0) == 0 else {
    throw CocoaError(.fileReadUnknown)
  }
  return (reading, writing)
}

/// The lock of a whole file, as a process at work on the file holds it.
package final class HeldLock {
  private let descriptor: Int32

  /// - Returns: `nil` where the file is missing or somebody else holds the lock.
  package init?(of path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Gives it up at once. Closing alone would leave it with a program that another test is just
  /// starting, until that program runs.
  package func release() { flock(descriptor, LOCK_UN) }
}
