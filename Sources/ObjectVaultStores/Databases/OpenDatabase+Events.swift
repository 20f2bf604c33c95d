import ObjectVaultDriver
import ObjectVaultSession

// Notifications about the file and its content.

extension OpenDatabase {
  // MARK: Events

  /// Registers a handle's event center for events of the file.
  func addListener(_ center: EventCenter) {
    // Release the live centers outside the lock, in case this is their last reference.
    let alive = state.listeners.withLock { listeners -> [EventCenter] in
      let alive = listeners.compactMap { $0.object }
      listeners = (alive + [center]).map { WeakReference($0) }
      return alive
    }
    withExtendedLifetime(alive) {}
  }

  /// Posts an event to every handle on the file, including those that opened it read-only.
  func post(_ event: VaultEvent) {
    for instance in [self] + others {
      for center in instance.state.listeners.withLock({ $0.compactMap { $0.object } }) {
        center.post(event)
      }
    }
  }

  // MARK: Observing

  /// Notifies the observers of all handles of the process that tables changed.
  ///
  /// The caller holds no lock.
  func publish(_ tables: Set<String>) {
    guard !tables.isEmpty, ObserverCenter.isAnyActive else { return }
    for instance in [self] + others { instance.presentObservers?.note(tables) }
  }

  /// Checks for commits of other processes, if a check is due that this thread's transaction
  /// delayed.
  ///
  /// The caller holds the writer lock and is outside a transaction.
  func noteOthers(_ session: Session) {
    if let observers = presentObservers, observers.takeDueLook(), session.takeForeignCommits() {
      observers.noteAll()
    }
  }

  /// Notifies the observers of a commit by another process.
  package func noteForeignCommit() { presentObservers?.noteAll() }

  /// Starts the detection of foreign commits; commits made before are not reported.
  ///
  /// - Returns: Whether there may have been foreign commits since the last check.
  func beginToLook() -> Bool {
    excludingWritersIfFree { takeForeignCommits() ?? false } ?? false
  }

  /// Returns whether another process committed since the last check, or `nil` if no session writes.
  ///
  /// The caller holds the writer lock and is outside a transaction.
  private func takeForeignCommits() -> Bool? {
    guard let writer = sessions.writer else { return nil }
    // A process that never writes connects again here after its connection was lost.
    try? validate(writer)
    return writer.takeForeignCommits()
  }

  /// Checks whether another process committed since the last check, or removed the file.
  ///
  /// It does not wait for a writer: the writer runs the check when it finishes.
  package func lookForOthers() {
    // No other process can reach a database in memory.
    guard !sessions.isRemoved, !isInMemory else { return }
    guard isInPlace else { return observers.noteAll() }
    if isReadOnly {
      // Each connection counts separately. One that was never checked may have missed a commit.
      if (try? read { $0.takeForeignCommits() }) ?? false { observers.noteAll() }
      return
    }
    let isNews = excludingWritersIfFree { takeForeignCommits() ?? true }
    guard let isNews else { return observers.haveLookDue() }
    if isNews { observers.noteAll() }
  }
}
