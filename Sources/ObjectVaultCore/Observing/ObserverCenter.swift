import Dispatch
import Synchronization

/// Those who observe what is in one open file.
///
/// Who commits leaves the names of the tables here and goes on: the observers are told afterwards,
/// on a thread of the center's own.
final class ObserverCenter: Sendable {
  private struct State {
    var observers: [Int: Observer] = [:]
    var nextID = 0
    /// The tables that were changed and nobody was told of yet.
    var changed: Set<String> = []
    /// Whether somebody is about to tell.
    var isTelling = false
    /// The series of looks for other processes; another one makes the former end.
    var series = 0
  }
  private let state = Locked(State())
  /// The file, which owns the center.
  private let file: WeakReference<VaultFile>
  private let telling = DispatchQueue(label: "objectvault.observers")
  private let looking = DispatchQueue(label: "objectvault.observers.look")
  private let isLookDue = Atomic<Bool>(false)
  private let looks = Atomic<Int>(0)
  /// How often to look for commits of other processes, in seconds.
  private let interval: Double
  /// How many files of the process are observed.
  private static let activeCount = Atomic<Int>(0)
  /// Where observers are called that name no queue of their own: one call after another.
  let calling = DispatchQueue(label: "objectvault.observers.call")

  init(of file: VaultFile) {
    self.file = WeakReference(file)
    interval = file.settings.observationInterval
  }

  /// Whether anything is observed in the process.
  static var isAnyActive: Bool { activeCount.load(ordering: .acquiring) > 0 }

  // MARK: Coming and going

  /// Has the observer told of what is committed from now on.
  ///
  /// - Returns: What ``remove(_:)`` takes.
  func add(_ observer: Observer) -> Int {
    let (id, isFirst) = state.withLock { state in
      state.nextID += 1
      state.observers[state.nextID] = observer
      if state.observers.count == 1 {
        state.series += 1
        Self.activeCount.add(1, ordering: .acquiringAndReleasing)
      }
      return (state.nextID, state.observers.count == 1)
    }
    if isFirst { beginToLook() }
    return id
  }

  func remove(_ id: Int) {
    let gone = state.withLock { state in
      let gone = state.observers.removeValue(forKey: id)
      if gone != nil, state.observers.isEmpty {
        state.series += 1
        state.changed = []
        Self.activeCount.subtract(1, ordering: .acquiringAndReleasing)
      }
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// How many there are.
  var count: Int { state.withLock { $0.observers.count } }

  /// How many tables nobody was told of yet.
  var untoldTables: Int { state.withLock { $0.changed.count } }

  /// How often somebody looked for commits of other processes.
  var lookCount: Int { looks.load(ordering: .relaxed) }

  /// Waits until everybody was told of what was changed before.
  func waitUntilTold() { telling.sync {} }

  /// Waits for a look that has begun.
  func waitUntilLooked() { looking.sync {} }

  // MARK: Telling

  /// Has those told who depend on one of the tables.
  func note(_ tables: Set<String>) {
    let begins = state.withLock { state in
      guard !state.observers.isEmpty else { return false }
      state.changed.formUnion(tables)
      defer { state.isTelling = true }
      return !state.isTelling
    }
    if begins { telling.async { self.tell() } }
  }

  /// Has everybody told: it is not known what was changed.
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

  // MARK: Other processes

  private var openFile: VaultFile? { file.object }

  private func beginToLook() {
    let isNews = openFile?.beginToLook() ?? false
    let (series, count) = state.withLock { ($0.series, $0.observers.count) }
    // Others may have come and read in between: what was news here may be to them.
    if isNews, count > 1 { noteAll() }
    lookLater(series)
  }

  private func lookLater(_ series: Int) {
    looking.asyncAfter(deadline: .now() + interval) { [weak self] in
      guard let self, state.withLock({ $0.series }) == series, let file = openFile else { return }
      looks.add(1, ordering: .relaxed)
      file.lookForOthers()
      lookLater(series)
    }
  }

  /// Has whoever writes just now look, as soon as that is done.
  func haveLookDue() { isLookDue.store(true, ordering: .releasing) }

  /// Whether to look now.
  func takeDueLook() -> Bool {
    isLookDue.load(ordering: .relaxed) && isLookDue.exchange(false, ordering: .acquiring)
  }
}
