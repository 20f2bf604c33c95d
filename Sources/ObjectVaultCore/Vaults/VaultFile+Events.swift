// Who is told of what happened to the file and to what is in it.

extension VaultFile {
  // MARK: Events

  /// Has the handle hear of events of the file.
  func addListener(_ center: EventCenter) {
    // Those found alive are let go of outside the lock, in case nobody else holds them any more.
    let alive = listeners.withLock { listeners -> [EventCenter] in
      let alive = listeners.compactMap { $0.object }
      listeners = (alive + [center]).map { WeakReference($0) }
      return alive
    }
    withExtendedLifetime(alive) {}
  }

  /// Tells every handle on the file, also those that opened it for reading only.
  func post(_ event: VaultEvent) {
    for file in [self] + others {
      for center in file.listeners.withLock({ $0.compactMap { $0.object } }) { center.post(event) }
    }
  }

  // MARK: Observing

  /// The tables that were written to outside a transaction; inside the gate.
  func takeWrittenTables(_ connection: VaultConnection) -> Set<String> {
    noteOthers(connection)
    limitLog(of: connection)
    defer { connection.engine.forgetWrittenTables() }
    return ObserverCenter.isAnyActive ? connection.engine.writtenTables : []
  }

  /// Tells those who observe, through any handle of the process, that tables were changed; outside
  /// every lock.
  func publish(_ tables: Set<String>) {
    guard !tables.isEmpty, ObserverCenter.isAnyActive else { return }
    for file in [self] + others { file.presentObservers?.note(tables) }
  }

  /// Looks whether another process committed since the last look, where that is due and could not be
  /// done for this thread's transaction; inside the gate, outside a transaction.
  func noteOthers(_ connection: VaultConnection) {
    if let observers = presentObservers, observers.takeDueLook(), connection.takeForeignCommits() {
      observers.noteAll()
    }
  }

  /// Begins to look for commits of other processes: what was committed until now is not looked for.
  ///
  /// - Returns: Whether there may be such since the last look.
  func beginToLook() -> Bool {
    guard enterIfFree() else { return false }
    defer { gate.leave() }
    return writerConnection?.takeForeignCommits() ?? false
  }

  /// Looks whether another process committed since the last look, or took the file away. Waits for
  /// nobody who writes: who does looks as soon as that is done.
  func lookForOthers() {
    // Nobody else reaches what is in memory.
    guard !isRemoved, let identity else { return }
    guard HeldFile.Identity(path: path) == identity else { return observers.noteAll() }
    if isReadOnly {
      // Each connection counts by itself. One that was never asked may have missed something.
      if (try? read { $0.takeForeignCommits() }) ?? false { observers.noteAll() }
      return
    }
    guard enterIfFree() else { return observers.haveLookDue() }
    defer { gate.leave() }
    if writerConnection?.takeForeignCommits() ?? true { observers.noteAll() }
  }
}
