import Dispatch
import ObjectVaultDriver
import Synchronization

/// The observers of one open file.
///
/// A commit only records the names of the changed tables here. Observers are notified afterwards,
/// on a thread of the center.
package final class ObserverCenter: Sendable {
  private struct State {
    var observers: [Int: Observer] = [:]
    var nextID = 0
    /// The changed tables that observers were not notified about yet.
    var changed: Set<String> = []
    /// Whether a notification is scheduled or in progress.
    var isTelling = false
    /// Whether the next poll for other processes is scheduled.
    var isLookScheduled = false
  }
  private let state = Locked(State())
  /// The open database, which owns the center.
  private let opened: WeakReference<AnyObject>
  private let telling = DispatchQueue(label: "objectvault.observers")
  private let looking = DispatchQueue(label: "objectvault.observers.look")
  private let isLookDue = Atomic<Bool>(false)
  private let looks = Atomic<Int>(0)
  /// Whether the database receives notifications of commits by other processes.
  private let isListening = Locked(false)
  /// The interval between polls for commits of other processes.
  private let interval: Duration
  /// The number of observed files in the process.
  private static let activeCount = Atomic<Int>(0)
  /// The serial queue for callbacks of observers without a queue.
  let calling = DispatchQueue(label: "objectvault.observers.call")

  init(of opened: any OpenDatabase) {
    self.opened = WeakReference(opened)
    interval = opened.options.observationInterval
  }

  /// Whether the process has any active observation.
  static var isAnyActive: Bool { activeCount.load(ordering: .acquiring) > 0 }

  // MARK: Registration

  /// Adds an observer, which is notified of all later commits.
  ///
  /// - Parameter observer: The observer.
  /// - Returns: The identifier for ``remove(_:)``.
  func add(_ observer: Observer) -> Int {
    let (id, isFirst) = state.withLock { state in
      state.nextID += 1
      state.observers[state.nextID] = observer
      if state.observers.count == 1 {
        Self.activeCount.add(1, ordering: .acquiringAndReleasing)
      }
      return (state.nextID, state.observers.count == 1)
    }
    if isFirst {
      beginToLook()
      updateListening()
    }
    return id
  }

  func remove(_ id: Int) {
    let gone = state.withLock { state in
      let gone = state.observers.removeValue(forKey: id)
      if gone != nil, state.observers.isEmpty {
        state.changed = []
        Self.activeCount.subtract(1, ordering: .acquiringAndReleasing)
      }
      return gone
    }
    if gone != nil { updateListening() }
    withExtendedLifetime(gone) {}
  }

  /// Begins or ends to receive notifications of commits by other processes.
  ///
  /// The number of observers is read under the lock, so that a thread that removed the last one
  /// does not end what another thread has begun for the next one.
  private func updateListening() {
    let database = openDatabase
    isListening.withLock { isListening in
      let isNeeded = count > 0
      guard isListening != isNeeded else { return }
      isListening = isNeeded
      if isNeeded { database?.beginToListen() } else { database?.endListening() }
    }
    withExtendedLifetime(database) {}
  }

  /// The number of observers.
  package var count: Int { state.withLock { $0.observers.count } }

  /// The number of changed tables that observers were not notified about yet.
  package var untoldTables: Int { state.withLock { $0.changed.count } }

  /// The number of polls for commits of other processes.
  var lookCount: Int { looks.load(ordering: .relaxed) }

  /// Waits until observers were notified of all earlier changes.
  func waitUntilTold() { telling.sync {} }

  /// Waits for a poll in progress.
  func waitUntilLooked() { looking.sync {} }

  // MARK: Notifications

  /// Schedules a notification of the observers that depend on one of the tables.
  func note(_ tables: Set<String>) {
    let begins = state.withLock { state in
      guard !state.observers.isEmpty else { return false }
      state.changed.formUnion(tables)
      defer { state.isTelling = true }
      return !state.isTelling
    }
    if begins { telling.async { self.tell() } }
  }

  /// Schedules a notification of all observers, because the changed tables are unknown.
  func noteAll() { note([Observer.anyTable]) }

  private func tell() {
    while true {
      let (observers, changed) = state.withLock { state in
        defer { state.changed = [] }
        if state.changed.isEmpty { state.isTelling = false }
        return (Array(state.observers.values), state.changed)
      }
      if changed.isEmpty { return }
      for observer in observers { observer.note(changed) }
    }
  }

  /// Schedules another read of an observer whose read failed.
  ///
  /// Until then, changes make no read due, so that an observer has one scheduled read at most.
  func repeatLook(of observer: Observer) {
    let pause = min(interval, Self.longestPause)
    telling.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak observer] in
      observer?.repeatLook()
    }
  }

  /// The longest pause before a failed read is repeated, however long the interval between polls.
  private static let longestPause = Duration.seconds(1)

  // MARK: Other processes

  private var openDatabase: (any OpenDatabase)? { opened.object as? any OpenDatabase }

  private func beginToLook() {
    let isNews = openDatabase?.beginToLook() ?? false
    let count = state.withLock { $0.observers.count }
    // Other observers may have been added and have read since then; the commit can be new to them.
    if isNews, count > 1 { noteAll() }
    lookLater()
  }

  /// Schedules the next poll, unless one is scheduled.
  private func lookLater() {
    let isScheduled = state.withLock { state in
      defer { state.isLookScheduled = true }
      return state.isLookScheduled
    }
    guard !isScheduled else { return }
    looking.asyncAfter(deadline: .now() + interval / .seconds(1)) { [weak self] in
      guard let self else { return }
      let isNeeded = state.withLock { state in
        state.isLookScheduled = false
        return !state.observers.isEmpty
      }
      guard isNeeded, let opened = openDatabase else { return }
      looks.add(1, ordering: .relaxed)
      opened.lookForOthers()
      lookLater()
    }
  }

  /// Requests a poll by the current writer when it has finished.
  func haveLookDue() { isLookDue.store(true, ordering: .releasing) }

  /// Returns whether a poll was requested, and clears the request.
  func takeDueLook() -> Bool {
    isLookDue.load(ordering: .relaxed) && isLookDue.exchange(false, ordering: .acquiring)
  }
}
