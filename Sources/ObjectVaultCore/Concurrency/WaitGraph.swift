/// A resource that threads wait for.
///
/// Its members are read inside the monitor of the ``WaitGraph``.
protocol WaitResource: AnyObject {
  /// The name of the resource in errors.
  var waitName: String { get }
  /// The threads that must all go on before the wait can end.
  var waitHolders: [ThreadID] { get }
}

/// The waits of all threads for one another: for writer locks, for the opening of files, and for readers
/// that a replacement has to see gone.
///
/// All of them begin inside one monitor. The wait that would close a circle fails instead of hanging.
enum WaitGraph {
  static let monitor = Monitor()
  /// The resource that each waiting thread waits for.
  nonisolated(unsafe) private static var waits: [ThreadID: any WaitResource] = [:]

  /// Waits until `isDone` returns `true`, which is called inside the monitor.
  ///
  /// - Parameter signal: Woken when that may have changed.
  /// - Throws: What `isDone` throws; `.deadlock` if the wait could never end; `.cancelled` if the operation
  ///   that the thread runs is cancelled while it waits.
  static func wait(
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

  /// Records that the calling thread waits from now on; inside the monitor.
  ///
  /// - Throws: `.deadlock` if that closes a circle.
  static func begin(_ resource: some WaitResource) throws(VaultError) {
    let thread = ThreadID.current
    if let blocker = resourceClosingCircle(from: resource, to: thread) {
      throw deadlock(resource, blocker)
    }
    waits[thread] = resource
  }

  /// How many threads wait for the resources of this name.
  static func waiterCount(of name: String) -> Int {
    monitor.withLock { waits.values.count { $0.waitName == name } }
  }

  /// Records that the calling thread waits no longer; inside the monitor.
  static func end() { waits[.current] = nil }

  /// Follows who waits for whom from a resource.
  ///
  /// - Returns: The resource on the way that the thread itself holds.
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
      """
      Waiting for \(resource.waitName) would never end: this thread holds \(blocker.waitName), which \
      is waited for in turn. Use vaults in the same order everywhere, and end one transaction, \
      read scope or opening before you begin the other.
      """)
  }
}
