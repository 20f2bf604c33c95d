import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

@testable import ObjectVaultStores

/// A file with tables of nodes: each has a generated objectID and references to others.
private struct Graph {
  let test: TestVault
  let stores: [String: ObjectStore<DynamicObject>]

  init(_ classes: ClassDescription...) throws {
    test = try TestVault()
    var stores: [String: ObjectStore<DynamicObject>] = [:]
    for description in classes {
      stores[description.table] = try test.vault.store(
        of: description, with: classes.filter { $0 != description })
    }
    self.stores = stores
  }

  func store(_ table: String) throws -> ObjectStore<DynamicObject> { try #require(stores[table]) }

  /// Inserts rows whose references come later, too: each row is its objectID and what it refers to.
  func fill(_ table: String, _ rows: [(Int64, [Int64?])]) throws {
    let description = try store(table).classDescription
    let columns = [ClassDescription.generatedIDColumn] + description.properties.map(\.column)
    let sql =
      "INSERT INTO \(SQL.quoted(table)) (\(SQL.list(columns))) VALUES (\(SQL.parameters(columns.indices)))"
    try test.vault.file().transaction { session in
      try session.deferringReferences(true) {
        try session.with(sql) { statement in
          for (id, references) in rows {
            let binder = statement.binder
            binder.bind(integer: id, at: 0)
            for (place, reference) in references.enumerated() {
              if let reference {
                binder.bind(integer: reference, at: place + 1)
              } else {
                binder.bindNull(at: place + 1)
              }
            }
            try statement.run()
          }
        }
      }
    }
  }

  func fill(_ tables: (name: String, rows: [(Int64, [Int64?])])...) throws {
    try test.vault.transaction(deferringReferences: true) {
      for table in tables { try fill(table.name, table.rows) }
    }
  }

  /// The objectIDs of a table's rows.
  func ids(_ table: String) throws -> [Int64] {
    try test.rows("SELECT \"objectID\" FROM \(SQL.quoted(table)) ORDER BY 1").compactMap {
      if case .integer(let id) = $0[0] { id } else { nil }
    }
  }

  func id(_ number: Int64) -> DynamicObjectID { DynamicObjectID(.integer(number)) }

  /// Nothing refers to what is not there, whatever the engine was told.
  func check() throws {
    #expect(try test.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(try test.rows("PRAGMA integrity_check") == [[.text("ok")]])
  }
}

@Suite("A removal") struct CascadeTests {
  @Test("takes object IDs from a sequence that itself asks for deletion plans")
  func sequences() throws {
    let test = try TestVault()
    let branches = try test.vault.store(of: Branch.self)
    try branches.insert(contentsOf: (1...5).map { Branch($0) })
    let odd = [1, 2, 3, 4, 5].lazy.map(Int64.init).filter { id in
      id % 2 == 1 && (try? branches.deletionPlan(ids: [id]).isAllowed) == true
    }
    #expect(try branches.deletionPlan(ids: odd).removed == 3)
    let objects = odd.lazy.map { Branch($0) }
    #expect(code { try branches.remove(contentsOf: [Branch(9)]) } == .noSuchObject)
    try branches.remove(contentsOf: objects)
    #expect(try branches.all().map(\.objectID) == [2, 4])
    let even = [2, 4].lazy.map(Int64.init).filter { id in
      id > 2 && (try? branches.deletionPlan(ids: [id]).isAllowed) == true
    }
    try branches.remove(ids: even)
    #expect(try branches.all().map(\.objectID) == [2])
  }

  @Test("one level down is the engine's own cascade, in one statement", .covers("J58"))
  func oneLevel() throws {
    let graph = try Graph(node("A"), node("B", ("a", "A", .cascade)))
    try graph.fill(("A", [(1, []), (2, [])]), ("B", [(1, [1]), (2, [1]), (3, [2]), (4, [nil])]))
    let statements = try graph.test.statements { try graph.store("A").remove(id: graph.id(1)) }
    #expect(statements.filter { $0.hasPrefix("DELETE") }.count == 1)
    #expect(!statements.contains { $0.hasPrefix("BEGIN") && !$0.contains("IMMEDIATE") })
    #expect(try graph.ids("A") == [2] && graph.ids("B") == [3, 4])
    try graph.check()
  }

