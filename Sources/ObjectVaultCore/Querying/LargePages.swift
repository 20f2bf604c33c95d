#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that is about to be filled from its beginning, and is large.
///
/// Linux hands memory out when it is first touched, page by page, which takes it longer than to fill the
/// page. Where it has large pages for those who ask, a few stand for thousands.
@usableFromInline
enum LargePages {
  /// Memory of fewer bytes is not worth the call: it has one large page or none.
  private static let least = 4 << 20

  /// Asks for large pages. Where there are none the memory is as any other.
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
