#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A hint that asks the kernel to back a large buffer with huge pages.
///
/// Linux allocates memory page by page when it is first touched, which takes longer than filling
/// the page. With huge pages on request, a few pages replace thousands.
@usableFromInline
enum LargePages {
  /// The least size in bytes; smaller buffers contain one huge page or none.
  private static let least = 4 << 20

  /// Requests huge pages for a buffer that is about to be filled from its start.
  ///
  /// Without huge pages, the call has no effect.
  @usableFromInline
  static func prefer(for memory: UnsafeRawBufferPointer) {
    #if os(Linux)
      guard memory.count >= least, let start = memory.baseAddress else { return }
      let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let first = (UInt(bitPattern: start) + page - 1) & ~(page - 1)
      let end = (UInt(bitPattern: start) + UInt(memory.count)) & ~(page - 1)
      _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_HUGEPAGE)
    #endif
  }
}
