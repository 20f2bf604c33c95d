import Foundation
import ObjectVaultCore
import ObjectVaultSession
import Synchronization
import Testing
import TestSupport

@Suite("Writes that share a commit") struct CommitGroupTests {
  @Test("are one commit, and return when that is done")
  func oneCommit() throws {
    let test = try Together()
    let seen = Mutex<[Bool]>([])
    let commits = try test.commits {
      let codes = try test.run(
        (0..<6).map { number in
          {
            try test.store.insert(Note("\(number)"))
            // By a connection that reads, which sees commits only.
            let found = try test.store.where("text == %@", "\(number)").count() == 1
            seen.withLock { $0.append(found) }
          }
        })
      #expect(codes == Array(repeating: nil, count: 7))
    }
    #expect(commits == 1)
    #expect(seen.withLock { $0 } == Array(repeating: true, count: 6))
    #expect(Set(try test.notes.texts) == Set((0..<6).map(String.init)))
  }

  @Test("each have one of their own where the vault is not to have that")
  func ungrouped() throws {
    let test = try Together { $0.commitGrouping = .off }
    let commits = try test.commits {
      try test.run(
        (0..<4).map { number in { _ = try test.store.insert(Note("\(number)")) } })
    }
    #expect(commits == 4)
  }

  @Test("are undone alone where they fail alone")
  func failures() throws {
    let test = try Together()
    let taken = try test.store.insert(Note("taken"))
    let codes = Mutex<[VaultError.Code?]>([])
    let commits = try test.commits {
      let found = try test.run(
        { _ = try test.store.insert(Note("a")) },
        { _ = try test.store.insert(Note("duplicate", objectID: taken.objectID)) },
        {
          try test.vault.transaction {
            try test.store.insert(Note("undone"))
            #expect(try test.store.where("text == 'undone'").count() == 1)
            try test.store.insert(taken)
          }
        },
        { try test.store.update(Note("nowhere", objectID: 1_000_000)) },
        {
          let isKept = try test.vault.attempt {
            try test.store.insert(Note("attempted"))
            return false
          }
          #expect(!isKept)
        },
        { _ = try test.store.insert(contentsOf: [Note("b"), Note("c")]) })
      codes.withLock { $0 = found }
    }
    #expect(
      codes.withLock { $0 } == [nil, nil, .duplicate, .duplicate, .noSuchObject, nil, nil])
    // "a" with the statements after it; then the objects that are inserted together.
    #expect(commits == 2)
    #expect(Set(try test.notes.texts) == ["taken", "a", "b", "c"])
  }

  @Test("are undone alone where only the first fails, or only the last")
  func firstAndLast() throws {
    let test = try Together()
    let taken = try test.store.insert(Note("taken"))
    let overlapping = try test.overlap(
      { _ = try test.store.insert(Note("first")) }, { _ = try test.store.insert(Note("second")) },
      rest: { _ = try test.store.insert(taken) })
    #expect(overlapping == [.duplicate, nil])
    let codes = try test.run({ _ = try test.store.insert(taken) })
    #expect(codes == [nil, .duplicate])
    #expect(try test.notes.texts == ["taken", "second"])
  }

  @Test("do not write to a file that was moved away in between")
  func movedFile() throws {
    let test = try Together()
    let path = test.vault.path
    let codes = try test.overlap(
      { _ = try test.store.insert(Note("first")) }, { _ = try test.store.insert(Note("second")) },
      meanwhile: { #expect(rename(path, path + ".moved") == 0) })
    #expect(codes == [nil, .replaced])
    #expect(rename(path + ".moved", path) == 0)
    #expect(try test.notes.texts == ["first"])
  }

  @Test("are not continued by others while their thread holds another vault")
  func otherVaultHeld() throws {
    let (test, other) = (try Together(), try Notes())
    let commits = try test.commits {
      let codes = try test.run(
        {
          try other.vault.read {
            #expect(try other.store.count() == 0)
            try test.store.insert(Note("a"))
          }
        }, { _ = try test.store.insert(Note("b")) })
      #expect(codes == [nil, nil, nil])
    }
    #expect(commits == 2)
  }

  @Test("all fail where the commit fails, and nothing of them is kept")
  func commitFails() throws {
    let test = try Together()
    _ = try test.vault.commitCount()
    // The commit counts itself.
    try test.execute(
      """
      CREATE TEMP TRIGGER refusing BEFORE UPDATE ON objectvault_info
      BEGIN SELECT RAISE(ABORT, 'on purpose'); END
      """)
    let codes = try test.run(
      { _ = try test.store.insert(Note("a")) },
      { try test.vault.transaction { _ = try test.store.insert(Note("b")) } },
      { _ = try test.store.insert(contentsOf: [Note("c"), Note("d")]) })
    #expect(codes == [nil, .constraint, .constraint, .constraint])
    #expect(try test.notes.texts == [])
    try test.execute("DROP TRIGGER refusing")
    #expect(try test.run({ _ = try test.store.insert(Note("later")) }) == [nil, nil])
    #expect(try test.notes.texts == ["later"])
  }

  @Test("all fail where one has the engine give up the whole transaction")
  func engineRollsBack() throws {
    let test = try Together()
    try test.execute(
      """
      CREATE TEMP TRIGGER ending BEFORE INSERT ON Note WHEN new.text = 'bad'
      BEGIN SELECT RAISE(ROLLBACK, 'on purpose'); END
      """)
    let bad = Mutex<VaultError.Code?>(nil)
    let codes = try test.run(
      { _ = try test.store.insert(Note("a")) },
      {
        let found = code { try test.store.insert(Note("bad")) }
        bad.withLock { $0 = found }
      })
    #expect(bad.withLock { $0 } != nil)
    // Whether "a" or "bad" came first is not known.
    #expect(codes[1] == nil || codes[1] == .transactionAborted)
    #expect(try test.notes.texts == (codes[1] == nil ? ["a"] : []))
    try test.store.insert(Note("later"))
    #expect(try test.notes.texts.last == "later")
  }

  @Test("A reference that only the commit would reject fails one of several")
  func deferredReference() throws {
    let test = try Together()
    try test.execute(
      """
      CREATE TABLE Line(note INTEGER REFERENCES Note(objectID) DEFERRABLE INITIALLY DEFERRED)
      """)
    try test.execute(
      """
      CREATE TEMP TRIGGER dangling BEFORE INSERT ON Note WHEN new.text = 'bad'
      BEGIN INSERT INTO Line VALUES (-1); END
      """)
    let works = ["a", "b", "bad", "c", "d"].map { text in
      { @Sendable in _ = try test.store.insert(Note(text)) }
    }
    let codes = try test.run(works)
    #expect(codes == [nil, nil, nil, .danglingReference, nil, nil])
    #expect(Set(try test.notes.texts) == ["a", "b", "c", "d"])
  }

  @Test("tell of a failure that one of them passed over")
  func passedOver() throws {
    let test = try Together()
    try test.execute(
      """
      CREATE TEMP TRIGGER ending BEFORE INSERT ON Note WHEN new.text = 'bad'
      BEGIN SELECT RAISE(ROLLBACK, 'on purpose'); END
      """)
    let codes = try test.run({
      try test.vault.transaction {
        try test.store.insert(Note("a"))
        _ = try? test.store.insert(Note("bad"))
      }
    })
    #expect(codes.last == .transactionAborted)
    #expect(try test.notes.texts == [])
  }

  @Test("are as many as may be, and no more come once the time is over")
  func bounds() throws {
    let three = try Together(members: 3)
    let works = { (test: Together) in
      (0..<7).map { number in { @Sendable in _ = try test.store.insert(Note("\(number)")) } }
    }
    #expect(try three.commits { try three.run(works(three)) } == 3)
    #expect(try three.store.count() == 7)
    let late = try Together(window: .zero)
    // The transaction that they wait for is empty.
    #expect(try late.commits { try late.run(works(late)) } == 7)
    #expect(try late.store.count() == 7)
  }

  @Test("return although a transaction that came between them waits for what they do next")
  func waitedFor() throws {
    let test = try Together()
    var attempts = 0
    // The lock does not promise an order, so the transaction can also be the first.
    while try !isWaitedFor(in: test) {
      attempts += 1
      try #require(attempts < 200)
    }
  }

  /// Runs a write and a transaction that waits for the end of the write if that came first.
  ///
  /// - Returns: Whether the write came first.
  private func isWaitedFor(in test: Together) throws -> Bool {
    let isDone = Meeting()
    let cameFirst = Mutex(false)
    let before = try test.notes.texts.count
    let codes = try test.run(
      {
        try test.store.insert(Note("a"))
        isDone.reach()
      },
      {
        try test.vault.transaction {
          if try test.store.count() > before {
            cameFirst.withLock { $0 = true }
            try isDone.wait()
          }
          _ = try test.store.insert(Note("b"))
        }
      })
    #expect(codes == [nil, nil, nil])
    #expect(try test.notes.texts.count == before + 2)
    return cameFirst.withLock { $0 }
  }

  private func nest(_ number: Int, in test: Together) throws {
    try test.vault.transaction {
      try test.store.insert(Note("outer \(number)"))
      do {
        try test.vault.transaction {
          try test.store.insert(Note("inner \(number)"))
          throw OnPurpose()
        }
      } catch is OnPurpose {}
      try test.vault.transaction { _ = try test.store.insert(Note("kept \(number)")) }
    }
  }

  @Test("do not hold transactions, which have commits of their own")
  func nested() throws {
    let test = try Together()
    let commits = try test.commits {
      let codes = try test.run(
        (0..<3).map { number in { try nest(number, in: test) } })
      #expect(codes == Array(repeating: nil, count: 4))
    }
    #expect(commits == 3)
    let expected = (0..<3).flatMap { ["outer \($0)", "kept \($0)"] }
    #expect(Set(try test.notes.texts) == Set(expected))
    #expect(try test.store.count() == 6)
  }

  @Test("report after their commit, and never what was undone")
  func actions() throws {
    let test = try Together()
    let order = Mutex<[String]>([])
    let told = Mutex<[String]>([])
    let file = try test.vault.file()
    try test.run(
      (0..<5).map { number in
        {
          try? test.vault.transaction {
            try test.store.insert(Note("\(number)"))
            file.sessions.afterCommit {
              // By a thread that is in nothing.
              let isKept = try? OnThread { try test.notes.texts.contains("\(number)") }.result()
              told.withLock { $0.append(isKept == true ? "\(number)" : "\(number) too early") }
            }
            if number == 2 { throw OnPurpose() }
            order.withLock { $0.append("\(number)") }
          }
        }
      })
    // Each has a commit of its own, so that their threads report in any order.
    #expect(Set(told.withLock { $0 }) == Set(order.withLock { $0 }))
    #expect(told.withLock { $0 }.count == 4)
    #expect(order.withLock { $0 }.count == 4)
  }

  @Test("are observed once they are committed")
  func observed() async throws {
    let test = try Together()
    let seen = Deliveries(test.store.observe())
    _ = try await seen.first(1)
    _ = try await onOwnThread {
      try test.run(
        (0..<4).map { number in { _ = try test.store.insert(Note("\(number)")) } })
    }
    try await seen.wait { $0.count == 4 }
  }

  @Test("end before anything that is no write of objects")
  func others() throws {
    let test = try Together()
    let other = ClassDescription("Other", properties: [PropertyDescription("a", Int.self)])
    let codes = try test.run(
      { _ = try test.store.insert(Note("a")) },
      { _ = try test.vault.store(of: other) },
      { _ = try test.store.insert(Note("b")) },
      { _ = try test.vault.execute("UPDATE Note SET text = text || '!' WHERE text = 'a'") },
      { try test.vault.rekey(to: .passphrase("another")) },
      { _ = try test.vault.commitCount() },
      { _ = try test.store.insert(Note("c")) },
      {
        try test.vault.transaction {
          let more = ClassDescription("More", properties: [PropertyDescription("a", Int.self)])
          _ = try test.vault.store(of: more)
        }
      })
    #expect(codes == Array(repeating: nil, count: 9))
    #expect(try test.store.count() == 3)
    #expect(Set(try test.notes.texts).isSuperset(of: ["b", "c"]))
    #expect(Set(try test.vault.classes().map(\.name)).isSuperset(of: ["Note", "Other", "More"]))
  }

  @Test("do not wait for a write of a thread that is inside another vault")
  func twoVaults() throws {
    let (one, other) = (try Together(), try Together())
    let isKept = Mutex(false)
    let codes = try one.run(
      {
        try other.vault.transaction {
          try one.store.insert(Note("a"))
          let found = try OnThread { try one.store.count() }.result()
          isKept.withLock { $0 = found >= 1 }
        }
      },
      { _ = try one.store.insert(Note("b")) }, { _ = try one.store.insert(Note("c")) })
    #expect(codes == [nil, nil, nil, nil])
    #expect(isKept.withLock { $0 })
    #expect(Set(try one.notes.texts) == ["a", "b", "c"])
  }
}
