import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

import ObjectVaultFile

@Suite("The write-ahead log") struct LogLimitTests {
  private let text = String(repeating: "x", count: 2_000)

  private func size(_ vault: Vault) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: vault.path + "-wal")
    return try #require(attributes[.size] as? Int)
  }

  @Test("stays near its limit while readers overlap without a gap")
  func overlappingReaders() throws {
    var configuration = VaultConfiguration()
    configuration.writeAheadLogLimit = .mebibytes(1)
    let notes = try Notes(configuration)
    try notes.store.insert(Note("first"))
    let done = Locked(false)
    let readers = (0..<4).map { _ in
      OnThread {
        var scopes = 0
        while !done.withLock({ $0 }) {
          try notes.vault.read { for _ in 0..<20 { _ = try notes.store.find(1) } }
          scopes += 1
        }
        return scopes
      }
    }
    var largest = 0
    for number in 0..<3_000 {
      try notes.store.insert(Note(text))
      if number.isMultiple(of: 50) { largest = max(largest, try size(notes.vault)) }
    }
    done.withLock { $0 = true }
    for reader in readers { #expect(try reader.result() > 0) }
    // 3,000 commits are 36 MiB of log.
    #expect(largest < 8 << 20, "\(largest)")
    #expect(try size(notes.vault) < 8 << 20)
    #expect(try notes.store.count() == 3_001)
  }

  @Test("is moved when it is due, and less often while readers stay in the way")
  func steps() {
    var limit = LogLimit(limit: 4_000)
    #expect(limit.step(pages: 999, now: 0) == .none)
    #expect(limit.step(pages: 1_000, now: 0) == .move)
    #expect(limit.step(pages: 1_001, now: 0) == .none)
    #expect(limit.step(pages: 2_100, now: 0) == .move)
    #expect(limit.step(pages: 4_000, now: 0) == .restart(milliseconds: 10))
    limit.fail(began: 0, ended: 10)
    #expect(limit.step(pages: 4_999, now: 60) == .move)
    #expect(limit.step(pages: 5_000, now: 49) == .none)
    #expect(limit.step(pages: 5_000, now: 50) == .restart(milliseconds: 20))
    for attempt in 1...20 {
      limit.fail(began: 0, ended: 0)
      _ = limit.step(pages: 5_000 + attempt * 1_000, now: 0)
    }
    #expect(limit.step(pages: 30_000, now: 0) == .restart(milliseconds: 1_000))
    // It started again.
    #expect(limit.step(pages: 3, now: 0) == .none)
    #expect(limit.step(pages: 4_000, now: 0) == .restart(milliseconds: 10))
  }

  @Test("is empty after a checkpoint, and nothing is lost")
  func checkpoint() throws {
    let notes = try Notes()
    func countedPages() throws -> Int {
      try notes.vault.file().withWriter { $0.engine.pagesInLog }
    }
    try notes.store.insert(contentsOf: (0..<50).map { Note("\($0)") })
    #expect(try size(notes.vault) > 0)
    #expect(try countedPages() > 0)
    try notes.vault.checkpoint()
    #expect(try size(notes.vault) == 0)
    // Otherwise transactions without a change would move an empty log again.
    #expect(try countedPages() == 0)
    #expect(try notes.store.count() == 50)
    let inMemory = try Vault.inMemory()
    try inMemory.checkpoint()
  }

  @Test("is empty after an awaited checkpoint, and nothing is lost")
  func awaitedCheckpoint() async throws {
    let notes = try Notes()
    try await notes.store.insert(contentsOf: (0..<50).map { Note("\($0)") })
    #expect(try size(notes.vault) > 0)
    try await onOwnThread { try notes.vault.checkpoint() }
    #expect(try size(notes.vault) == 0)
    #expect(try await notes.store.count() == 50)
    let inMemory = try Vault.inMemory()
    try await onOwnThread { try inMemory.checkpoint() }
  }

  @Test("cannot be emptied during an iteration, a transaction, a read scope, or for reading only")
  func refusals() throws {
    var configuration = VaultConfiguration()
    configuration.busyTimeout = .seconds(0.05)
    let notes = try Notes(configuration)
    try notes.store.insert(contentsOf: [Note("a"), Note("b")])
    let cursor = try notes.store.query.cursor()
    _ = try cursor.next()
    try notes.store.insert(Note("c"))
    #expect(code { try notes.vault.checkpoint() } == .busy)
    while try cursor.next() != nil {}
    try notes.vault.transaction {
      #expect(code { try notes.vault.checkpoint() } == .invalidArgument)
    }
    try notes.vault.read {
      #expect(code { try notes.vault.checkpoint() } == .invalidArgument)
    }
    configuration.isReadOnly = true
    let reader = try Vault(at: notes.vault.path, key: .ofTests, configuration: configuration)
    #expect(code { try reader.checkpoint() } == .readOnly)
    try notes.vault.checkpoint()
    #expect(try notes.texts == ["a", "b", "c"])
  }

  @Test("holds readers back for its checkpoint without failing them, whatever the busy timeout is")
  func heldReaders() throws {
    var configuration = VaultConfiguration()
    configuration.busyTimeout = .seconds(0)
    let notes = try Notes(configuration)
    try notes.store.insert(Note("a"))
    let readers = try notes.vault.file().sessions.readers
    readers.hold()
    let waiting = OnThread { try notes.store.count() }
    // The thread that holds something is let through: others may wait for it.
    let inside = OnThread { try notes.vault.transaction { try notes.store.count() } }
    #expect(try inside.result() == 1)
    let name = "the replacement of '\(notes.vault.path)'"
    while WaitGraph.waiterCount(of: name) == 0 { usleep(200) }
    readers.endHold()
    #expect(try waiting.result() == 1)
  }

  @Test("has a limit from 1 to 65,536 MiB", arguments: [0, -1, 65_537])
  func range(limit: Int) throws {
    var configuration = VaultConfiguration()
    configuration.writeAheadLogLimit = .mebibytes(limit)
    let folder = try TemporaryFolder()
    #expect(
      code {
        _ = try Vault(
          at: folder.file("a.vault"), key: .ofTests, configuration: configuration)
      } == .invalidArgument)
  }
}
