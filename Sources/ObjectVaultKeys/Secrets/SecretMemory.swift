internal import COpenSSL

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Whole memory pages that hold one secret and nothing else.
///
/// Whole pages, because locking, dumping and wiping on fork are properties of pages.
package struct SecretMemory {
  package let start: UnsafeMutableRawPointer
  /// The mapped length: at least one page, also for an empty secret.
  package let mappedCount: Int
  /// Why the pages could not be locked; nil where they are.
  package let lockFailure: Int32?
  /// The process that locked them: one that is forked has no locks.
  let process: Int32

  package init(holding count: Int) {
    let page = SecretMemory.pageSize
    process = ProcessNumber.current
    mappedCount = max(1, (count + page - 1) / page) * page
    if mappedCount == page, let spare = SecretMemory.spare.take(for: process) {
      (start, lockFailure) = (spare, nil)
      return
    }
    guard let mapped = SecretMemory.map(mappedCount) else {
      fatalError("no memory left for a secret of \(count) bytes: \(systemErrorText(errno))")
    }
    start = mapped
    lockFailure = mlock(mapped, mappedCount) == 0 ? nil : errno
    #if os(Linux) || os(Android)
      // Best effort: kernels older than 4.14 do not know the second.
      _ = madvise(mapped, mappedCount, SecretMemory.dontDump)
      _ = madvise(mapped, mappedCount, SecretMemory.wipeOnFork)
    #endif
  }

  /// Overwrites all of it, in a way that no compiler leaves out.
  package func wipe() {
    OPENSSL_cleanse(start, mappedCount)
  }

  /// Gives the pages, which must be wiped, to the next secret, or with their lock back to the system.
  package func release() {
    let process = ProcessNumber.current
    if mappedCount == SecretMemory.pageSize, lockFailure == nil, process == self.process,
      SecretMemory.spare.keep(start, of: process)
    {
      return
    }
    munmap(start, mappedCount)
  }

  /// Pages of zeros that nobody else has; `nil` where no memory is left, with the reason in `errno`.
  static func map(_ count: Int) -> UnsafeMutableRawPointer? {
    let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
    return mapped == UnsafeMutableRawPointer(bitPattern: -1) ? nil : mapped
  }

  static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
  private static let spare = SparePages(pageSize: pageSize)

  #if canImport(Darwin)
    private static let anonymous = MAP_ANON
  #else
    private static let anonymous = MAP_ANONYMOUS
    // linux/mman.h; not every C library's header has both.
    private static let dontDump: Int32 = 16
    static let wipeOnFork: Int32 = 18
  #endif
}

/// Whether this process may lock memory, for the doctor.
package enum MemoryLocking {
  /// Locks one page and gives it back; nil when that works, else the system's reason.
  package static func failure() -> String? {
    let memory = SecretMemory(holding: 1)
    defer { memory.release() }
    return memory.lockFailure.map { systemErrorText($0) }
  }
}
