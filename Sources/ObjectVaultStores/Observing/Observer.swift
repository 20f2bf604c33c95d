import ObjectVaultDriver
import ObjectVaultSchema

/// The state of one observation: its tables, whether a read is due, and the closure that wakes it.
///
/// An observer holds no result. A slow consumer has one pending task, to read the latest state,
/// however often that state changed.
final class Observer: Sendable {
  /// The end of an observation.
  enum End: Sendable {
    case finished
    case failed(any Error)
  }

  /// The next action of an observation.
  enum Turn: Sendable {
    case look
    case wait
    case over(End)
  }

  private struct State {
    /// The tables that the result depends on; `nil` (all tables) until they are known.
    var tables: Set<String>?
    /// The tables changed since the current read began; `nil` outside a read. A read that failed
    /// lasts until it is repeated.
    var meanwhile: Set<String>?
    /// Whether a read is due: initially, and after a change.
    var isDue = true
    var end: End?
    var isWoken = false
    var wake: (@Sendable () -> Void)?

    func depends(on changed: Set<String>) -> Bool {
      if changed.isEmpty { return false }
      guard let tables, !changed.contains(Observer.anyTable) else { return true }
      return !tables.isDisjoint(with: changed)
    }

    /// Returns and clears the closure that wakes the waiting task, if there is a reason to wake it.
    mutating func takeWake() -> (@Sendable () -> Void)? {
      guard isWoken || isDue || end != nil, let wake else { return nil }
      self.wake = nil
      isWoken = false
      return wake
    }
  }
  private let state = Locked(State())

  /// The table name that represents a change of the schema, and changes of unknown tables.
  static let anyTable = Schema.table

  // MARK: Notifications

  /// Records changed tables.
  func note(_ changed: Set<String>) {
    change { state in
      if state.meanwhile != nil {
        state.meanwhile?.formUnion(changed)
      } else if state.depends(on: changed) {
        state.isDue = true
      }
    }
  }

  /// Ends the observation; later calls have no effect.
  func end(_ end: End) {
    change { if $0.end == nil { $0.end = end } }
  }

  /// Wakes the waiting task without a change of the file.
  func wake() {
    change { $0.isWoken = true }
  }

  /// Changes the state and wakes the waiting task after the lock is released.
  private func change(_ body: (inout State) -> Void) {
    let wake = state.withLock { state in
      body(&state)
      return state.takeWake()
    }
    wake?()
  }

  // MARK: Reads

  /// Returns the next action.
  ///
  /// A read begins here and ends with ``endLook(dependingOn:)`` or ``repeatLook()``.
  func nextTurn() -> Turn {
    state.withLock { state in
      if let end = state.end { return .over(end) }
      guard state.isDue else { return .wait }
      state.isDue = false
      state.meanwhile = []
      return .look
    }
  }

  /// Calls `wake` once when there is work to do, immediately if there already is.
  func wait(_ wake: @escaping @Sendable () -> Void) {
    change { $0.wake = wake }
  }

  /// Ends a read; another one is due if a table it depends on was changed since it began.
  func endLook(dependingOn tables: Set<String>) {
    change { state in
      let meanwhile = state.meanwhile ?? []
      state.meanwhile = nil
      state.tables = tables
      if state.depends(on: meanwhile) { state.isDue = true }
    }
  }

  /// Ends a read that failed, and makes another one due.
  func repeatLook() {
    change { state in
      state.meanwhile = nil
      state.isDue = true
    }
  }
}
