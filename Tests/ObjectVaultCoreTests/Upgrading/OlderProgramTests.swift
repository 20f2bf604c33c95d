import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

private func book(_ pages: PropertyType, version: Int = 1) -> ClassDescription {
  ClassDescription(
    "Book",
    properties: [
      PropertyDescription("title", String.self), PropertyDescription("pages", type: pages),
    ], version: version)
}

private func book(
  _ title: String, _ pages: StoredValue, _ description: ClassDescription
) throws -> DynamicObject {
  var object = try DynamicObject(of: description)
  try object.set("title", to: .text(title))
  try object.set("pages", to: pages)
  return object
}

/// A store of one form of a class, made before another handle changed the class.
private struct OldStore {
  let test: TestVault
  let old: ClassDescription
  let store: ObjectStore<DynamicObject>
  let stored: DynamicObject

  init(_ old: ClassDescription = book(.string), _ pages: StoredValue = .text("1")) throws {
    self.old = old
    test = try TestVault()
    store = try test.vault.store(of: old)
    try store.insert(contentsOf: [book("a", pages, old), book("b", pages, old)])
    stored = try #require(try store.find(DynamicObjectID(.integer(1))))
  }

  func new(_ title: String = "c") throws -> DynamicObject { try book(title, .text("x"), old) }

  /// Every way to write by the store.
  func writes() throws -> [WayToWrite] { try store.waysToWrite(stored, new(), changing: "title") }

  func rows() throws -> [[StoredValue]] { try test.rows("SELECT * FROM Book ORDER BY 1") }
}

@Suite("An older program that has the vault open") struct OlderProgramTests {
  @Test("writes no object of a class that a newer version of it changed", .covers("J17", "P25"))
  func newerVersion() throws {
    let old = try OldStore()
    // Every statement was compiled before.
    for (_, write) in try old.writes() {
      _ = try old.test.vault.attempt {
        try write()
        return false
      }
    }
    try old.store.update(old.stored)
    _ = try old.test.another().store(of: book(.int, version: 2))
    let rows = try old.rows()
    for (name, write) in try old.writes() {
      #expect(code(of: write) == .newerSchema, "\(name)")
      try old.test.vault.transaction {
        #expect(code(of: write) == .newerSchema, "\(name) in a transaction")
      }
    }
    #expect(try old.rows() == rows)
    #expect(try old.store.count() == 2)
    // A handle made afterwards is of the same program.
    let fresh = try old.test.another()
    #expect(code { _ = try fresh.store(of: old.old) } == .newerSchema)
  }