  @Test(
    "goes down every level, by object, objectIDs, condition and all, and nothing else goes",
    .covers("S65", "J42", "J58", "J59", "J60"), arguments: ["object", "ids", "condition", "all"])
  func levels(way: String) throws {
    let graph = try Graph(
      node("A"), node("B", ("a", "A", .cascade)), node("C", ("b", "B", .cascade)),
      node("D", ("c", "C", .cascade), ("other", "A", .nullify)))
    try graph.fill(
      ("A", [(1, []), (2, [])]), ("B", [(1, [1]), (2, [2]), (3, [nil])]),
      ("C", [(1, [1]), (2, [2]), (3, [3])]),
      ("D", [(1, [1, 2]), (2, [2, 1]), (3, [3, 1]), (4, [nil, 2])]))
    let store = try graph.store("A")
    switch way {
    case "object": try store.remove(try #require(try store.find(graph.id(1))))
    case "ids": try store.remove(ids: [graph.id(1)])
    case "condition": #expect(try store.where("objectID == 1").remove() == 1)
    default: #expect(try store.removeAll() == 2)
    }
    let all = way == "all"
    #expect(try graph.ids("A") == (all ? [] : [2]))
    #expect(try graph.ids("B") == (all ? [3] : [2, 3]))
    #expect(try graph.ids("C") == (all ? [3] : [2, 3]))
    #expect(try graph.ids("D") == (all ? [3, 4] : [2, 3, 4]))
    #expect(
      try graph.test.rows("SELECT \"other\" FROM \"D\" ORDER BY 1")
        == (all ? [[.null], [.null]] : [[.null], [.null], [.integer(2)]]))
    try graph.check()
  }

