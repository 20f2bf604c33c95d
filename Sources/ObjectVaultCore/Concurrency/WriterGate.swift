import Synchronization

/// The right to write to one vault: one thread holds it at a time and may enter again.
final class WriterGate: WaitResource, @unchecked Sendable {
  private let name: String
  private let freed = Monitor.Signal(WaitGraph.monitor)
  /// Changed under the monitor only; read without it to ask "is it me?".
  private let holderValue = Atomic<UInt>(0)
  @exclusivity(unchecked) private var depth = 0
  @exclusivity(unchecked) private var waiters = 0
  /// How often others went in since a thread began to wait.
  private var passedOver = 0
  /// How often a thread that comes may go in before those that wait. Always going first would let
  /// one busy thread shut out the others; never would cost a change of threads for each write.
  private static let patience = 16

  init(name: String) {
    self.name = name
  }

  var waitName: String { "the writer lock of '\(name)'" }
  var waitHolders: [ThreadID] { holder.map { [$0] } ?? [] }

  /// Whether the calling thread holds this gate.
  var isHeldByCurrentThread: Bool {
    holderValue.load(ordering: .relaxed) == ThreadID.current.value
  }

  private var holder: ThreadID? {
    get {
      let value = holderValue.load(ordering: .relaxed)
      return value == 0 ? nil : ThreadID(value: value)
    }
    set { holderValue.store(newValue?.value ?? 0, ordering: .relaxed) }
  }

  /// Enters, after waiting for the thread inside to leave.
  ///
  /// - Throws: `.deadlock` where waiting could never end; `.cancelled` when the operation that the
  ///   thread runs is cancelled while it waits.
  func enter() throws(VaultError) {
    let current = ThreadID.current
    if holderValue.load(ordering: .relaxed) == current.value {
      // Nobody else can change what the thread inside sees.
      depth += 1
      return
    }
    let isIn = WaitGraph.monitor.withLock {
      guard holder == nil, waiters == 0 || passedOver < Self.patience else { return false }
      if waiters > 0 { passedOver += 1 }
      take(current)
      return true
    }
    if !isIn { try waitAndEnter(current) }
    ThreadRecord.current.gatesHeld += 1
  }

  /// Enters where nobody is inside or waits.
  ///
  /// - Returns: Whether it did.
  func enterIfFree() -> Bool {
    let current = ThreadID.current
    let isIn = WaitGraph.monitor.withLock {
      guard holder == nil, waiters == 0 else { return false }
      take(current)
      return true
    }
    if isIn { ThreadRecord.current.gatesHeld += 1 }
    return isIn
  }

  private func waitAndEnter(_ current: ThreadID) throws(VaultError) {
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
      // A free gate may be promised to one that waits already, and who is awake by now.
      while holder != nil || (!hasWaited && passedOver >= Self.patience && waiters > 1) {
        if isCancelled() { throw .cancelled }
        freed.wait()
        hasWaited = true
      }
      if isCancelled() {
        // The call to go in was for one thread: pass it on.
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

  /// Whether the thread inside entered once; asked by that thread.
  var isOutermost: Bool { depth == 1 }

  /// How many threads wait to enter.
  var waiterCount: Int { WaitGraph.monitor.withLock { waiters } }

  /// Leaves, having entered once, where somebody waits to enter.
  ///
  /// - Returns: Whether it did.
  func leaveToWaiter() -> Bool {
    let isLeft = WaitGraph.monitor.withLock {
      guard waiters > 0 else { return false }
      depth = 0
      holder = nil
      freed.wakeOne()
      return true
    }
    if isLeft { ThreadRecord.current.gatesHeld -= 1 }
    return isLeft
  }

  /// Leaves once; the last leave lets the next thread in.
  func leave() {
    depth -= 1
    guard depth == 0 else { return }
    ThreadRecord.current.gatesHeld -= 1
    WaitGraph.monitor.withLock {
      holder = nil
      if waiters > 0 { freed.wakeOne() }
    }
  }
}
