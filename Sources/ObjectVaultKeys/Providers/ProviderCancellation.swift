/// The cancellation of the operation that uses a key provider.
package enum ProviderCancellation {
  /// Returns whether the operation on this thread is cancelled: by default, the current task.
  ///
  /// Asynchronous operations of a vault run on threads of their own, without the task.
  @TaskLocal package static var isCancelled: @Sendable () -> Bool = { Task.isCancelled }
}
