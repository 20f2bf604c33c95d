package import ObjectVaultDriver
import Synchronization

/// The cancellation state of an asynchronous operation, polled by the engine while the operation
/// runs.
@usableFromInline
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let committed = Atomic<Bool>(false)
  /// The closure that wakes the operation's thread from its current wait.
  private let wake = Locked<(@Sendable () -> Void)?>(nil)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  package func cancel() {
    flag.store(true, ordering: .releasing)
    // Not under the lock: waking takes the lock of the awaited resource.
    wake.withLock { $0 }?()
  }

  /// Records that the operation committed a transaction, which its cancellation does not undo.
  func noteCommit() { committed.store(true, ordering: .releasing) }

  /// Returns the error that the operation throws in place of an error of its work.
  ///
  /// The error of the cancellation says that nothing was stored, unless the operation committed a
  /// transaction before.
  func reported(_ error: any Error) -> any Error {
    guard committed.load(ordering: .acquiring), let cancelled = error as? VaultError,
      cancelled.code == .cancelled
    else { return error }
    return VaultError(
      .cancelled,
      "The operation was cancelled. The changes that it had committed before are stored, and no "
        + "others.")
  }

  /// Calls `body`, which waits, with a closure that wakes it on cancellation.
  ///
  /// `body` must check ``isCancelled`` after it can be woken and before each wait.
  func withWaking<R, E: Error>(
    by action: @escaping @Sendable () -> Void, _ body: () throws(E) -> R
  ) throws(E) -> R {
    wake.withLock { $0 = action }
    defer { wake.withLock { $0 = nil } }
    return try body()
  }

  /// The operation on the calling thread, if it can be cancelled.
  @inline(__always)
  package static var current: Cancellation? { ThreadState.current.cancellation }

  /// Calls `body` as part of the operation.
  package static func withCurrent<R>(_ cancellation: Cancellation, _ body: () throws -> R) rethrows
    -> R
  {
    let thread = ThreadState.current
    let outer = thread.cancellation
    thread.cancellation = cancellation
    defer { thread.cancellation = outer }
    return try body()
  }

  /// Throws `.cancelled` if the operation on the calling thread was cancelled.
  @inline(__always)
  package static func check() throws(VaultError) {
    if let current, current.isCancelled { throw .cancelled }
  }
}

extension VaultError {
  package static var cancelled: VaultError {
    VaultError(.cancelled, "The operation was cancelled. None of its changes were stored.")
  }
}