  @Test("follows diamonds, circles and references to itself", .covers("J58"))
  func shapes() throws {
    let diamond = try Graph(
      node("A"), node("B", ("a", "A", .cascade)), node("C", ("a", "A", .cascade)),
      node("D", ("b", "B", .cascade), ("c", "C", .cascade)))
    try diamond.fill(
      ("A", [(1, []), (2, [])]), ("B", [(1, [1]), (2, [2])]), ("C", [(1, [1]), (2, [2])]),
      ("D", [(1, [1, 1]), (2, [1, 2]), (3, [2, 1]), (4, [2, 2])]))
    try diamond.store("A").remove(id: diamond.id(1))
    #expect(try diamond.ids("D") == [4])
    try diamond.check()

    let circle = try Graph(
      node("A", ("c", "C", .cascade)), node("B", ("a", "A", .cascade)),
      node("C", ("b", "B", .cascade)))
    try circle.fill(
      ("A", [(1, [2]), (2, [1]), (3, [3])]), ("B", [(1, [1]), (2, [2]), (3, [3])]),
      ("C", [(1, [1]), (2, [2]), (3, [3])]))
    try circle.store("B").remove(id: circle.id(1))
    for table in ["A", "B", "C"] { #expect(try circle.ids(table) == [3]) }
    try circle.check()
    try circle.store("A").removeAll()
    for table in ["A", "B", "C"] { #expect(try circle.ids(table).isEmpty) }

    let own = try Graph(node("N", ("parent", "N", .cascade), ("twin", "N", .cascade)))
    try own.fill(
      "N",
      [
        (1, [1, nil]), (2, [1, 4]), (3, [nil, 2]), (4, [3, nil]), (5, [nil, nil]), (6, [5, 5]),
      ])
    try own.store("N").remove(id: own.id(3))
    #expect(try own.ids("N") == [1, 5, 6])
    try own.check()
  }

  @Test("cuts circles whose references must have a value")
  func requiredCircle() throws {
    let graph = try Graph(
      node("A", ("b", "B", .cascade), required: true),
      node("B", ("a", "A", .cascade), required: true))
    let count = Int64(3000)
    try graph.fill(
      ("A", (1...count).map { ($0, [$0 % count + 1]) }), ("B", (1...count).map { ($0, [$0]) }))
    try graph.fill(("A", [(9001, [9001])]), ("B", [(9001, [9001])]))
    try graph.store("A").remove(id: graph.id(1))
    #expect(try graph.ids("A") == [9001] && graph.ids("B") == [9001])
    try graph.check()
  }

  @Test("has no limit of depth: a chain of 100,000", .covers("J58"))
  func depth() throws {
    let graph = try Graph(node("N", ("parent", "N", .cascade)), node("M", ("n", "N", .cascade)))
    let count = Int64(100_000)
    try graph.fill("N", (1...count).map { ($0, [$0 == 1 ? nil : $0 - 1]) } + [(count + 1, [nil])])
    try graph.fill("M", [(1, [count]), (2, [count + 1])])
    // The first write compares the classes with the file, which takes statements of its own.
    #expect(try graph.store("N").where("objectID < 0").remove() == 0)
    let statements = try graph.test.statements { try graph.store("N").remove(id: graph.id(1)) }
    #expect(statements.count < 40, "\(statements)")
    #expect(try graph.ids("N") == [count + 1] && graph.ids("M") == [2])
    try graph.check()
  }

  @Test("of a whole class has no limit of depth either", .covers("J58"))
  func depthOfClass() throws {
    let graph = try Graph(node("N", ("parent", "N", .cascade)))
    try graph.fill("N", (1...5_000).map { ($0, [$0 == 1 ? nil : $0 - 1]) })
    try graph.test.vault.removeStore(named: "N")
    #expect(try graph.test.vault.verify().isSound)
  }

  @Test(
    "deny forbids it where the object that denies would remain, and names it",
    .covers("S65", "J58"))
  func denied() throws {
    let graph = try Graph(
      node("A"), node("B", ("a", "A", .cascade)), node("C", ("b", "B", .deny), ("a", "A", .cascade))
    )
    try graph.fill(
      ("A", [(1, []), (2, []), (3, [])]), ("B", [(1, [1]), (2, [2])]),
      // The first goes with A 1; the others stay, and deny that B 2 goes with A 2.
      ("C", [(1, [1, 1]), (12, [2, nil]), (14, [2, 3]), (17, [2, 1])]))
    try graph.store("A").remove(id: graph.id(1))
    #expect(try graph.ids("C") == [12, 14] && graph.ids("B") == [2])
    let error = #expect(throws: VaultError.self) { try graph.store("A").remove(id: graph.id(2)) }
    #expect(error?.code == .removalDenied)
    let text = error?.message ?? ""
    for part in ["'B'", "2 objects", "'C'", "objects 12 and 14", "'b'"] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(try graph.ids("A") == [2, 3] && graph.ids("B") == [2])
    // Together with the object that denies it, it may go: also by removing all.
    try graph.store("C").remove(id: graph.id(12))
    #expect(try graph.store("A").removeAll() == 2)
    #expect(try graph.ids("B").isEmpty && graph.ids("C").isEmpty)
    try graph.check()
  }

  @Test("deny names objects by when they were inserted where their objectIDs are values")
  func deniedByValues() throws {
    let test = try TestVault()
    let rooms = try test.vault.store(of: Classroom.self)
    try rooms.insert(contentsOf: [Classroom("1a"), Classroom("1b")])
    for (table, type) in [("Lease", PropertyType.string), ("Loan", .int)] {
      let description = ClassDescription(
        table, properties: [.init("id", type: type), .init("room", type: .string)],
        objectID: ["id"],
        references: [.init("room", target: "Classroom", targetColumns: ["name"], onDelete: .deny)])
      let store = try test.vault.store(of: description)
      for (id, room) in [(4711, "1b"), (4712, "1a"), (4713, "1b"), (4714, "1a")] {
        var object = try DynamicObject(of: description)
        try object.set("id", to: type == .int ? .integer(Int64(id)) : .text("\(id)"))
        try object.set("room", to: .text(room))
        try store.insert(object)
      }
      let text = message { try rooms.remove(id: "1a") }
      #expect(!text.contains("471"), "\(text)")
      #expect(text.contains("the 2nd and 4th objects by insertion"), "\(text)")
      try test.vault.removeStore(named: table)
    }
    #expect(try rooms.count() == 2)
  }

  @Test("noAction fails where a reference would be left, unless the transaction says so")
  func noAction() throws {
    let graph = try Graph(node("A"), node("B", ("a", "A", .noAction)))
    try graph.fill(("A", [(1, []), (2, [])]), ("B", [(1, [1])]))
    let (first, second) = (try graph.store("A"), try graph.store("B"))
    #expect(code { try first.remove(id: graph.id(1)) } == .danglingReference)
    #expect(code { try first.removeAll() } == .danglingReference)
    try graph.test.vault.transaction {
      #expect(code { try first.remove(id: graph.id(1)) } == .danglingReference)
      try first.remove(id: graph.id(2))
    }
    #expect(try graph.ids("A") == [1])
    try graph.test.vault.transaction(deferringReferences: true) {
      try first.remove(id: graph.id(1))
      try second.removeAll()
    }
    #expect(try graph.ids("A").isEmpty)
    try graph.fill(("A", [(5, [])]), ("B", [(5, [5])]))
    #expect(
      code {
        try graph.test.vault.transaction(deferringReferences: true) {
          try first.remove(id: graph.id(5))
        }
      } == .danglingReference)
    #expect(try graph.ids("A") == [5])
  }

  @Test("fails wholly: for one objectID of many that is not stored, and inside a transaction")
  func atomic() throws {
    let graph = try Graph(
      node("A"), node("B", ("a", "A", .cascade)), node("C", ("b", "B", .cascade)),
      node("D", ("c", "C", .deny)))
    try graph.fill(
      ("A", [(1, []), (2, [])]), ("B", [(1, [1]), (2, [2])]), ("C", [(1, [1]), (2, [2])]),
      ("D", [(1, [2])]))
    let store = try graph.store("A")
    #expect(code { try store.remove(ids: [graph.id(1), graph.id(9)]) } == .noSuchObject)
    #expect(code { try store.remove(id: graph.id(9)) } == .noSuchObject)
    #expect(code { try store.remove(ids: [graph.id(1), graph.id(2)]) } == .removalDenied)
    try graph.test.vault.transaction {
      #expect(code { try store.remove(ids: [graph.id(1), graph.id(2)]) } == .removalDenied)
      try store.insert(DynamicObject(of: store.classDescription))
    }
    #expect(try graph.ids("A") == [1, 2, 3] && graph.ids("C") == [1, 2])
    try graph.test.vault.transaction {
      try store.remove(id: graph.id(1))
      #expect(try graph.ids("C") == [2])
    }
    #expect(try graph.ids("A") == [2, 3])
    try graph.check()
  }

  @Test("of tables that other programs made goes by their foreign keys")
  func foreign() throws {
    let test = try TestVault()
    try test.execute(
      "CREATE TABLE a (id TEXT PRIMARY KEY) WITHOUT ROWID",
      "CREATE TABLE b (x TEXT, y INT, a TEXT REFERENCES a ON DELETE CASCADE, PRIMARY KEY (x, y)) WITHOUT ROWID",
      "CREATE TABLE c (id INTEGER PRIMARY KEY, x TEXT, y INT, parent INT REFERENCES c (id) ON DELETE CASCADE, FOREIGN KEY (x, y) REFERENCES b ON DELETE CASCADE)",
      "CREATE TABLE d (id INTEGER PRIMARY KEY, c INT REFERENCES C ON DELETE RESTRICT)",
      "INSERT INTO a VALUES ('1'), ('2')", "INSERT INTO b VALUES ('x', 1, '1'), ('x', 2, '2')",
      "INSERT INTO c VALUES (1, 'x', 1, NULL), (2, NULL, NULL, 1), (3, 'x', 2, NULL)",
      "INSERT INTO d VALUES (7, 3)")
    let store = try test.vault.store(named: "a")
    #expect(
      try store.deletionPlan(ids: [DynamicObjectID(.text("1"))])
        == DeletionPlan(entries: [
          .init(className: "a", table: "a", removed: 1, nullified: 0, denying: 0),
          .init(className: "b", table: "b", removed: 1, nullified: 0, denying: 0),
          .init(className: "c", table: "c", removed: 2, nullified: 0, denying: 0),
        ]))
    try store.remove(id: DynamicObjectID(.text("1")))
    #expect(try test.rows("SELECT id FROM c") == [[.integer(3)]])
    #expect(try test.count("b") == 1)
    #expect(code { try store.removeAll() } == .removalDenied)
    #expect(try test.count("a") == 1)
  }

