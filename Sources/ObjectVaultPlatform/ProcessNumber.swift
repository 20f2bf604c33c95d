public import Synchronization

/// The ID of this process, which is cached because a system call costs as much as a file read.
@usableFromInline
package enum ProcessNumber {
  @inlinable
  package static var current: Int32 {
    if let known {
      let number = known.pointee.load(ordering: .relaxed)
      if number != 0 { return number }
    }
    return ask()
  }

  @usableFromInline
  static func ask() -> Int32 {
    let asked = getpid()
    known?.pointee.store(asked, ordering: .relaxed)
    return asked
  }

  /// The address of the cached ID, in memory that is empty after a fork; `nil` if unavailable.
  package static let place = known.map { UInt(bitPattern: $0) }

  @usableFromInline nonisolated(unsafe) static let known: UnsafeMutablePointer<Atomic<Int32>>? = {
    #if os(Linux) || os(Android)
      let size = MappedMemory.pageSize
      guard let mapped = MappedMemory.map(size) else { return nil }
      // Kernels older than 4.14 do not support it.
      guard madvise(mapped, size, MappedMemory.wipeOnFork) == 0 else {
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
