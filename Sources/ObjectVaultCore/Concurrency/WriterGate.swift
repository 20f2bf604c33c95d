import Synchronization

/// The right to write to one vault: one thread holds it at a time and may enter again.
///
/// All gates share one monitor, so that who waits for whom is known at every moment: the call that
/// would close a circle of threads waiting for one another fails instead of hanging.
final class WriterGate: @unchecked Sendable {
  private static let monitor = Monitor()
  /// The gate each waiting thread waits for.
  nonisolated(unsafe) private static var waitingFor: [ThreadID: WriterGate] = [:]
  /// How many gates each thread holds.
  nonisolated(unsafe) private static var heldCount: [ThreadID: Int] = [:]

  private let name: String
  private let freed = Monitor.Signal(WriterGate.monitor)
  /// Changed under the monitor only; read without it to ask "is it me?".
  private let holderValue = Atomic<UInt>(0)
  private var depth = 0

  init(name: String) {
    self.name = name
  }

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

  /// Whether the calling thread holds any vault's gate.
  static var currentThreadHoldsAny: Bool {
    let current = ThreadID.current
    return monitor.withLock { heldCount[current] != nil }
  }

  /// Enters, after waiting for the thread inside to leave.
  ///
  /// - Throws: `.deadlock` where waiting could never end.
  func enter() throws(VaultError) {
    let current = ThreadID.current
    try Self.monitor.withLock { () throws(VaultError) in
      if holder == current {
        depth += 1
        return
      }
      if holder != nil {
        if let blocker = gateClosingCircle(for: current) {
          throw VaultError(
            .deadlock,
            """
            Writing to '\(name)' would wait for ever: this thread holds '\(blocker.name)', which \
            the thread that writes to '\(name)' waits for. Use both vaults in the same order \
            everywhere, or end one transaction before you begin the other.
            """)
        }
        Self.waitingFor[current] = self
        while holder != nil { freed.wait() }
        Self.waitingFor[current] = nil
      }
      holder = current
      depth = 1
      Self.heldCount[current, default: 0] += 1
    }
  }

  /// Leaves once; the last leave lets the next thread in.
  func leave() {
    Self.monitor.withLock {
      depth -= 1
      guard depth == 0, let current = holder else { return }
      holder = nil
      let held = Self.heldCount[current, default: 1] - 1
      Self.heldCount[current] = held == 0 ? nil : held
      freed.wakeOne()
    }
  }

  /// Follows who waits for whom from this gate; a gate held by `thread` at the end of the chain
  /// closes the circle.
  private func gateClosingCircle(for thread: ThreadID) -> WriterGate? {
    var gate = self
    while let holder = gate.holder, let next = Self.waitingFor[holder] {
      if next.holder == thread { return next }
      gate = next
    }
    return nil
  }
}
