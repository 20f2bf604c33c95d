import Foundation
import ObjectVaultCore
import ObjectVaultSession
import Synchronization
import Testing
import TestSupport

@Suite("Tasks that share a commit") struct GroupedTaskTests {
  /// Calls `body`, which starts writes, while a transaction on the lane waits; then lets it go on.
  private func whileLaneIsBusy(_ test: Together, _ body: () async throws -> Void) async throws {
    let (inside, leave) = (Meeting(), Meeting())
    let first = Task {
      try await test.vault.transaction {
        inside.reach()
        try leave.wait()
      }
    }
    try await inside.reached()
    try await body()
    leave.reach()
    try await first.value
  }

  private func line(_ test: Together, has count: Int) async throws {
    let lane = try test.vault.file().sessions.executors.writing
    try await eventually { lane.waitingCount == count }
  }

  @Test("take one commit for all that wait, and see what they wrote")
  func oneCommit() async throws {
    let test = try Together()
    let taken = try await test.store.insert(Note("taken"))
    let before = try await onOwnThread { try test.vault.commitCount() }
    let tasks = Mutex<[Task<VaultError.Code?, any Error>]>([])
    try await whileLaneIsBusy(test) {
      for number in 0..<12 {
        let task = Task { () -> VaultError.Code? in
          do {
            try await test.store.insert(number % 4 == 3 ? taken : Note("\(number)"))
            #expect(try await test.store.where("text == %@", "\(number)").count() == 1)
            return nil
          } catch let error as VaultError {
            return error.code
          }
        }
        tasks.withLock { $0.append(task) }
        try await line(test, has: number + 1)
      }
    }
    for (number, task) in tasks.withLock({ $0 }).enumerated() {
      #expect(try await task.value == (number % 4 == 3 ? .duplicate : nil))
    }
    #expect(try await onOwnThread { try test.vault.commitCount() } == before + 1)
    #expect(try await test.store.count() == 10)
  }

