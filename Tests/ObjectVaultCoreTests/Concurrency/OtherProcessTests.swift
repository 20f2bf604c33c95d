import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite(.covers("X5")) struct OtherProcessTests {
  private func otherWrites(_ path: String) throws -> String {
    let child = try ChildProcess.run("vault-insert", path, "0.2")
    return child.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("another process that cannot write in time is told so, and can afterwards")
  func anotherProcessThatCannotWrite() throws {
    let notes = try Notes()
    try notes.vault.transaction {
      try notes.store.insert(Note("a"))
      #expect(try otherWrites(notes.vault.path) == "busy")
    }
    #expect(try otherWrites(notes.vault.path) == "inserted")
    #expect(try notes.texts == ["a", "child"])
  }

  // A descriptor of the file that was closed would drop every lock of this process.
  @Test("opening, probing and closing handles keep the locks")
  func openingProbingAndClosingHandlesKeep() throws {
    let notes = try Notes()
    try notes.vault.transaction {
      try notes.store.insert(Note("a"))
      let other = try Vault(at: notes.vault.path, key: .ofTests)
      try other.open()
      other.close()
      let wrong = try Vault(at: notes.vault.path, key: .passphrase("wrong"))
      #expect(code { try wrong.open() } == .wrongKey)
      var configuration = VaultConfiguration()
      configuration.isReadOnly = true
      var reading: Vault? = try Vault(
        at: notes.vault.path, key: .ofTests, configuration: configuration)
      #expect(try reading?.store(of: Note.self).count() == 0)
      reading = nil
      let wrongReading = try Vault(
        at: notes.vault.path, key: .passphrase("wrong"), configuration: configuration)
      #expect(code { try wrongReading.open() } == .wrongKey)
      #expect(try otherWrites(notes.vault.path) == "busy")
    }
    #expect(try otherWrites(notes.vault.path) == "inserted")
    try notes.store.insert(Note("b"))
    #expect(try notes.texts == ["a", "child", "b"])
  }

  @Test("A file that a backup with a keyring replaces stays locked against another process")
  func replacedFileStaysLocked() throws {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    notes.vault.close()
    let key = VaultKey.keyring(.raw(1...32))
    let backup = try Vault(at: notes.folder.file("backup.vault"), key: key)
    try backup.open()
    backup.close()
    var answers: [String] = []
    try DatabaseFile(at: backup.path, key: key).restore(to: notes.vault.path, replacing: true) {
      guard $0.phase == .copying, answers.isEmpty else { return }
      answers.append(try otherWrites(notes.vault.path))
    }
    #expect(answers == ["busy"])
  }

  @Test("threads, tasks and another process work on one vault for seconds", .covers("S16"))
  func threadsTasksAndAnotherProcessWork()
    async throws
  {
    let folder = try TemporaryFolder()
    let random = SeededGenerator(for: "stress")
    let report = try await StressScenario(
      path: folder.file("stress.vault"), seconds: 4, seed: random.seed
    ).run()
    #expect(report.violations == [])
  }
}
