internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The ID of this process, which is cached because a system call costs as much as a file read.
package enum ProcessNumber {
  package static var current: Int32 {
    guard let known else { return getpid() }
    let number = known.pointee.load(ordering: .relaxed)
    if number != 0 { return number }
    let asked = getpid()
    known.pointee.store(asked, ordering: .relaxed)
    return asked
  }

  /// The address of the cached ID, in memory that is empty after a fork; `nil` if unavailable.
  package static let place = known.map { UInt(bitPattern: $0) }

  private nonisolated(unsafe) static let known: UnsafeMutablePointer<Atomic<Int32>>? = {
    #if os(Linux) || os(Android)
      let size = SecretMemory.pageSize
      guard let mapped = SecretMemory.map(size) else { return nil }
      // Kernels older than 4.14 do not support it.
      guard madvise(mapped, size, SecretMemory.wipeOnFork) == 0 else {
        munmap(mapped, size)
        return nil
      }
      let number = mapped.bindMemory(to: Atomic<Int32>.self, capacity: 1)
      number.initialize(to: Atomic(0))
      return number
    #else
      return nil
    #endif
  }()
}
