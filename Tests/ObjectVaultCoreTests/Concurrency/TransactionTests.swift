import ObjectVaultCore
import ObjectVaultSession
import Synchronization
import Testing
import TestSupport

import ObjectVaultStores

/// A class whose instances run code when their last reference goes.
private final class Draft: StoredObject, GeneratesObjectID {
  @TaskLocal static var onEnd: (@Sendable () -> Void)?
  static let classDescription = ClassDescription(
    "Draft", properties: [PropertyDescription("text", String.self)])

  var objectID: Int64?

  init() {}
  init(row: Row) throws { objectID = try row.value(at: 1) }
  func encode(into binder: Binder) throws { try binder.bind("", at: 0) }
  deinit { Self.onEnd?() }
}

@Suite(.covers("A45", "A46", "A47", "S58", "X5")) struct TransactionTests {
  @Test("an error undoes the whole transaction and reaches the caller")
  func anErrorUndoesTheWholeTransaction() throws {
    let notes = try Notes()
    #expect(throws: OnPurpose.self) {
      try notes.vault.transaction {
        try notes.store.insert(Note("a"))
        throw OnPurpose()
      }
    }
    #expect(try notes.texts == [])
  }

  @Test(
    "an object that goes with the end of a transaction may use the vault", arguments: [false, true])
  func lastReference(isUndone: Bool) throws {
    let test = try TestVault()
    let drafts = try test.vault.store(of: Draft.self)
    let counts = Mutex<[Int]>([])
    let gone = { @Sendable in
      let count = (try? drafts.count()) ?? -1
      counts.withLock { $0.append(count) }
    }
    do {
      try Draft.$onEnd.withValue(gone) {
        try test.vault.transaction {
          // The transaction has the last references.
          for _ in 0..<3 { try drafts.insert(Draft()) }
          if isUndone { throw OnPurpose() }
        }
      }
    } catch is OnPurpose {}
    #expect(counts.withLock { $0 } == Array(repeating: isUndone ? 0 : 3, count: 3))
  }

  @Test("an inner transaction that fails is undone alone") func anInnerTransactionThatFails() throws
  {
    let notes = try Notes()
    try notes.vault.transaction {
      try notes.store.insert(Note("outer before"))
      #expect(throws: OnPurpose.self) {
        try notes.vault.transaction {
          try notes.store.insert(Note("inner"))
          #expect(try notes.texts == ["outer before", "inner"])
          throw OnPurpose()
        }
      }
      try notes.vault.transaction { try notes.store.insert(Note("inner kept")) }
      try notes.store.insert(Note("outer after"))
    }
    #expect(try notes.texts == ["outer before", "inner kept", "outer after"])
  }

  // this thread            other thread
  // insert b  ──────────▶  reads [a]
  // reads [a, b] ◀───────
  // commit    ──────────▶  reads [a, b]
  @Test("other threads see the last commit, the thread inside its own changes")
  func otherThreadsSeeTheLastCommit() throws {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    try notes.vault.transaction {
      try notes.store.insert(Note("b"))
      #expect(try OnThread { try notes.texts }.result() == ["a"])
      #expect(try notes.texts == ["a", "b"])
    }
    #expect(try OnThread { try notes.texts }.result() == ["a", "b"])
  }

  @Test("encoding and decoding may use the vault again") func encodingAndDecodingMayUse() throws {
    let notes = try Notes()
    try Note.$onEncode.withValue({
      try Note.$onEncode.withValue(nil) { _ = try notes.store.insert(Note("from inside")) }
    }) { _ = try notes.store.insert(Note("outside")) }
    #expect(Set(try notes.texts) == ["from inside", "outside"])
    let found = try Note.$onDecode.withValue({
      try Note.$onDecode.withValue(nil) {
        #expect(try notes.store.count() >= 2)
        try notes.store.insert(Note("while reading"))
      }
    }) { try notes.texts }
    #expect(found.count == 2)
    #expect(try notes.store.count() == 4)
  }

  // Each thread reads a row, waits inside until all do, and then reads again from inside.
  @Test("reads from inside reads never wait for connections that they hold")
  func readsFromInsideReadsNeverWait() throws {
    var configuration = VaultConfiguration()
    configuration.maximumReaders = 2
    let notes = try Notes(configuration)
    try notes.store.insert(Note("a"))
    let (first, second) = (Meeting(), Meeting())
    func reader(_ mine: Meeting, _ other: Meeting) -> OnThread<Int> {
      OnThread {
        return try Note.$onDecode.withValue({
          mine.reach()
          try other.wait()
          try Note.$onDecode.withValue(nil) {
            let found = try notes.store.count()
            #expect(found == 1)
          }
        }) { try notes.store.all().count }
      }
    }
    let readers = [reader(first, second), reader(second, first)]
    for reader in readers { #expect(try reader.result() == 1) }
  }

  // In the inner transaction the engine is stopped inside an insert, and undoes everything.
  @Test("after the engine gave a transaction up nothing inside it goes on")
  func afterTheEngineGaveATransaction() async throws {
    let notes = try Notes()
    let (begun, cancelled) = (Meeting(), Meeting())
    let codes = Mutex<[VaultError.Code]>([])
    let fill: @Sendable () throws -> Void = {
      let big = String(repeating: "x", count: 3_000)
      begun.reach()
      try cancelled.wait()
      for _ in 0..<200_000 { try notes.store.insert(Note(big)) }
    }
    let body: @Sendable () throws -> Void = {
      try notes.store.insert(Note("outer"))
      do { try notes.vault.transaction(fill) } catch let error as VaultError {
        codes.withLock { $0.append(error.code) }
      }
      do { try notes.store.insertNow(Note("after")) } catch let error as VaultError {
        codes.withLock { $0.append(error.code) }
      }
    }
    let operation = Task { try await notes.vault.transaction(body) }
    try await begun.reached()
    operation.cancel()
    cancelled.reach()
    #expect(try await code(of: operation) == .cancelled)
    // 3.4 gives the whole transaction up with the statement, 4.x the statement alone: then the
    // cancellation itself ends what follows.
    let last = try #require(codes.withLock { $0.last })
    #expect([.transactionAborted, .cancelled].contains(last))
    #expect(try await notes.store.count() == 0)
    try notes.store.insertNow(Note("next"))
    #expect(try await notes.store.count() == 1)
  }

  @Test("after the engine rolled back on its own every enclosing transaction is dead")
  func afterTheEngineRolledBack() throws {
    let notes = try Notes()
    try notes.store.insert(Note("before"))
    let file = try notes.vault.file()
    let conflict = "INSERT OR ROLLBACK INTO objectvault_info SELECT * FROM objectvault_info"
    var codes: [VaultError.Code?] = []
    let whole = code {
      try notes.vault.transaction {
        try notes.store.insert(Note("outer"))
        try? notes.vault.transaction {
          try notes.store.insert(Note("inner"))
          try file.join { try $0.execute(conflict) }
        }
        codes.append(code { try notes.store.insert(Note("after")) })
        codes.append(code { try notes.vault.transaction {} })
      }
    }
    #expect(codes == [.transactionAborted, .transactionAborted])
    #expect(whole == .transactionAborted)
    let texts = try notes.texts
    #expect(texts == ["before"])
    try notes.store.insert(Note("next"))
    #expect(try notes.store.count() == 2)
  }

  @Test("a cursor begun in a transaction sees its changes and ends with it", .covers("P7"))
  func aCursorBegunInATransaction() throws {
    let notes = try Notes()
    try notes.store.insert(contentsOf: [Note("a"), Note("b")])
    let cursor = try notes.vault.transaction {
      try notes.store.insert(Note("c"))
      let cursor = try notes.store.query.cursor()
      #expect(try cursor.next()?.text == "a")
      return cursor
    }
    #expect(code { _ = try cursor.next() } == .invalidArgument)
    // The writer holds no old snapshot: another thread commits and everybody sees it.
    try OnThread { _ = try notes.store.insert(Note("d")) }.result()
    try notes.vault.transaction {
      let found = try notes.texts
      #expect(found == ["a", "b", "c", "d"])
    }
  }

  @Test("two vaults nested in the same order work from many threads")
  func twoVaultsNestedInTheSame() throws {
    let (a, b) = (try Notes(), try Notes())
    let threads = (0..<4).map { number in
      OnThread {
        for _ in 0..<20 {
          try a.vault.transaction {
            try a.store.insert(Note("\(number)"))
            try b.vault.transaction { _ = try b.store.insert(Note("\(number)")) }
          }
        }
      }
    }
    for thread in threads { try thread.result() }
    #expect(try a.store.count() == 80)
    #expect(try b.store.count() == 80)
  }

  // thread 1: holds vault 1, waits for all, wants vault 2
  // thread 2: holds vault 2, waits for all, wants vault 3 (with two vaults: 1)
  // thread 3: holds vault 3, waits for all, wants vault 1
  @Test(
    "vaults nested in a circle fail in exactly one thread, which names both", .covers("P5", "P6"),
    arguments: [2, 3])
  func vaultsNestedInACircleFail(count: Int) throws {
    let vaults = try (0..<count).map { _ in try Notes() }
    let inside = vaults.map { _ in Meeting() }
    let begin = vaults.map { _ in Meeting() }
    let threads = vaults.indices.map { index in
      OnThread { () -> String? in
        let (own, next) = (vaults[index], vaults[(index + 1) % count])
        do {
          try own.vault.transaction {
            try own.store.insert(Note("own"))
            inside[index].reach()
            try begin[index].wait()
            try next.vault.transaction { _ = try next.store.insert(Note("next")) }
          }
          return nil
        } catch let error as VaultError where error.code == .deadlock {
          #expect(error.message.contains(own.vault.path) && error.message.contains(next.vault.path))
          return error.message
        }
      }
    }
    for point in inside { try point.wait() }
    for point in begin { point.reach() }
    let failures = try threads.compactMap { try $0.result() }
    #expect(failures.count == 1)
    let rows = try vaults.map { try $0.store.count() }.reduce(0, +)
    #expect(rows == 2 * (count - 1))
  }
}
