import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import ObjectVaultSession
import Testing
import TestSupport

/// Waits in a circle of which one is for the opening or the replacement of a file.
@Suite("A circle of waits") struct DeadlockTests {
  private let notes: Notes
  private var path: String { notes.vault.path }

  init() throws { notes = try Notes() }

  private func wait(for name: String) {
    while WaitGraph.waiterCount(of: name) == 0 { usleep(200) }
  }

  private func withSchema() throws -> Vault {
    var configuration = VaultConfiguration()
    configuration.schema = VaultSchema(version: 1, classes: [Note.self])
    return try Vault(at: path, key: .ofTests, configuration: configuration)
  }

  @Test("is not closed by a handle that is opened in a transaction while another thread opens one")
  func handleInTransaction() throws {
    let opened = try withSchema()
    let inTransaction = try withSchema()
    let opening = try notes.vault.transaction {
      let opening = OnThread { try opened.open() }
      // It opens the file, and waits for this transaction.
      wait(for: "the writer lock of '\(path)'")
      let other = try Vault(at: path, key: .ofTests)
      try other.store(of: Note.self).insert(Note("by another handle"))
      #expect(code { try inTransaction.open() } == .deadlock)
      let wrong = try Vault(at: path, key: .passphrase("another"))
      #expect(code { try wrong.open() } == .wrongKey)
      return opening
    }
    try opening.result()
    try inTransaction.open()
    #expect(try notes.texts == ["by another handle"])
  }

  @Test("is not closed by a rekey while another thread opens the file and writes to it")
  func rekeyAndOpening() throws {
    let (isAsked, mayAnswer) = (Meeting(), Meeting())
    var configuration = VaultConfiguration()
    configuration.schema = VaultSchema(version: 1, classes: [Note.self])
    let path = path
    let slow = try Vault(
      at: path,
      key: .source(
        .closure(holding: .raw) {
          isAsked.reach()
          try mayAnswer.wait()
          return Secret(copying: Array(repeating: 0x5a, count: 32))
        }), configuration: configuration)
    // The key of the file is that of the closure.
    try notes.vault.rekey(to: .raw(hex: String(repeating: "5a", count: 32)))
    let opening = OnThread { try slow.open() }
    try isAsked.wait()
    let new = VaultKey.raw(hex: String(repeating: "a5", count: 32))
    let rekey = OnThread { [notes] in try notes.vault.rekey(to: new) }
    wait(for: "the opening of '\(path)'")
    mayAnswer.reach()
    try opening.result()
    try rekey.result()
    #expect(try slow.store(of: Note.self).count() == 0)
  }

  @Test("fails where a key source writes to a vault whose transaction opens the other vault")
  func keySource() throws {
    let (isAsked, mayWrite) = (Meeting(), Meeting())
    let notes = notes
    let otherPath = notes.folder.file("b.vault")
    let slow = try Vault(
      at: otherPath,
      key: .source(
        .closure(holding: .raw) {
          isAsked.reach()
          try mayWrite.wait()
          try notes.store.insert(Note("by the key source"))
          return Secret(copying: Array(repeating: 0x5a, count: 32))
        }))
    let other = try Vault(at: otherPath, key: .raw(hex: String(repeating: "5a", count: 32)))
    let opening = OnThread { try slow.open() }
    try isAsked.wait()
    try notes.vault.transaction {
      mayWrite.reach()
      wait(for: "the writer lock of '\(path)'")
      let error = #expect(throws: VaultError.self) { try other.open() }
      #expect(error?.code == .deadlock)
      #expect(error?.message.contains(path) == true && error?.message.contains(otherPath) == true)
      try notes.store.insert(Note("goes on"))
    }
    try opening.result()
    try other.open()
    #expect(try notes.texts == ["goes on", "by the key source"])
  }

  @Test("fails where a read scope writes to a file whose replacement waits for the scope")
  func readScope() throws {
    // Far longer than a test may take: nothing here ends by a timeout.
    var configuration = VaultConfiguration()
    configuration.busyTimeout = .seconds(3600)
    let notes = try Notes(configuration)
    let path = notes.vault.path
    let rekey = try notes.vault.read { () throws -> (OnThread<Void>, OnThread<Int>) in
      #expect(try notes.store.count() == 0)
      let rekey = OnThread { try notes.vault.rekey(to: .passphrase("another")) }
      wait(for: "the readers of '\(path)'")
      #expect(code { try notes.store.insert(Note("never")) } == .deadlock)
      let readers = OnThread { try notes.store.count() }
      wait(for: "the replacement of '\(path)'")
      return (rekey, readers)
    }
    try rekey.0.result()
    #expect(try rekey.1.result() == 0)
    try notes.store.insert(Note("after"))
  }

  @Test("fails where a replacement would wait for a scope that waits for the writer lock")
  func replacement() throws {
    var configuration = VaultConfiguration()
    configuration.busyTimeout = .seconds(3600)
    let notes = try Notes(configuration)
    let path = notes.vault.path
    let (isReading, mayWrite) = (Meeting(), Meeting())
    let reader = OnThread {
      try notes.vault.read {
        _ = try notes.store.count()
        isReading.reach()
        try mayWrite.wait()
        try notes.store.insert(Note("from a read scope"))
      }
    }
    try isReading.wait()
    let codes = try notes.vault.file().withWriter { _ in
      mayWrite.reach()
      wait(for: "the writer lock of '\(path)'")
      return code { try notes.vault.file().sessions.readers.suspend(within: .seconds(3600)) }
    }
    #expect(codes == .deadlock)
    _ = try reader.result()
    #expect(try notes.texts == ["from a read scope"])
  }
}
