#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Bytes in memory pages of their own, which are wiped at the end of the value's lifetime.
///
/// The pages are locked against swapping if the system allows it, and left out of core dumps on
/// Linux.
public struct ProtectedBytes: ~Copyable {
  private let start: UnsafeMutableRawPointer
  private let mapped: Int
  /// The number of bytes.
  public private(set) var count: Int

  /// Creates zero bytes.
  ///
  /// - Parameter count: The number of bytes.
  public init(count: Int) {
    let page = sysconf(Int32(_SC_PAGESIZE))
    mapped = max(1, (count + page - 1) / page) * page
    self.count = count
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let memory = mmap(nil, mapped, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED
    else { fatalError("The system has no memory for \(mapped) bytes.") }
    start = memory
    // Best effort: the limit of locked memory may be reached.
    _ = mlock(start, mapped)
    #if os(Linux)
      _ = madvise(start, mapped, 16)  // MADV_DONTDUMP
    #endif
  }

  /// Creates a copy of bytes; the caller wipes the original.
  ///
  /// - Parameter bytes: The bytes.
  public init(copying bytes: some Collection<UInt8>) {
    self.init(count: bytes.count)
    withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
  }

  deinit {
    wipe(start, mapped)
    munmap(start, mapped)
  }

  /// Calls a closure with the bytes, which must not retain the pointer.
  ///
  /// - Parameter body: A closure that receives the bytes.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Calls a closure with the mutable bytes, which must not retain the pointer.
  ///
  /// - Parameter body: A closure that receives the bytes.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  /// Removes the bytes after the first ones.
  ///
  /// - Parameter count: The number of bytes to retain.
  public mutating func truncate(to count: Int) {
    precondition((0...self.count).contains(count), "Only existing bytes can be retained.")
    wipe(start + count, self.count - count)
    self.count = count
  }
}

/// Overwrites bytes in a way that the compiler does not remove.
///
/// - Parameters:
///   - start: The first byte.
///   - count: The number of bytes.
public func wipe(_ start: UnsafeMutableRawPointer, _ count: Int) {
  guard count > 0 else { return }
  #if canImport(Darwin)
    memset_s(start, count, 0, count)
  #else
    explicit_bzero(start, count)
  #endif
}

/// Returns random bytes of the system.
///
/// - Parameter count: The number of bytes, at most 256.
/// - Returns: The bytes.
/// - Throws: `failed` if the system has none.
public func randomBytes(_ count: Int) throws(ProviderError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  guard getentropy(&bytes, count) == 0 else {
    throw .failed("The system returned no random bytes. Check its random generator.")
  }
  return bytes
}
