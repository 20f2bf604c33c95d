import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

import ObjectVaultStores

/// Long lists of conditions are put into temporary tables, which belong to the schema of a connection.
@Suite("Temporary tables") struct TemporaryTableTests {
  private let longList = Array(1...5_000).map(Int64.init)

  @Test("made in an inner transaction that is undone leave the iteration of the outer one alone")
  func undoneInner() throws {
    let notes = try Notes()
    try notes.store.insert(contentsOf: (0..<20).map { Note("\($0)") })
    try notes.vault.transaction {
      let cursor = try notes.store.query.cursor()
      #expect(try cursor.next()?.text == "0")
      #expect(throws: OnPurpose.self) {
        try notes.vault.transaction {
          #expect(try notes.store.where("objectID IN %@", longList).count() == 20)
          try notes.store.insert(Note("undone"))
          throw OnPurpose()
        }
      }
      var rest = 0
      while try cursor.next() != nil { rest += 1 }
      #expect(rest == 19)
    }
    #expect(try notes.store.count() == 20)
  }

  @Test("made in an inner removal that is undone leave the iteration of the outer one alone")
  func undoneRemoval() throws {
    let notes = try Notes()
    try notes.store.insert(contentsOf: (0..<20).map { Note("\($0)") })
    let nodes = try notes.vault.store(
      of: ClassDescription(
        "Node", properties: [PropertyDescription("parent", Int64?.self)],
        references: [ReferenceDescription("parent", target: "Node", onDelete: .cascade)]))
    try nodes.insert(DynamicObject(of: nodes.classDescription))
    try notes.vault.transaction {
      let cursor = try notes.store.query.cursor()
      #expect(try cursor.next()?.text == "0")
      #expect(throws: OnPurpose.self) {
        try notes.vault.transaction {
          try nodes.remove(id: DynamicObjectID(.integer(1)))
          throw OnPurpose()
        }
      }
      var rest = 0
      while try cursor.next() != nil { rest += 1 }
      #expect(rest == 19)
    }
    #expect(try nodes.count() == 1)
  }

  @Test("and slots of statements do not grow with the number of openings")
  func slots() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.vault")
    func slotCount() throws -> Int? {
      let vault = try Vault(at: path, key: .ofTests)
      defer { vault.close() }
      let store = try vault.store(of: Note.self)
      try store.insert(Note("a"))
      return try vault.file().sessions.writer?.slotCount
    }
    let first = try slotCount()
    for _ in 0..<5 { #expect(try slotCount() == first) }
    #expect(first.map { $0 <= 2 * Table.Slot.allCases.count } == true)
  }
  @Test("and statements of removed classes are released")
  func removedClasses() throws {
    let notes = try Notes()
    var counts: [Int] = []
    for _ in 0..<200 {
      let description = ClassDescription(
        "Job", properties: [PropertyDescription("text", String.self)])
      let jobs = try notes.vault.store(of: description)
      let job = try jobs.insert(DynamicObject(of: jobs.classDescription, ["text": .text("a")]))
      try jobs.update(job)
      try jobs.remove(job)
      try notes.vault.removeStore(named: "Job")
      counts.append(try notes.vault.file().join { $0.engine.statementCount })
    }
    #expect(try #require(counts.max()) < Session.slotsBetweenReleases + 100)
  }
}
