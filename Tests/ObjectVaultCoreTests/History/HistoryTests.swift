import Foundation
import ObjectVaultCore
import ObjectVaultSession
import TestSupport
import Testing

@Suite("A class with a history")
struct HistoryTests {
  private let test: TestVault
  private let vault: Vault
  private let ledgers: ObjectStore<Ledger>

  init() throws {
    test = try TestVault()
    vault = test.vault
    ledgers = try vault.store(of: Ledger.self)
  }

  @Test("records each insert, update and removal with its properties", .covers("H1", "H2"))
  func operations() throws {
    var li = try ledgers.insert(Ledger("Li", age: 7))
    #expect(try vault.recorded() == ["inserted 1"])
    func check(_ lines: [String], _ body: () throws -> Void) throws {
      #expect(try vault.recorded(by: body) == lines)
    }
    try check(["inserted 2", "inserted 3"]) {
      try ledgers.insert(contentsOf: [Ledger("Bo"), Ledger("Zoë")])
    }
    li.age = 8
    try check(["updated 1 age"]) { try ledgers.update(li) }
    // An unchanged object is no change.
    try check([]) { try ledgers.save(li) }
    (li.name, li.email) = ("LI", "li@a")
    try check(["updated 1 name,email"]) { try ledgers.save(li) }
    try check(["updated 1 age"]) { try ledgers.update(li.with(age: 9), only: "age", "name") }
    try check(["inserted 4"]) { try ledgers.save(Ledger("Al")) }
    try check(["updated 1 age", "updated 2 age"]) {
      try ledgers.where("objectID < 3").update(set: ["age": 30])
    }
    try check(["removed 3"]) { try ledgers.where("name == 'Zoë'").remove() }
    try check(["removed 2"]) { try ledgers.remove(id: 2) }
    try check(["removed 1", "removed 4"]) { try ledgers.removeAll() }
  }

  @Test("has no object whose insertion failed in a transaction", .covers("H2"))
  func failedInsertion() throws {
    let target = ClassDescription("Target", properties: [.init("name", String.self)])
    let referring = ClassDescription(
      "Referring", properties: [.init("target", Int64?.self)],
      references: [ReferenceDescription("target", target: "Target")],
      options: TableOptions(history: .changes))
    let store = try vault.store(of: referring, with: [target])
    let valid = try DynamicObject(of: referring, ["target": .null])
    let dangling = try DynamicObject(of: referring, ["target": .integer(7)])
    let position = try vault.historyPosition()
    try vault.transaction {
      try store.insert(valid)
      #expect(code { try store.insert(dangling) } == .danglingReference)
      try store.insert(valid)
    }
    #expect(code { try store.insert(dangling) } == .danglingReference)
    let recorded = try vault.recorded(since: position)
    // A number that was generated once may be skipped.
    #expect(recorded.count == 2, "\(recorded)")
    #expect(recorded.allSatisfy { $0.hasPrefix("inserted ") }, "\(recorded)")
    #expect(try store.count() == 2)
  }