  @Test("includes a row whose RESTRICT refers to another removed row")
  func restrictWithin() throws {
    let test = try TestVault()
    try test.execute(
      "CREATE TABLE a (id INTEGER PRIMARY KEY)",
      "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a ON DELETE CASCADE, next INTEGER REFERENCES b ON DELETE RESTRICT)",
      "INSERT INTO a VALUES (1), (2)", "INSERT INTO b VALUES (1, 1, NULL), (2, 1, 1), (3, 2, 2)")
    let store = try test.vault.store(named: "a")
    let id = DynamicObjectID(.integer(1))
    #expect(code { try store.remove(id: id) } == .removalDenied)
    try test.execute("UPDATE b SET next = NULL WHERE id = 3")
    #expect(try store.deletionPlan(ids: [id]).isAllowed)
    try store.remove(id: id)
    #expect(try test.rows("SELECT id FROM b") == [[.integer(3)]])
  }

  @Test("of tables with rowids and of tables without them may follow each other")
  func withAndWithoutRowIDs() throws {
    let test = try TestVault()
    try test.execute(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, a INT REFERENCES a ON DELETE CASCADE)",
      "CREATE TABLE b (id TEXT PRIMARY KEY, b TEXT REFERENCES b ON DELETE CASCADE) WITHOUT ROWID",
      "CREATE TABLE c (id TEXT PRIMARY KEY, c TEXT REFERENCES c ON DELETE CASCADE) WITHOUT/**/ROWID",
      "INSERT INTO a VALUES (1, NULL), (2, 1)", "INSERT INTO b VALUES ('x', NULL), ('y', 'x')",
      "INSERT INTO c VALUES ('x', NULL), ('y', 'x')")
    let (a, b) = (try test.vault.store(named: "a"), try test.vault.store(named: "b"))
    let c = try test.vault.store(named: "c")
    try test.vault.transaction {
      try a.remove(id: DynamicObjectID(.integer(1)))
      try b.remove(id: DynamicObjectID(.text("x")))
      try c.remove(id: DynamicObjectID(.text("x")))
    }
    #expect(try test.count("a") == 0 && test.count("b") == 0 && test.count("c") == 0)
  }

