internal import ObjectVaultPlatform
internal import ObjectVaultPrimitives

/// Whole memory pages that contain one secret and nothing else.
///
/// Whole pages are needed because locking, dumping and wiping on fork apply to pages.
package struct SecretMemory {
  package let start: UnsafeMutableRawPointer
  /// The mapped length in bytes: at least one page, also for an empty secret.
  package let mappedCount: Int
  /// The error number of a failed lock; `nil` if the pages are locked.
  package let lockFailure: Int32?
  /// The process that locked the pages; a forked process does not inherit locks.
  let process: Int32

  package init(holding count: Int) {
    let page = MappedMemory.pageSize
    process = ProcessNumber.current
    mappedCount = max(1, (count + page - 1) / page) * page
    if mappedCount == page, let spare = SecretMemory.spare.take(for: process) {
      (start, lockFailure) = (spare, nil)
      return
    }
    guard let mapped = MappedMemory.map(mappedCount) else {
      fatalError(
        "Cannot allocate memory for a secret of \(count) bytes: \(systemErrorText(errno)).")
    }
    start = mapped
    lockFailure = mlock(mapped, mappedCount) == 0 ? nil : errno
    #if os(Linux) || os(Android)
      // Best effort: kernels older than 4.14 do not support the second.
      _ = madvise(mapped, mappedCount, MappedMemory.dontDump)
      _ = madvise(mapped, mappedCount, MappedMemory.wipeOnFork)
    #endif
  }

  /// Overwrites all pages in a way that the compiler cannot optimise away.
  package func wipe() {
    Cryptography.wipe(UnsafeMutableRawBufferPointer(start: start, count: mappedCount))
  }

  /// Releases the wiped pages, to the next secret or, with their lock, to the system.
  package func release() {
    let process = ProcessNumber.current
    if mappedCount == MappedMemory.pageSize, lockFailure == nil, process == self.process,
      SecretMemory.spare.keep(start, of: process)
    {
      return
    }
    munmap(start, mappedCount)
  }

  private static let spare = SparePages(pageSize: MappedMemory.pageSize)
}

/// A test of whether this process can lock memory, used by the doctor.
package enum MemoryLocking {
  /// Locks one page and releases it; returns `nil` on success, or else the system's reason.
  package static func failure() -> String? {
    let memory = SecretMemory(holding: 1)
    defer { memory.release() }
    return memory.lockFailure.map { systemErrorText($0) }
  }
}
