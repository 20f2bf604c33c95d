import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// A read inside a read scope looks at the scope alone, unless something else decides what it sees.
@Suite("Reads inside a read scope") struct ScopeReadTests {
  private func expect(
    _ text: String?, under id: Int64, in store: ObjectStore<Note>,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let found = try store.find(id)
    #expect(found?.text == text, sourceLocation: place)
  }

  @Test("see what a transaction inside the scope wrote, while it lasts", .covers("J28"))
  func transactionInside() throws {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    try notes.vault.read {
      try expect("a", under: 1, in: notes.store)
      try notes.vault.transaction {
        try notes.store.insert(Note("b"))
        try expect("b", under: 2, in: notes.store)
        let byText = try notes.store.where("text == 'b'").first()?.text
        #expect(byText == "b")
      }
      try expect(nil, under: 2, in: notes.store)
      let count = try notes.store.count()
      #expect(count == 1)
    }
    try expect("b", under: 2, in: notes.store)
  }

  @Test("fail once the vault is closed, and not through another handle", .covers("S51"))
  func closedInside() throws {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    let other = try Vault(at: notes.vault.path, key: .ofTests)
    let others = try other.store(of: Note.self)
    try notes.vault.read {
      try expect("a", under: 1, in: notes.store)
      try expect("a", under: 1, in: others)
      notes.vault.close()
      #expect(code { _ = try notes.store.find(1) } == .closed)
      #expect(code { _ = try notes.store.where("text == 'a'").all() } == .closed)
      try expect("a", under: 1, in: others)
    }
  }

  @Test("fail once the vault or the table is removed", .covers("S48"))
  func removedInside() throws {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    try notes.vault.read {
      try OnThread { try notes.vault.removeStore(of: Note.self) }.result()
      #expect(code { _ = try notes.store.find(1) } == .invalidated)
    }
    let again = try notes.vault.store(of: Note.self)
    try again.insert(Note("b"))
    try notes.vault.read {
      try expect("b", under: 1, in: again)
      try notes.vault.removeFile()
      #expect(code { _ = try again.find(1) } == .invalidated)
    }
  }

  @Test("of one vault are not of another, whichever scope is the inner one")
  func twoVaults() throws {
    let (a, b) = (try Notes(), try Notes())
    try a.store.insert(Note("a"))
    try b.store.insert(Note("b"))
    try a.vault.read {
      try b.vault.read {
        try expect("a", under: 1, in: a.store)
        try expect("b", under: 1, in: b.store)
      }
      try expect("b", under: 1, in: b.store)
      try expect("a", under: 1, in: a.store)
    }
  }

  @Test("name the class and the property that cannot be read, as reads outside do")
  func errors() throws {
    let notes = try Notes()
    let people = try notes.vault.store(of: Person.self)
    try people.insert(Person(name: "a", age: 1))
    try notes.vault.execute("UPDATE Person SET age = 'none'")
    func message() -> String {
      do {
        _ = try people.find(1)
        return ""
      } catch {
        return "\(error)"
      }
    }
    let outside = message()
    #expect(outside.contains("age"))
    let inside = try notes.vault.read { message() }
    #expect(inside == outside)
  }

  @Test("are cancelled with the operation that they are part of")
  func cancelled() async throws {
    let notes = try Notes()
    try await notes.store.insert(contentsOf: (1...200).map { Note("\($0)") })
    let vault = notes.vault
    let store = notes.store
    let task = Task {
      try await vault.read {
        while true { _ = try store.where("text != '-'").all() }
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: VaultError.self) { try await task.value }
  }
}