  @Test("fail together where the commit fails")
  func commitFails() async throws {
    let test = try Together()
    _ = try await onOwnThread { try test.vault.commitCount() }
    try test.execute(
      """
      CREATE TEMP TRIGGER refusing BEFORE UPDATE ON objectvault_info
      BEGIN SELECT RAISE(ABORT, 'on purpose'); END
      """)
    var tasks: [Task<Void, any Error>] = []
    let (inside, leave) = (Meeting(), Meeting())
    tasks.append(
      Task {
        try await test.vault.transaction {
          inside.reach()
          try leave.wait()
        }
      })
    try await inside.reached()
    for number in 0..<5 {
      tasks.append(Task { _ = try await test.store.insert(Note("\(number)")) })
      try await line(test, has: number + 1)
    }
    leave.reach()
    // The transaction has a commit of its own.
    #expect(try await code(of: tasks[0]) == nil)
    for task in tasks[1...] { #expect(try await code(of: task) == .constraint) }
    #expect(try await test.store.count() == 0)
  }

  @Test("are not waited for once they are cancelled, and keep nothing then")
  func cancelled() async throws {
    let test = try Together()
    var tasks: [Task<Void, any Error>] = []
    let (inside, leave) = (Meeting(), Meeting())
    let first = Task {
      try await test.vault.transaction {
        _ = try test.store.insert(Note("first"))
        inside.reach()
        try leave.wait()
      }
    }
    try await inside.reached()
    for number in 0..<5 {
      tasks.append(Task { _ = try await test.store.insert(Note("\(number)")) })
      try await line(test, has: number + 1)
    }
    for task in tasks { task.cancel() }
    leave.reach()
    try await first.value
    for task in tasks { #expect(try await code(of: task) == .cancelled) }
    #expect(try await test.store.all().map(\.text) == ["first"])
  }

  // Whoever is to go on with a transaction is cancelled at about the moment it is left open.
  @Test("leave no transaction open when they are cancelled while they wait to go on with it")
  func cancelledAtTheGate() async throws {
    let test = try Together()
    let gate = try test.vault.file().sessions.writerLock
    for round in 0..<60 {
      let (inside, leave) = (Meeting(), Meeting())
      let holder = OnThread {
        try test.vault.transaction {
          _ = try test.store.insert(Note("kept"))
          inside.reach()
          try leave.wait()
        }
      }
      try await inside.reached()
      let task = Task { _ = try await test.store.insert(Note("perhaps")) }
      try await eventually { gate.waiterCount == 1 }
      if round.isMultiple(of: 2) { leave.reach() }
      if round.isMultiple(of: 3) { await Task.yield() }
      task.cancel()
      if !round.isMultiple(of: 2) { leave.reach() }
      try await onOwnThread { try holder.result() }
      _ = try await code(of: task)
      #expect(try await test.store.where("text == 'kept'").count() == round + 1)
    }
  }

  // The engine undoes the whole transaction with a statement that it is made to end half-way.
  @Test("are undone alone where they are cancelled while they write")
  func cancelledInside() async throws {
    let test = try Together()
    let (inside, leave) = (Meeting(), Meeting())
    let task = Mutex<Task<Void, any Error>?>(nil)
    try await whileLaneIsBusy(test) {
      let first = Task { _ = try await test.store.insert(Note("a")) }
      try await line(test, has: 1)
      let second = Task {
        try await test.vault.transaction {
          inside.reach()
          try leave.wait()
          try test.execute(
            """
            INSERT INTO Note(text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
            LIMIT 30000) SELECT 'undone' FROM n
            """)
        }
      }
      try await line(test, has: 2)
      let third = Task { _ = try await test.store.insert(Note("b")) }
      try await line(test, has: 3)
      task.withLock { $0 = second }
      Task {
        try await inside.reached()
        second.cancel()
        leave.reach()
        try await first.value
        try await third.value
      }
    }
    #expect(try await code(of: #require(task.withLock { $0 })) == .cancelled)
    try await eventually { try test.store.count() == 2 }
    #expect(Set(try test.notes.texts) == ["a", "b"])
  }

  @Test("Only the cancelled one of several is rolled back")
  func cancelledLater() async throws {
    let test = try Together()
    let file = try test.vault.file()
    let (inside, leave) = (Meeting(), Meeting())
    let tasks = Mutex<[Task<Void, any Error>]>([])
    let before = try await onOwnThread { try test.vault.commitCount() }
    try await whileLaneIsBusy(test) {
      let first = Task { _ = try await test.store.insert(Note("a")) }
      try await line(test, has: 1)
      let second = Task {
        try await test.vault.onExecutor(.write, sharing: true) {
          try file.sessions.write { session in
            inside.reach()
            try leave.wait()
            try session.execute("INSERT INTO Note(text) VALUES ('cancelled')")
          }
        }
      }
      try await line(test, has: 2)
      let third = Task { _ = try await test.store.insert(Note("b")) }
      try await line(test, has: 3)
      tasks.withLock { $0 = [first, second, third] }
    }
    let all = tasks.withLock { $0 }
    try await inside.reached()
    all[1].cancel()
    leave.reach()
    var codes: [VaultError.Code?] = []
    for task in all { codes.append(try await code(of: task)) }
    #expect(codes == [nil, .cancelled, nil])
    #expect(try await test.store.all().map(\.text) == ["a", "b"])
    #expect(try await onOwnThread { try test.vault.commitCount() } == before + 1)
  }

  // Whether the engine's own cascade does is asked first; it does not for a class that refers to itself.
  @Test("do operations of several steps")
  func severalSteps() async throws {
    let test = try Together()
    let nodes = try await test.vault.store(
      of: ClassDescription(
        "Node", properties: [PropertyDescription("parent", Int64?.self)],
        references: [ReferenceDescription("parent", target: "Node", onDelete: .cascade)]))
    for parent in 1...4 {
      try await nodes.insert(DynamicObject(of: nodes.classDescription))
      var child = try DynamicObject(of: nodes.classDescription)
      try child.set("parent", to: .integer(Int64(2 * parent - 1)))
      try await nodes.insert(child)
    }
    let roots = try await nodes.where("parent == nil").all()
    #expect(roots.count == 4)
    let tasks = Mutex<[Task<Void, any Error>]>([])
    try await whileLaneIsBusy(test) {
      for (number, root) in roots.enumerated() {
        let task = Task { try await nodes.remove(root) }
        tasks.withLock { $0.append(task) }
        try await line(test, has: number + 1)
      }
    }
    for task in tasks.withLock({ $0 }) { try await task.value }
    #expect(try await nodes.count() == 0)
  }
}