  @Test("writes no object of a class whose version alone changed, or a type stored in the same way")
  func sameTable() throws {
    for (new, expected) in [
      (book(.string, version: 2), VaultError.Code.newerSchema), (book(.uuid), .schemaMismatch),
    ] {
      let id = StoredValue.text("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
      let old = try OldStore(book(.string), id)
      for _ in 1...2 {
        try old.store.insert(old.new())
        try old.store.update(old.stored)
        try old.store.remove(try #require(try old.store.all().last))
      }
      _ = try old.test.another().store(of: new)
      let rows = try old.rows()
      for (name, write) in try old.writes() {
        #expect(code(of: write) == expected, "\(name)")
        try old.test.vault.transaction {
          #expect(code(of: write) == expected, "\(name) in a transaction")
        }
      }
      #expect(try old.rows() == rows)
    }
  }

  @Test("and its fresh handle does not either", .covers("J17", "P25"))
  func freshHandle() throws {
    let old = try OldStore()
    _ = try old.test.another().store(of: book(.int, version: 2))
    let error = code {
      try old.test.another().store(of: old.old).insert(old.new())
    }
    #expect(error == .newerSchema)
  }

  @Test("writes no values of a type that a column has no more")
  func otherType() throws {
    let old = try OldStore()
    try old.store.update(old.stored)
    _ = try old.test.another().store(of: book(.int))
    let rows = try old.rows()
    for (name, write) in try old.writes() {
      #expect(code(of: write) == .schemaMismatch, "\(name)")
    }
    #expect(try old.rows() == rows)
  }

  @Test("writes no values of another type that is stored in the same way")
  func otherTypeOfColumn() throws {
    let old = try OldStore(book(.string), .text("6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    _ = try old.test.another().store(of: book(.uuid))
    #expect(code { try old.store.insert(old.new()) } == .schemaMismatch)
    #expect(try old.rows().count == 2)
  }

  @Test("goes on where the class has only gained what it need not know")
  func addition() throws {
    let old = try OldStore()
    var more = book(.string)
    more.properties.append(PropertyDescription("note", String?.self))
    _ = try old.test.another().store(of: more)
    try old.store.insert(old.new())
    try old.store.update(old.stored)
    #expect(try old.rows().count == 3)
  }

  @Test("goes on once the change was undone, and in the transaction that undoes it")
  func undone() throws {
    let old = try OldStore()
    var more = book(.string, version: 2)
    more.properties.append(PropertyDescription("note", String?.self))
    try old.test.vault.transaction {
      _ = try old.test.vault.attempt {
        _ = try old.test.vault.store(of: more)
        #expect(code { try old.store.update(old.stored) } == .newerSchema)
        return false
      }
      try old.store.update(old.stored)
    }
    try old.store.insert(old.new())
    #expect(try old.rows().count == 3)
  }

  @Test("does not create the table again that a newer program renamed", .covers("J17"))
  func renamedClass() throws {
    let team = ClassDescription("Team", properties: [.init("name", String.self)])
    func club(version: Int) -> ClassDescription {
      ClassDescription(
        "Club", properties: team.properties, version: version, renamedFrom: ["Team"])
    }
    let vault = try ChangingVault()
    try vault.insert(team, [.text("a")])
    try vault.install([club(version: 2)])
    let before = try vault.schema()
    let error = #expect(throws: VaultError.self) { _ = try vault.vault.store(of: team) }
    #expect(error?.code == .newerSchema)
    #expect(error?.message.contains("'Club'") == true, "\(error?.message ?? "")")
    #expect(try vault.schema() == before)
    #expect(try vault.vault.store(of: club(version: 2)).count() == 1)
    // Another class can have the name: in the newer program, or with the version of that.
    var other = team
    #expect(try vault.vault.store(of: other, with: [club(version: 2)]).count() == 0)
    try vault.vault.removeStore(named: "Team")
    other.version = 2
    #expect(try vault.vault.store(of: other).count() == 0)
    let unversioned = try ChangingVault()
    try unversioned.insert(team, [.text("a")])
    try unversioned.install([club(version: 1)])
    #expect(try unversioned.vault.store(of: team).count() == 0)
  }

  @Test("does not hide the objects of a renamed class behind those of a former class")
  func takenName() throws {
    func named(_ name: String, from former: [String] = []) -> ClassDescription {
      ClassDescription(
        name, properties: [.init("name", String.self)], renamedFrom: former)
    }
    let vault = try ChangingVault()
    try vault.insert(named("Note"), [.text("old")])
    try vault.insert(named("Memo"), [.text("a")], [.text("b")])
    let before = try vault.schema()
    let renamed = named("Note", from: ["Memo"])
    let error = #expect(throws: VaultError.self) { _ = try vault.vault.store(of: renamed) }
    #expect(error?.code == .upgradeRefused)
    #expect(error?.message.contains("class 'Memo' in table 'Memo'") == true)
    let exchange = [renamed, named("Memo", from: ["Note"])]
    #expect(code { try vault.install(exchange) } == .upgradeRefused)
    #expect(try vault.schema() == before)
    try vault.vault.removeStore(named: "Note")
    #expect(try vault.vault.store(of: renamed).count() == 2)
    // An older program that creates the former table again does not stop this one.
    try vault.insert(named("Memo"), [.text("c")])
    let next = named("Note", from: ["Memo", "Notice"])
    #expect(try vault.vault.store(of: next).count() == 2)
  }

  @Test("looks at the schema no more than once while it stays as it is")
  func statements() throws {
    let old = try OldStore()
    let new = try old.new()
    // The first write in a transaction compiles what the next ones run.
    for _ in 1...3 { try old.store.insert(new) }
    let statements = try old.test.statements {
      for _ in 1...3 { try old.store.insert(new) }
    }
    #expect(statements.count { $0.hasPrefix("INSERT") } == 3, "\(statements)")
    #expect(!statements.contains { $0.contains("schema_version") }, "\(statements)")
    #expect(!statements.contains { $0.contains("objectvault_classes") }, "\(statements)")
    // The first transaction of a connection makes its temporary tables.
    try old.test.vault.transaction { for _ in 1...3 { try old.store.insert(new) } }
    let several = try old.test.statements {
      try old.test.vault.transaction { for _ in 1...3 { try old.store.insert(new) } }
    }
    #expect(several.filter { $0.contains("schema_version") }.count == 1)
    #expect(!several.contains { $0.contains("objectvault_classes") })
  }
}
