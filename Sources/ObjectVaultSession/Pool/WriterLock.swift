public import ObjectVaultDriver
public import Synchronization

/// The writer lock of one vault: reentrant, held by one thread at a time.
@usableFromInline
package final class WriterLock: WaitResource, @unchecked Sendable {
  private let name: String
  private let freed = Monitor.Signal(WaitGraph.monitor)
  /// Changed only under the monitor.
  ///
  /// Read without it to check for the calling thread.
  @usableFromInline let holderValue = Atomic<UInt>(0)
  private var depth = 0
  private var waiters = 0
  /// The number of times that others acquired the lock since a thread began to wait.
  private var passedOver = 0
  /// The number of times that a new thread may acquire the lock before waiting ones.
  ///
  /// Without a limit, one busy thread could starve the others. A limit of 0 would cost a thread
  /// switch for each write.
  private static let patience = 16

  init(name: String) {
    self.name = name
  }

  package var waitName: String { "the writer lock of '\(name)'" }
  package var waitHolders: [ThreadID] { holder.map { [$0] } ?? [] }

  /// Whether the calling thread holds this lock.
  @inlinable
  package var isHeldByCurrentThread: Bool {
    holderValue.load(ordering: .relaxed) == ThreadID.current.value
  }

  private var holder: ThreadID? {
    get {
      let value = holderValue.load(ordering: .relaxed)
      return value == 0 ? nil : ThreadID(value: value)
    }
    set { holderValue.store(newValue?.value ?? 0, ordering: .relaxed) }
  }

  /// Acquires the lock after waiting for its holder.
  ///
  /// - Throws: `.deadlock` if the wait could never end; `.cancelled` if the operation on this
  ///   thread is cancelled while it waits.
  func acquire() throws(VaultError) {
    let current = ThreadID.current
    if holderValue.load(ordering: .relaxed) == current.value {
      // No other thread can change the state that the holder reads.
      depth += 1
      return
    }
    let isAcquired = WaitGraph.monitor.withLock {
      guard holder == nil, waiters == 0 || passedOver < Self.patience else { return false }
      if waiters > 0 { passedOver += 1 }
      take(current)
      return true
    }
    let thread = ThreadState.current
    if !isAcquired {
      try waitAndAcquire(current)
      thread.hasWaited = true
    }
    thread.writerLocksHeld += 1
  }

  /// Acquires the lock if it is free and no thread waits.
  ///
  /// - Returns: Whether the lock was acquired.
  func acquireIfFree() -> Bool {
    let current = ThreadID.current
    let isAcquired = WaitGraph.monitor.withLock {
      guard holder == nil, waiters == 0 else { return false }
      take(current)
      return true
    }
    if isAcquired { ThreadState.current.writerLocksHeld += 1 }
    return isAcquired
  }

  private func waitAndAcquire(_ current: ThreadID) throws(VaultError) {
    guard let cancellation = Cancellation.current else {
      return try wait(current, until: { false })
    }
    try cancellation.withWaking(by: { [self] in
      WaitGraph.monitor.withLock { freed.wakeAll() }
    }) { () throws(VaultError) in
      try wait(current, until: { cancellation.isCancelled })
    }
  }

  private func wait(_ current: ThreadID, until isCancelled: () -> Bool) throws(VaultError) {
    try WaitGraph.monitor.withLock { () throws(VaultError) in
      try WaitGraph.begin(self)
      waiters += 1
      defer {
        WaitGraph.end()
        waiters -= 1
        if waiters == 0 { passedOver = 0 }
      }
      var hasWaited = false
      // A free lock may be reserved for a waiting thread that is waking up.
      while holder != nil || (!hasWaited && passedOver >= Self.patience && waiters > 1) {
        if isCancelled() { throw .cancelled }
        freed.wait()
        hasWaited = true
      }
      if isCancelled() {
        // The wake-up was meant for one thread: pass it on.
        freed.wakeOne()
        throw .cancelled
      }
      take(current)
      passedOver = 0
    }
  }

  private func take(_ thread: ThreadID) {
    holder = thread
    depth = 1
  }

  /// Whether the holder acquired the lock only once.
  ///
  /// Only the holder may read it.
  var isOutermost: Bool { depth == 1 }

  /// The number of threads that wait for the lock.
  package var waiterCount: Int { WaitGraph.monitor.withLock { waiters } }

  /// Releases a lock that was acquired once if a thread waits for it.
  ///
  /// - Returns: Whether the lock was released.
  func releaseToWaiter() -> Bool {
    let isReleased = WaitGraph.monitor.withLock {
      guard waiters > 0 else { return false }
      depth = 0
      holder = nil
      freed.wakeOne()
      return true
    }
    if isReleased { ThreadState.current.writerLocksHeld -= 1 }
    return isReleased
  }

  /// Releases the lock once; the last release lets the next thread in.
  func release() {
    depth -= 1
    guard depth == 0 else { return }
    let thread = ThreadState.current
    thread.writerLocksHeld -= 1
    thread.hasWaited = false
    WaitGraph.monitor.withLock {
      holder = nil
      if waiters > 0 { freed.wakeOne() }
    }
  }
}
