package import ObjectVaultDriver

/// A resource that threads wait for.
///
/// Its members are read inside the monitor of the ``WaitGraph``.
package protocol WaitResource: AnyObject {
  /// The name of the resource in errors.
  var waitName: String { get }
  /// The threads that must all proceed before the wait can end.
  var waitHolders: [ThreadID] { get }
}

/// The graph of threads that wait for one another, used to detect deadlocks.
///
/// Threads wait for writer locks, for the opening of files, and for readers that a replacement must
/// outlast. All waits begin inside one monitor. A wait that would close a cycle fails instead of
/// hanging.
package enum WaitGraph {
  package static let monitor = Monitor()
  /// The resource that each waiting thread waits for.
  nonisolated(unsafe) private static var waits: [ThreadID: any WaitResource] = [:]

  /// Waits until `isDone`, called inside the monitor, returns `true`.
  ///
  /// - Parameters:
  ///   - resource: The resource to wait for.
  ///   - signal: The signal that wakes when the result of `isDone` may have changed.
  ///   - isDone: The condition that ends the wait.
  /// - Throws: The error of `isDone`; `.deadlock` if the wait could never end; `.cancelled` if the
  ///   operation on this thread is cancelled while it waits.
  package static func wait(
    for resource: some WaitResource, on signal: Monitor.Signal,
    until isDone: () throws(VaultError) -> Bool
  ) throws(VaultError) {
    if try monitor.withLock(isDone) { return }
    guard let cancellation = Cancellation.current else {
      return try waiting(for: resource, on: signal, isCancelled: { false }, until: isDone)
    }
    try cancellation.withWaking(by: { monitor.withLock { signal.wakeAll() } }) {
      () throws(VaultError) in
      try waiting(
        for: resource, on: signal, isCancelled: { cancellation.isCancelled }, until: isDone)
    }
  }

  private static func waiting(
    for resource: some WaitResource, on signal: Monitor.Signal, isCancelled: () -> Bool,
    until isDone: () throws(VaultError) -> Bool
  ) throws(VaultError) {
    try monitor.withLock { () throws(VaultError) in
      var isRecorded = false
      defer { if isRecorded { end() } }
      while try !isDone() {
        if isCancelled() { throw .cancelled }
        if !isRecorded {
          try begin(resource)
          isRecorded = true
        }
        signal.wait()
      }
    }
  }

  /// Records that the calling thread begins to wait.
  ///
  /// Call it inside the monitor.
  ///
  /// - Parameter resource: The resource to wait for.
  /// - Throws: `.deadlock` if the wait would close a cycle.
  static func begin(_ resource: some WaitResource) throws(VaultError) {
    let thread = ThreadID.current
    if let blocker = resourceClosingCircle(from: resource, to: thread) {
      throw deadlock(resource, blocker)
    }
    waits[thread] = resource
  }

  /// Returns the number of threads that wait for resources with this name.
  package static func waiterCount(of name: String) -> Int {
    monitor.withLock { waits.values.count { $0.waitName == name } }
  }

  /// Records that the calling thread no longer waits.
  ///
  /// Call it inside the monitor.
  static func end() { waits[.current] = nil }

  /// Follows the wait graph from a resource.
  ///
  /// - Returns: The resource on the path that the thread itself holds.
  private static func resourceClosingCircle(
    from resource: any WaitResource, to thread: ThreadID
  ) -> (any WaitResource)? {
    var seen: Set<ObjectIdentifier> = []
    var open: [any WaitResource] = [resource]
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      for holder in next.waitHolders {
        if holder == thread { return next }
        if let awaited = waits[holder] { open.append(awaited) }
      }
    }
    return nil
  }

  private static func deadlock(
    _ resource: any WaitResource, _ blocker: any WaitResource
  ) -> VaultError {
    VaultError(
      .deadlock,
      "Waiting for \(resource.waitName) would never end: this thread holds \(blocker.waitName), "
        + "for which another thread waits. Use vaults in the same order everywhere, and end one "
        + "transaction, read scope or opening before you begin the other.")
  }
}