  @Test("does not end a transaction in which it was created, with an author, and undone")
  func undoneAuthor() throws {
    struct Undo: Error {}
    let test = try TestVault()
    let vault = test.vault
    let people = try vault.store(of: Person.self)
    try vault.transaction {
      #expect(throws: Undo.self) {
        try vault.transaction {
          _ = try vault.store(of: Ledger.self)
          try vault.setAuthor("sync")
          throw Undo()
        }
      }
      try people.insert(Person(name: "Li", age: 7))
    }
    #expect(try people.count() == 1)
    let ledgers = try vault.store(of: Ledger.self)
    try vault.transaction {
      try vault.setAuthor("later")
      try ledgers.insert(Ledger("a"))
    }
    let changes = try vault.changes(since: nil).changes
    #expect(changes.compactMap(\.author) == ["later"])
  }

  @Test("records what a replacing insert replaces and removes", .covers("H1"))
  func replacing() throws {
    try ledgers.insert(contentsOf: [Ledger("a", email: "a@a"), Ledger("b", email: "b@a")])
    let lines = try vault.recorded {
      try ledgers.replace(Ledger("c", age: 1, email: "b@a").with(id: 1))
    }
    #expect(lines == ["removed 2", "updated 1 name,age,email"])
    #expect(try vault.recorded { try ledgers.replace(Ledger("d")) } == ["inserted 3"])
    #expect(
      code { try vault.execute("REPLACE INTO Ledger (objectID, name, age) VALUES (1, 'e', 2)") }
        == .invalidArgument)
  }

  @Test("records SQL by hand, an upsert and a changed object ID", .covers("H1", "H3"))
  func statements() throws {
    func check(_ lines: [String], _ sql: String) throws {
      let position = try vault.historyPosition()
      try vault.file().transaction { try $0.execute(sql) }
      #expect(try vault.recorded(since: position) == lines, "\(sql)")
    }
    try check(["inserted 5"], "INSERT INTO Ledger (objectID, name, age) VALUES (5, 'a', 1)")
    try check([], "INSERT OR IGNORE INTO Ledger (objectID, name, age) VALUES (5, 'b', 1)")
    try check(["updated 5 name"], "UPDATE Ledger SET name = 'A'")
    try check([], "UPDATE Ledger SET name = 'A'")
    try check(["removed 5", "inserted 6"], "UPDATE Ledger SET objectID = 6")
    try check(["removed 6", "inserted 7"], "UPDATE Ledger SET rowid = 7, name = 'B'")
    let version = try #require(try vault.value("SELECT sqlite_version()", as: String.self))
    if version.compare("3.24", options: .numeric) != .orderedAscending {
      try check(
        ["updated 7 age"],
        "INSERT INTO Ledger (objectID, name, age) VALUES (7, 'c', 1) "
          + "ON CONFLICT (objectID) DO UPDATE SET age = 99")
    }
    #expect(
      try vault.recorded { try vault.execute("UPDATE Ledger SET email = 'a@a'") }
        == ["updated 7 email"])
    try check(["removed 7"], "DELETE FROM Ledger")
  }

  @Test("records cascades, nullified references and trees", .covers("H1"))
  func cascades() throws {
    let options = TableOptions(history: .changes)
    let album = ClassDescription(
      "Album", properties: [PropertyDescription("name", type: .string)], objectID: ["name"],
      options: options)
    func leaf(_ name: String, _ rule: DeleteRule) -> ClassDescription {
      ClassDescription(
        name, properties: [PropertyDescription("album", type: .string, isOptional: true)],
        references: [
          ReferenceDescription("album", target: "Album", targetColumns: ["name"], onDelete: rule)
        ], options: options)
    }
    let node = ClassDescription(
      "Node", properties: [PropertyDescription("parent", type: .int64, isOptional: true)],
      references: [
        ReferenceDescription(
          "parent", target: "Node", targetColumns: ["objectID"], onDelete: .cascade)
      ], options: options)
    let albums = try vault.store(of: album)
    try albums.insert(DynamicObject(of: album, ["name": .text("it's")]))
    let (leaves, marks) = (leaf("Leaf", .cascade), leaf("Mark", .nullify))
    for description in [leaves, marks] {
      try vault.store(of: description).insert(
        DynamicObject(of: description, ["album": .text("it's")]))
    }
    let nodes = try vault.store(of: node)
    for parent in [StoredValue.null, .integer(1), .integer(2), .integer(1)] {
      try nodes.insert(DynamicObject(of: node, ["parent": parent]))
    }
    let position = try vault.historyPosition()
    try albums.remove(id: DynamicObjectID(.text("it's")))
    #expect(try vault.recorded(since: position, of: "Album") == ["removed 'it's'"])
    #expect(try vault.recorded(since: position, of: "Leaf") == ["removed 1"])
    #expect(try vault.recorded(since: position, of: "Mark") == ["updated 1 album"])
    try nodes.remove(id: DynamicObjectID(.integer(1)))
    let lines = try vault.recorded(since: position, of: "Node")
    #expect(
      lines.filter { $0.hasPrefix("removed") }.sorted() == (1...4).map { "removed \($0)" },
      "\(lines)")
    // The engine's own cascade, as in another program.
    for parent in [StoredValue.null, .integer(5), .integer(6)] {
      try nodes.insert(DynamicObject(of: node, ["parent": parent]))
    }
    let engine = try vault.recorded {
      try vault.file().transaction { try $0.execute("DELETE FROM Node WHERE objectID = 5") }
    }
    #expect(engine.sorted() == (5...7).map { "removed \($0)" })
  }

  @Test("records the removal of a cycle through an object ID by its objects", .covers("H1"))
  func cycleThroughObjectID() throws {
    let options = TableOptions(history: .changes)
    for isRequired in [false, true] {
      let suffix = isRequired ? "Required" : ""
      let team = ClassDescription(
        "Team\(suffix)",
        properties: [
          PropertyDescription("name", type: .string),
          PropertyDescription("ownerTeam", type: .string, isOptional: !isRequired),
          PropertyDescription("ownerPerson", type: .string, isOptional: !isRequired),
        ], objectID: ["name"],
        references: [
          ReferenceDescription(
            "owner", properties: ["ownerTeam", "ownerPerson"], target: "Member\(suffix)",
            targetColumns: ["team", "person"], onDelete: .cascade)
        ], options: options)
      let member = ClassDescription(
        "Member\(suffix)",
        properties: [
          PropertyDescription("team", type: .string), PropertyDescription("person", type: .string),
        ], objectID: ["team", "person"],
        references: [
          ReferenceDescription(
            "team", target: "Team\(suffix)", targetColumns: ["name"], onDelete: .cascade)
        ], options: options)
      let teams = try vault.store(of: team, with: [member])
      let members = try vault.store(of: member, with: [team])
      try vault.transaction(deferringReferences: true) {
        try teams.insert(
          DynamicObject(
            of: team,
            ["name": .text("T"), "ownerTeam": .text("T"), "ownerPerson": .text("p")]))
        for person in ["p", "q"] {
          try members.insert(
            DynamicObject(of: member, ["team": .text("T"), "person": .text(person)]))
        }
      }
      let position = try vault.historyPosition()
      try teams.remove(id: DynamicObjectID(.text("T")))
      #expect(
        try vault.recorded(since: position, of: member.name).sorted()
          == ["removed 'T','p'", "removed 'T','q'"])
      #expect(try vault.recorded(since: position, of: team.name).last == "removed 'T'")
      #expect(try members.count() == 0)
    }
  }

  @Test("records object IDs of every form", .covers("H2"))
  func objectIDs() throws {
    let pair = ClassDescription(
      "Pair",
      properties: [
        PropertyDescription("a", type: .string), PropertyDescription("b", type: .double),
        PropertyDescription("c", type: .data), PropertyDescription("d", type: .int),
      ], objectID: ["a", "b", "c", "d"],
      options: TableOptions(withoutRowID: true, history: .changes))
    let pairs = try vault.store(of: pair)
    for text in ["x", "it's, 'y'", "nul\0nul", ""] {
      for number in [0.1, -2.5e300, .infinity] {
        let values: [StoredValue] = [
          .text(text), .real(number), .blob([0, 255]), .integer(.min),
        ]
        try pairs.insert(
          DynamicObject(of: pair, ["a": values[0], "b": values[1], "c": values[2], "d": values[3]]))
        let change = try #require(try vault.changes(since: nil).changes.last)
        #expect(change.objectID == DynamicObjectID(values), "\(values)")
      }
    }
    func check(_ type: PropertyType, _ value: StoredValue) throws {
      let description = ClassDescription(
        "Of\(type.rawValue)", properties: [PropertyDescription("id", type: type)],
        objectID: ["id"], options: TableOptions(history: .changes))
      try vault.store(of: description).insert(DynamicObject(of: description, ["id": value]))
      #expect(
        try vault.changes(since: nil).changes.last?.objectID == DynamicObjectID(value), "\(value)")
    }
    try check(.string, .text("1, 'a'\0b"))
    try check(.data, .blob([]))
    try check(.double, .real(1.5))
    try check(.int, .integer(-1))
    try ledgers.insert(Ledger("Li"))
    let change = try #require(try vault.changes(since: nil).changes.last)
    #expect(try change.objectID(of: Ledger.self) == 1)
    #expect(change.className == "Ledger" && abs(change.date.timeIntervalSinceNow) < 60)
    let other = try #require(
      try vault.changes(since: nil, ofClassesNamed: ["Pair"]).changes.first)
    #expect(code { _ = try other.objectID(of: Ledger.self) } == .invalidValue)
  }

  @Test("records names that need quotes, and very many properties", .covers("H2"))
  func names() throws {
    let odd = ClassDescription(
      "it's \"odd\"",
      properties: (0..<980).map { PropertyDescription("p\($0)", type: .int) } + [
        PropertyDescription("a \"b\", 'c'", column: "x'y\"z", type: .string)
      ], options: TableOptions(history: .changes))
    let store = try vault.store(of: odd)
    try store.insert(
      DynamicObject(
        of: odd,
        Dictionary(
          uniqueKeysWithValues: odd.properties.map {
            ($0.name, $0.type == .int ? .integer(0) : .text("a"))
          })))
    let position = try vault.historyPosition()
    try store.query.update(set: ["p0": 1, "p979": 1, "a \"b\", 'c'": "A"])
    let change = try #require(try vault.changes(since: position).changes.first)
    #expect(change.properties == ["p0", "p979", "a \"b\", 'c'"])
    #expect(change.className == "it's \"odd\"")
    #expect(try vault.verify().isSound)
  }

  @Test("records names that have quotes before combining marks", .covers("H2"))
  func namesWithMarks() throws {
    let name = "it'\u{301}s \"\u{301}odd"
    let odd = ClassDescription(
      name, properties: [PropertyDescription(name, type: .string)],
      options: TableOptions(history: .changes))
    let store = try vault.store(of: odd)
    try store.insert(DynamicObject(of: odd, [name: .text("a")]))
    let position = try vault.historyPosition()
    try store.query.update(set: [name: "b"])
    let change = try #require(try vault.changes(since: position).changes.first)
    #expect(change.properties == [name])
    #expect(change.className == name)
    #expect(try vault.verify().isSound)
  }

  @Test("records a shared blob by its content", .covers("H2"))
  func sharedBlobs() throws {
    let photo = ClassDescription(
      "Shot",
      properties: [
        PropertyDescription("name", type: .string),
        PropertyDescription("picture", type: .data).shared(),
      ], options: TableOptions(history: .changes))
    let store = try vault.store(of: photo)
    let first = StoredValue.blob([UInt8](Data.picture(1)))
    try store.insert(DynamicObject(of: photo, ["name": .text("a"), "picture": first]))
    #expect(try vault.recorded { try store.query.update(set: ["picture": Data.picture(1)]) } == [])
    #expect(
      try vault.recorded { try store.query.update(set: ["picture": Data.picture(2)]) }
        == ["updated 1 picture"])
  }

  @Test("records nothing of what is rolled back", .covers("H1"))
  func undone() throws {
    struct Stop: Error {}
    try vault.transaction {
      try ledgers.insert(Ledger("a"))
      try? vault.transaction {
        try ledgers.insert(Ledger("b"))
        throw Stop()
      }
    }
    try? vault.transaction {
      try ledgers.removeAll()
      throw Stop()
    }
    #expect(try vault.recorded() == ["inserted 1"])
  }

  @Test("records the changes of each partition and of every handle", .covers("H1"))
  func partitions() throws {
    let ann = try ledgers.partition("name", is: "ann")
    #expect(try vault.recorded { try ann.insert(Ledger("ann", age: 1)) } == ["inserted 1"])
    try ledgers.insert(Ledger("bo"))
    #expect(try vault.recorded { try ann.removeAll() } == ["removed 1"])
    let other = try test.another()
    #expect(
      try vault.recorded { try other.store(of: Ledger.self).insert(Ledger("c")) } == ["inserted 3"])
  }

  @Test("is the only one with the tables and triggers of a history", .covers("H9"))
  func costs() throws {
    let other = try TestVault()
    let plain = other.vault
    try plain.store(of: .ledgers(history: .none)).insert(
      DynamicObject(of: .ledgers(history: .none), ["name": .text("a"), "age": .integer(1)]))
    #expect(
      try plain.value(
        "SELECT count(*) FROM sqlite_master WHERE name LIKE '%history%' OR type = 'trigger'",
        as: Int.self) == 0)
    #expect(try plain.changes(since: nil).changes == [])
    #expect(try plain.recorded(since: plain.historyPosition()) == [])
    #expect(try plain.pruneHistory(keeping: 0) == 0)
    #expect(code { _ = try plain.recorded(of: "Ledger") } == .invalidArgument)
  }
}

extension Ledger {
  fileprivate func with(age: Int) -> Ledger {
    var other = self
    other.age = age
    return other
  }

  fileprivate func with(id: Int64) -> Ledger {
    var other = self
    other.objectID = id
    return other
  }
}
