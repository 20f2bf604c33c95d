import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Vaults that are read only") struct ReadOnlyTests {
  private let notes: Notes
  private let readOnly: VaultConfiguration

  init() throws {
    notes = try Notes()
    try notes.store.insert(Note("a"))
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    readOnly = configuration
  }

  private func reader() throws -> ObjectStore<Note> {
    try Vault(at: notes.vault.path, key: .ofTests, configuration: readOnly).store(of: Note.self)
  }

  @Test("are used by any number of threads at once", .covers("P10"))
  func threads() throws {
    let store = try reader()
    // None of them goes on before all have read.
    let (inside, leave) = (Meeting(), Meeting())
    let threads = (0..<3).map { _ in
      OnThread {
        try store.vault.read {
          let texts = try store.all().map(\.text)
          inside.reach()
          try leave.wait()
          return try texts + store.all().map(\.text)
        }
      }
    }
    for _ in threads { try inside.wait() }
    #expect(try store.count() == 1)
    for _ in threads { leave.reach() }
    for thread in threads { #expect(try thread.result() == ["a", "a"]) }
    #expect(code { try store.insert(Note("b")) } == .readOnly)
    #expect(
      try OnThread { code { try store.insert(Note("b")) } }.result() == .readOnly,
      "on another thread, too")
  }

  @Test("of one path are one, apart from those that write", .covers("P10"))
  func shared() throws {
    let (first, second) = (try reader(), try reader())
    #expect(try first.vault !== second.vault)
    #expect(try first.vault.file() === second.vault.file())
    #expect(try OnThread { try reader().vault.file() === first.vault.file() }.result())
    #expect(try first.vault.file() !== notes.vault.file())
    // A read scope of one is that of the other: neither sees what is written meanwhile.
    try first.vault.read {
      #expect(try first.count() == 1)
      try notes.store.insert(Note("b"))
      #expect(try second.count() == 1)
    }
    #expect(try second.count() == 2)
    // One that is closed leaves the file to the other.
    try first.vault.close()
    #expect(code { _ = try first.count() } == .closed)
    #expect(try second.count() == 2)
  }
}