  @Test(
    "removes a circle with every object that refers to it, also if references are deferred",
    arguments: [false, true])
  func everyReference(isDeferring: Bool) throws {
    let test = try TestVault()
    let deferred = "DEFERRABLE INITIALLY DEFERRED"
    try test.execute(
      "CREATE TABLE p (id TEXT PRIMARY KEY, up TEXT NOT NULL REFERENCES p ON DELETE CASCADE \(deferred), q INTEGER REFERENCES q \(deferred))",
      "CREATE TABLE q (id INTEGER PRIMARY KEY, p TEXT REFERENCES p ON DELETE CASCADE \(deferred))",
      "INSERT INTO p VALUES ('a', 'a', NULL)", "INSERT INTO q VALUES (1, 'a')",
      "INSERT INTO p VALUES ('b', 'a', 1)")
    let (p, q) = (try test.vault.store(named: "p"), try test.vault.store(named: "q"))
    var other = try DynamicObject(of: q.classDescription)
    try other.set("id", to: .integer(2))
    try test.vault.transaction(deferringReferences: isDeferring) {
      try p.remove(id: DynamicObjectID(.text("a")))
      // The rest of the transaction can store objects.
      try q.insert(other)
    }
    #expect(try test.count("p") == 0)
    #expect(try test.rows("SELECT * FROM q") == [[.integer(2), .null]])
  }

