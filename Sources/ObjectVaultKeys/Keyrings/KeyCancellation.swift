/// The cancellation of the operation that resolves a key.
package enum KeyCancellation {
  /// Returns whether the operation on this thread is cancelled; `nil` if it cannot be cancelled.
  ///
  /// Asynchronous operations of a vault run on threads of their own, without the task.
  @TaskLocal package static var isCancelled: (@Sendable () -> Bool)?

  /// Throws `cancelled` if the operation on this thread is cancelled.
  static func check() throws(KeyError) {
    guard isCancelled?() == true else { return }
    throw KeyError(.cancelled, "The operation was cancelled before the keyring was opened.")
  }
}
