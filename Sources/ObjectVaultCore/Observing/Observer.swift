/// Somebody who observes: what that depends on, whether to look again, and how to wake who waits.
///
/// It holds no result: who is slow finds one thing to do, to look at the last state, however often
/// that changed meanwhile.
final class Observer: Sendable {
  /// How an observation ends.
  enum End: Sendable {
    case finished
    case failed(any Error)
  }

  /// What is to be done next.
  enum Turn: Sendable {
    case look
    case wait
    case over(End)
  }

  private struct State {
    /// The tables that the result depends on; `nil` until they are known: any.
    var tables: Set<String>?
    /// What was changed since the look in progress began; `nil` where none is.
    var meanwhile: Set<String>?
    /// Whether to look: at first, and after a change.
    var isDue = true
    var end: End?
    var isWoken = false
    var wake: (@Sendable () -> Void)?

    func depends(on changed: Set<String>) -> Bool {
      if changed.isEmpty { return false }
      guard let tables, !changed.contains(Observer.anyTable) else { return true }
      return !tables.isDisjoint(with: changed)
    }

    /// Takes what wakes who waits, where there is a reason now.
    mutating func takeWake() -> (@Sendable () -> Void)? {
      guard isWoken || isDue || end != nil, let wake else { return nil }
      self.wake = nil
      isWoken = false
      return wake
    }
  }
  private let state = Locked(State())

  /// Stands among the tables for a change of the schema, and for one that nobody knows more of.
  static let anyTable = "sqlite_master"

  // MARK: Being told

  /// Notes which tables were changed.
  func note(_ changed: Set<String>) {
    change { state in
      if state.meanwhile != nil {
        state.meanwhile?.formUnion(changed)
      } else if state.depends(on: changed) {
        state.isDue = true
      }
    }
  }

  /// Ends the observation; the first end counts.
  func end(_ end: End) {
    change { if $0.end == nil { $0.end = end } }
  }

  /// Wakes who waits, for no reason of the file's.
  func wake() {
    change { $0.isWoken = true }
  }

  /// Wakes outside the lock.
  private func change(_ body: (inout State) -> Void) {
    let wake = state.withLock { state in
      body(&state)
      return state.takeWake()
    }
    wake?()
  }

  // MARK: Looking

  /// What is to be done now. A look is begun by that, and ended by ``endLook(dependingOn:)``.
  func nextTurn() -> Turn {
    state.withLock { state in
      if let end = state.end { return .over(end) }
      guard state.isDue else { return .wait }
      state.isDue = false
      state.meanwhile = []
      return .look
    }
  }

  /// Calls `wake` once, when there is something to be done: at once where there is.
  func wait(_ wake: @escaping @Sendable () -> Void) {
    change { $0.wake = wake }
  }

  /// The look is over; what was changed since it began may call for another.
  func endLook(dependingOn tables: Set<String>) {
    change { state in
      let meanwhile = state.meanwhile ?? []
      state.meanwhile = nil
      state.tables = tables
      if state.depends(on: meanwhile) { state.isDue = true }
    }
  }
}
