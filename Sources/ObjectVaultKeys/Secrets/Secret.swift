internal import COpenSSL

/// Bytes that nobody else may see: a key or a passphrase.
///
/// They live in memory pages of their own that are locked against swapping where the system
/// allows it, are left out of core dumps and emptied in forked children (Linux), and are wiped
/// when the value's life ends; a few of them stay locked, empty, for the next secrets. A secret
/// cannot be copied, compared by `==` or printed.
///
/// A secret belongs to the process that made it. A forked child finds its pages empty, so every
/// operation of the library that needs a key made before the fork throws there, and
/// ``withUnsafeBytes(_:)`` stops the child.
///
/// ```swift
/// let secret = Secret(copying: buffer)
/// let vault = try Vault(at: "school.vault", key: .passphrase(secret))
/// ```
///
/// As with every allocation in Swift, a process that has no memory left stops.
public struct Secret: ~Copyable, @unchecked Sendable {
  // Unchecked: the pages belong to this value alone, and a noncopyable value is changed by one
  // owner at a time.
  private let memory: SecretMemory

  /// The number of bytes.
  public let count: Int

  /// The most bytes a secret can have: 16 MiB.
  public static var maximumCount: Int { 16 << 20 }

  /// Makes a secret of zero bytes, to be filled in place.
  ///
  /// - Parameter count: the number of bytes, from 0 to ``maximumCount``.
  public init(count: Int) {
    precondition(
      (0...Secret.maximumCount).contains(count), "a Secret has 0 to 16777216 bytes, not \(count)")
    self.memory = SecretMemory(holding: count)
    self.count = count
  }

  /// Makes a secret of a copy of the bytes: of a buffer, an array, a `Data`. The original stays
  /// the caller's to wipe.
  ///
  /// - Parameter bytes: at most ``maximumCount`` bytes.
  public init(copying bytes: some Collection<UInt8>) {
    self.init(count: bytes.count)
    withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
  }

  /// Makes a secret of a text's UTF-8 bytes, unchanged and not normalised.
  ///
  /// The text itself stays in memory as long as the program keeps it.
  ///
  /// - Parameter text: at most ``maximumCount`` bytes as UTF-8.
  public init(utf8 text: String) {
    self.init(copying: text.utf8)
  }

  deinit {
    memory.wipe()
    memory.release()
  }

  /// Always `<secret>`.
  public var description: String { "<secret>" }

  /// Calls a closure with the bytes. The closure must not keep the pointer or copy the bytes into
  /// ordinary memory.
  ///
  /// - Precondition: This process made the secret, not one that it was forked from.
  public borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The pages of another process are empty here: zeros must never become a key.
    precondition(isOfThisProcess, "a Secret was made before a fork and is used in the child")
    return try body(UnsafeRawBufferPointer(start: memory.start, count: count))
  }

  /// Gives the bytes to a closure that may change them; the pointer must not be kept.
  public mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeMutableRawBufferPointer(start: memory.start, count: count))
  }

  /// Whether both hold the same bytes; the time taken tells only whether the lengths differ. A secret
  /// that was made before a fork equals none in the child.
  public borrowing func isEqual(to other: borrowing Secret) -> Bool {
    isOfThisProcess && other.isOfThisProcess && count == other.count
      && CRYPTO_memcmp(memory.start, other.memory.start, count) == 0
  }

  /// Whether the system keeps the bytes from being swapped to disk.
  public var isLockedInMemory: Bool { memory.lockFailure == nil }
}

extension Secret {
  /// Whether this process made it.
  package var isOfThisProcess: Bool { memory.process == ProcessNumber.current }

  /// - Throws: `madeBeforeFork` in a process that was forked since the secret was made.
  package borrowing func checkProcess() throws(KeyError) {
    if !isOfThisProcess { throw .madeBeforeFork }
  }

  /// Random bytes from OpenSSL's generator for private values.
  package static func random(count: Int) throws(KeyError) -> Secret {
    var secret = Secret(count: count)
    let answer = secret.withUnsafeMutableBytes {
      RAND_priv_bytes($0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count))
    }
    guard answer == 1 else {
      throw KeyError(
        .cryptography,
        "OpenSSL gave no random bytes; check that the system's random generator works")
    }
    return secret
  }

  /// A copy in memory of its own.
  package borrowing func copy() -> Secret {
    withUnsafeBytes { Secret(copying: $0) }
  }

  /// A copy of the first bytes.
  package borrowing func prefix(_ count: Int) -> Secret {
    withUnsafeBytes { Secret(copying: $0.prefix(count)) }
  }
}
