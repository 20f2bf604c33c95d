import Synchronization

/// Whether an asynchronous operation was cancelled; read by the engine while the operation runs.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }

  /// The operation that the calling thread is running, when it can be cancelled.
  @TaskLocal static var current: Cancellation?

  /// - Throws: `.cancelled`.
  static func check() throws(VaultError) {
    if let current, current.isCancelled { throw .cancelled }
  }
}

extension VaultError {
  static var cancelled: VaultError {
    VaultError(.cancelled, "The operation was cancelled; nothing of it was kept.")
  }
}
