import Foundation
import ObjectVaultCore
import Synchronization
import TestSupport
import Testing

@Suite(.covers("S16", "S55", "S56", "S57")) struct AsynchronousTests {
  @Test("an asynchronous call inside a transaction of the vault is refused")
  func anAsynchronousCallInsideATransaction() async throws {
    let notes = try Notes()
    let operation = try await notes.vault.transaction {
      let begun = Meeting()
      let result = Mutex<VaultError.Code?>(nil)
      let task = Task {
        do { try await notes.store.insert(Note("x")) } catch let error as VaultError {
          result.withLock { $0 = error.code }
        }
        begun.reach()
      }
      try begun.wait()
      #expect(result.withLock { $0 } == .asyncInTransaction)
      return task
    }
    try await operation.value
    #expect(try await notes.store.count() == 0)
  }

  @Test("the store of a known class is returned while another task writes")
  func storeBesideWriter() async throws {
    let notes = try Notes()
    try await notes.store.insert(Note("a"))
    let (inside, leave) = (Meeting(), Meeting())
    let writing = Task {
      try await notes.vault.transaction {
        inside.reach()
        try leave.wait()
        try notes.store.insert(Note("b"))
      }
    }
    try await inside.reached()
    let store = try await notes.vault.store(of: Note.self)
    #expect(try await store.count() == 1)
    leave.reach()
    try await writing.value
    #expect(try await store.count() == 2)
  }

  @Test("one function reads a store and a query")
  func queryable() async throws {
    func texts(_ source: some Queryable<Note>) async throws -> [String] {
      let (all, first) = (try await source.all(), try await source.first())
      #expect(try await source.count() == all.count && first?.text == all.first?.text)
      return all.map(\.text)
    }
    let notes = try Notes()
    try await notes.store.insert(contentsOf: [Note("a"), Note("b")])
    #expect(try await texts(notes.store) == ["a", "b"])
    #expect(try await texts(notes.store.where("text == 'b'")) == ["b"])
  }

  @Test("a task made inside a transaction may use the vault once that is over")
  func aTaskMadeInsideATransaction() async throws {
    let notes = try Notes()
    let goOn = Meeting()
    let task = try await notes.vault.transaction {
      Task {
        try await goOn.reached()
        try await notes.store.insert(Note("after"))
      }
    }
    goOn.reach()
    _ = try await task.value
    #expect(try await notes.store.count() == 1)
  }

  // This thread holds the gate; more writes than there are cores wait for it; another task runs.
  @Test("waiting operations leave the threads of tasks alone")
  func waitingOperationsLeaveTheThreads() async throws {
    let notes = try Notes()
    let (inside, leave) = (Meeting(), Meeting())
    let holder = OnThread {
      try notes.vault.transaction {
        inside.reach()
        try leave.wait()
      }
    }
    try await inside.reached()
    let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 4
    let waiting = (0..<count).map { number in
      Task { _ = try await notes.store.insert(Note("\(number)")) }
    }
    let opening = try (0..<count).map { number in
      let vault = try Vault(at: notes.folder.file("\(number).vault"), key: .ofTests)
      return Task { try await vault.open() }
    }
    #expect(await Task.detached { 1 + 1 }.value == 2)
    for task in opening { try await task.value }
    #expect(try await notes.store.count() == 0)
    leave.reach()
    try holder.result()
    for task in waiting { try await task.value }
    #expect(try await notes.store.count() == count)
  }

  @Test("an operation cancelled before it starts does nothing")
  func anOperationCancelledBeforeItStarts() async throws {
    let notes = try Notes()
    let begin = Meeting()
    let task = Task {
      try await begin.reached()
      _ = try await notes.store.insert(Note("x"))
    }
    task.cancel()
    begin.reach()
    #expect(try await code(of: task) == .cancelled)
    #expect(try await notes.store.count() == 0)
  }

  // lane: [ blocker ......................... ] neighbour
  // line:   doomed: cancelled, over at once
  @Test("an operation cancelled in line ends at once and harms no neighbour")
  func anOperationCancelledInLineEnds() async throws {
    let notes = try Notes()
    let (inside, leave) = (Meeting(), Meeting())
    let blocker = Task {
      try await notes.vault.transaction {
        inside.reach()
        try leave.wait()
        _ = try notes.store.insert(Note("blocker"))
      }
    }
    try await inside.reached()
    let doomed = Task { _ = try await notes.store.insert(Note("doomed")) }
    let neighbour = Task { _ = try await notes.store.insert(Note("neighbour")) }
    doomed.cancel()
    #expect(try await code(of: doomed) == .cancelled)
    leave.reach()
    try await blocker.value
    try await neighbour.value
    #expect(try await notes.store.all().map(\.text) == ["blocker", "neighbour"])
  }

  @Test("an operation cancelled while it waits for another thread ends at once")
  func anOperationCancelledWhileItWaits() async throws {
    let notes = try Notes()
    let (inside, leave) = (Meeting(), Meeting())
    let holder = OnThread {
      try notes.vault.transaction {
        inside.reach()
        try leave.wait()
      }
    }
    try await inside.reached()
    let begun = Meeting()
    let doomed = Task {
      begun.reach()
      _ = try await notes.store.insert(Note("doomed"))
    }
    try await begun.reached()
    doomed.cancel()
    #expect(try await code(of: doomed) == .cancelled)
    leave.reach()
    try holder.result()
    try notes.store.insertNow(Note("next"))
    #expect(try await notes.store.all().map(\.text) == ["next"])
  }

  @Test("a long read ends when it is cancelled") func aLongReadEndsWhen() async throws {
    let notes = try Notes()
    try await notes.store.insert(contentsOf: (0..<2_000).map { Note("note \($0)") })
    let (begun, cancelled) = (Meeting(), Meeting())
    let reads = Mutex(0)
    let read: @Sendable (Note) throws -> Void = { _ in
      let count = reads.withLock { reads in
        reads += 1
        return reads
      }
      guard count == 1 else { return }
      begun.reach()
      try cancelled.wait()
    }
    let task = Task { try await notes.vault.read { try notes.store.query.forEach(read) } }
    try await begun.reached()
    task.cancel()
    cancelled.reach()
    #expect(try await code(of: task) == .cancelled)
    #expect(reads.withLock { $0 } == 1)
    #expect(try await notes.store.count() == 2_000)
  }

  // The statement waits in the encoding of its second object until the cancellation is there.
  @Test("a cancelled read that stored something before does not say that nothing was stored")
  func aReadThatStored() async throws {
    let notes = try Notes()
    for stores in [true, false] {
      let inside = Meeting()
      let task = Task {
        try await notes.vault.read {
          if stores { try notes.store.insert(Note("x")) }
          inside.reach()
          while true { _ = try notes.store.where("text BEGINSWITH 'x'").count() }
        }
      }
      try await inside.reached()
      task.cancel()
      let error = await #expect(throws: VaultError.self) { try await task.value }
      #expect(error?.code == .cancelled)
      let message = error?.message ?? ""
      #expect(message.contains("None of its changes") == !stores, "\(message)")
      #expect(message.contains("committed before") == stores, "\(message)")
      #expect(try await notes.store.count() == 1)
    }
  }

  @Test("a transaction cancelled half-way is undone and the vault goes on")
  func aTransactionCancelledHalfWay() async throws {
    let notes = try Notes()
    let (begun, cancelled) = (Meeting(), Meeting())
    let task = Task {
      try await notes.vault.transaction {
        try notes.store.insert(Note("first"))
        begun.reach()
        try cancelled.wait()
        _ = try? notes.vault.transaction {
          try notes.store.insert(contentsOf: (0..<5_000).map { Note("\($0)") })
        }
        // Whatever was passed over: a cancelled transaction is not committed.
      }
    }
    try await begun.reached()
    task.cancel()
    cancelled.reach()
    #expect(try await code(of: task) == .cancelled)
    #expect(try await notes.store.count() == 0)
    try await notes.vault.transaction { _ = try notes.store.insert(Note("next")) }
    #expect(try await notes.store.count() == 1)
  }

  @Test("a task made by a cancelled operation is not cancelled with it")
  func aTaskMadeByACancelled() async throws {
    let notes = try Notes()
    let (begun, cancelled) = (Meeting(), Meeting())
    let made = Mutex<Task<Int, any Error>?>(nil)
    let task = Task {
      try await notes.vault.transaction {
        begun.reach()
        try cancelled.wait()
        // Not detached: it inherits what is task-local, but not the cancellation.
        made.withLock { $0 = Task { try notes.store.countNow() } }
      }
    }
    try await begun.reached()
    task.cancel()
    cancelled.reach()
    #expect(try await code(of: task) == .cancelled)
    let heir = try #require(made.withLock { $0 })
    #expect(try await heir.value == 0)
  }
}

extension ObjectStore where T: Sendable {
  /// The synchronous form, also where the asynchronous one would be meant.
  func insertNow(_ object: T) throws { try insert(object) }
  func countNow() throws -> Int { try count() }
}
