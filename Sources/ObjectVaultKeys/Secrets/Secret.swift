import ObjectVaultPlatform

internal import ObjectVaultPrimitives

/// The bytes of a key or a passphrase in protected memory.
///
/// The bytes are in separate memory pages. The pages are locked against swapping if the system
/// allows it, excluded from core dumps and emptied in forked children (Linux), and wiped at the end
/// of the value's lifetime. A few wiped pages stay locked for the next secrets. A secret cannot be
/// copied, compared with `==` or printed.
///
/// A secret belongs to the process that created it. Its pages are empty in a forked child: every
/// operation of the library that needs a key created before the fork throws an error there, and
/// ``withUnsafeBytes(_:)`` stops the child.
///
/// ```swift
/// let secret = Secret(copying: buffer)
/// let vault = try Vault(at: "school.vault", key: .passphrase(secret))
/// ```
///
/// As with every allocation in Swift, the process stops if memory is exhausted.
public struct Secret: ~Copyable, @unchecked Sendable {
  // Unchecked: the pages belong to this value alone, and a noncopyable value has one owner at a
  // time that can change it.
  private let memory: SecretMemory

  /// The number of bytes.
  public let count: Int

  /// The maximum number of bytes of a secret: 16 MiB.
  public static var maximumCount: Int { 16 << 20 }

  /// Creates a secret of zero bytes, to be filled in place.
  ///
  /// - Parameter count: The number of bytes, from 0 to ``maximumCount``.
  public init(count: Int) {
    precondition(
      (0...Secret.maximumCount).contains(count), "A Secret has 0 to 16777216 bytes, not \(count).")
    self.memory = SecretMemory(holding: count)
    self.count = count
  }

  /// Creates a secret from a copy of bytes, such as a buffer, an array, or a `Data`.
  ///
  /// The caller must wipe the original.
  ///
  /// - Parameter bytes: At most ``maximumCount`` bytes.
  public init(copying bytes: some Collection<UInt8>) {
    self.init(count: bytes.count)
    withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
  }

  /// Creates a secret from the UTF-8 bytes of a text, unchanged and not normalised.
  ///
  /// The text itself stays in memory as long as the program retains it.
  ///
  /// - Parameter text: A text of at most ``maximumCount`` bytes in UTF-8.
  public init(utf8 text: String) {
    self.init(copying: text.utf8)
  }

  deinit {
    memory.wipe()
    memory.release()
  }

  /// The constant `<secret>`.
  public var description: String { "<secret>" }

  /// Calls a closure with the bytes.
  ///
  /// The closure must not retain the pointer or copy the bytes into ordinary memory.
  ///
  /// - Precondition: This process created the secret, not one that it was forked from.
  /// - Parameter body: A closure that receives the bytes.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The pages of another process are empty here: zeros must never become a key.
    precondition(
      isOfThisProcess, "A Secret was created before a fork and is used in the child process.")
    return try body(UnsafeRawBufferPointer(start: memory.start, count: count))
  }

  /// Calls a closure with the mutable bytes; the closure must not retain the pointer.
  ///
  /// - Precondition: This process created the secret, not one that it was forked from.
  public mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(
      isOfThisProcess, "A Secret was created before a fork and is used in the child process.")
    return try body(UnsafeMutableRawBufferPointer(start: memory.start, count: count))
  }

  /// Returns whether both secrets hold the same bytes.
  ///
  /// The time taken reveals only whether the lengths differ. A secret that was created before a
  /// fork equals no secret in the child.
  public borrowing func isEqual(to other: borrowing Secret) -> Bool {
    isOfThisProcess && other.isOfThisProcess && count == other.count
      && Cryptography.areEqual(
        UnsafeRawBufferPointer(start: memory.start, count: count),
        UnsafeRawBufferPointer(start: other.memory.start, count: count))
  }

  /// Whether the system prevents the bytes from being swapped to disk.
  public var isLockedInMemory: Bool { memory.lockFailure == nil }
}

extension Secret {
  /// Whether this process created the secret.
  package var isOfThisProcess: Bool { memory.process == ProcessNumber.current }

  /// Throws an error if the secret was created before a fork.
  ///
  /// - Throws: `madeBeforeFork` in a process that was forked since the secret was created.
  package borrowing func checkProcess() throws(KeyError) {
    if !isOfThisProcess { throw .madeBeforeFork }
  }

  /// Returns random bytes from the generator for private values.
  package static func random(count: Int) throws(KeyError) -> Secret {
    var secret = Secret(count: count)
    guard secret.withUnsafeMutableBytes({ Cryptography.fillWithRandomBytes($0, isSecret: true) })
    else { throw .noRandomBytes }
    return secret
  }

  /// Returns a copy in separate memory pages.
  package borrowing func copy() -> Secret {
    withUnsafeBytes { Secret(copying: $0) }
  }

  /// Returns a copy of the first bytes.
  package borrowing func prefix(_ count: Int) -> Secret {
    withUnsafeBytes { Secret(copying: $0.prefix(count)) }
  }
}
