/// Memory in pages of its own, which is not part of the heap.
package enum MappedMemory {
  /// The size of a page in bytes.
  package static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// Maps new zeroed pages.
  ///
  /// - Parameter count: The size in bytes.
  /// - Returns: The pages; `nil` if memory is exhausted, with the reason in `errno`.
  package static func map(_ count: Int) -> UnsafeMutableRawPointer? {
    let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
    return mapped == UnsafeMutableRawPointer(bitPattern: -1) ? nil : mapped
  }

  #if canImport(Darwin)
    private static let anonymous = MAP_ANON
  #else
    private static let anonymous = MAP_ANONYMOUS
    // From linux/mman.h; some C libraries lack one of the two constants.

    /// The advice of `madvise` that keeps pages out of core dumps.
    package static let dontDump: Int32 = 16
    /// The advice of `madvise` that empties pages in a forked child. Linux 4.14 and later have it.
    package static let wipeOnFork: Int32 = 18
  #endif
}