  @Test("its plan counts beforehand what it would do to each class", .covers("J58"))
  func plan() throws {
    let graph = try Graph(
      node("A"), node("B", ("a", "A", .cascade)), node("C", ("b", "B", .deny)),
      node("D", ("b", "B", .nullify)), node("E", ("a", "A", .noAction)))
    try graph.fill(
      ("A", [(1, []), (2, []), (3, [])]), ("B", [(1, [1]), (2, [1]), (3, [2])]),
      ("C", [(1, [1])]), ("D", [(1, [1]), (2, [2]), (3, [3])]), ("E", [(1, [2])]))
    let store = try graph.store("A")
    let statements = try graph.test.statements {
      let plan = try store.deletionPlan(ids: [graph.id(1)])
      #expect(
        plan.entries == [
          .init(className: "A", table: "A", removed: 1, nullified: 0, denying: 0),
          .init(className: "B", table: "B", removed: 2, nullified: 0, denying: 0),
          .init(className: "D", table: "D", removed: 0, nullified: 2, denying: 0),
          .init(className: "C", table: "C", removed: 0, nullified: 0, denying: 1),
        ])
      #expect(!plan.isAllowed && plan.removed == 3)
    }
    #expect(statements.isEmpty)
    #expect(try store.where("objectID == 2").deletionPlan().entries.last?.denying == 1)
    let last = try store.deletionPlan(of: try #require(try store.find(graph.id(3))))
    #expect(last.isAllowed && last.removed == 1)
    #expect(try store.deletionPlan().removed == 6)
    #expect(code { _ = try store.deletionPlan(ids: [graph.id(9)]) } == .noSuchObject)
    #expect(try store.count() == 3)
  }

  @Test("its plan can be asked for without blocking a thread, and on a file open for reading only")
  func planElsewhere() async throws {
    let graph = try Graph(node("A"), node("B", ("a", "A", .cascade)))
    try graph.fill(("A", [(1, []), (2, [])]), ("B", [(1, [1]), (2, [1])]))
    let store = try graph.store("A")
    let object = try #require(try await store.find(graph.id(1)))
    #expect(try await onOwnThread { try store.deletionPlan(of: object).removed } == 3)
    #expect(try await onOwnThread { try store.deletionPlan(ids: [graph.id(2)]).removed } == 1)
    #expect(try await onOwnThread { try store.deletionPlan().removed } == 4)
    graph.test.vault.close()
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let vault = try graph.test.another(configuration)
    #expect(try await onOwnThread { try vault.store(named: "A").query.deletionPlan().removed } == 4)
  }

  @Test("of 5,000 owners with 20,000 owned through three levels takes one statement for each class")
  func statementCount() throws {
    let graph = try Graph(
      node("A"), node("B", ("a", "A", .cascade)), node("C", ("b", "B", .cascade)),
      node("D", ("c", "C", .cascade)))
    let count = Int64(5_000)
    try graph.fill(
      ("A", (1...count).map { ($0, []) }), ("B", (1...count).map { ($0, [$0]) }),
      ("C", (1...count).map { ($0, [$0]) }), ("D", (1...2 * count).map { ($0, [$0 % count + 1]) }))
    // The first write compares the classes with the file, which takes statements of its own.
    #expect(try graph.store("A").where("objectID < 0").remove() == 0)
    var removed = 0
    let statements = try graph.test.statements {
      removed = try graph.store("A").where("objectID > 0").remove()
    }
    #expect(removed == 5_000)
    let deletes = statements.filter { $0.hasPrefix("DELETE FROM \"") }
    #expect(deletes.count == 4 && Set(deletes).count == 4, "\(deletes)")
    // A transaction that only reads decides how to remove; the other one removes.
    let bounds = statements.filter { $0.hasPrefix("BEGIN") || $0 == "COMMIT" }
    #expect(bounds.count <= 4, "\(statements)")
    #expect(statements.filter { $0.hasPrefix("INSERT") }.count == 4)
    for table in ["A", "B", "C", "D"] { #expect(try graph.ids(table).isEmpty) }
  }
}
