import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import TestSupport
import Testing

@Suite("Properties of which one gets the name that another one gives up")
struct SwappedNameTests {
  private static let both: [PropertyDescription] = [
    .init("a", String?.self), .init("b", String?.self),
  ]
  private static let swapped: [PropertyDescription] = [
    .init("a", String?.self, renamedFrom: ["b"]), .init("b", String?.self, renamedFrom: ["a"]),
  ]

  private func item(
    _ properties: [PropertyDescription], indexes: [IndexDescription] = [],
    search: SearchDescription? = nil, options: TableOptions = TableOptions()
  ) -> ClassDescription {
    ClassDescription(
      "Item", properties: properties, indexes: indexes, search: search, options: options)
  }

  // MARK: References

  private func team(by key: String) -> ClassDescription {
    ClassDescription(
      "Team", properties: [.init("rank", Int64.self)], objectID: key == "rank" ? ["rank"] : [])
  }

  private func player(_ properties: [PropertyDescription], by key: String) -> ClassDescription {
    ClassDescription(
      "Player", properties: properties,
      references: ["first", "second"].map {
        ReferenceDescription($0, target: "Team", targetColumns: [key])
      })
  }

  @Test("follow the references to a new object ID that they were before")
  func references() throws {
    let vault = try ChangingVault()
    let properties: [PropertyDescription] = [
      .init("first", Int64?.self), .init("second", Int64?.self),
    ]
    try vault.install([team(by: "objectID"), player(properties, by: "objectID")])
    try vault.insert(team(by: "objectID"), [.integer(30)], [.integer(10)], [.integer(20)])
    try vault.insert(player(properties, by: "objectID"), [.integer(1), .integer(2)])
    let swapped: [PropertyDescription] = [
      .init("first", Int64?.self, renamedFrom: ["second"]),
      .init("second", Int64?.self, renamedFrom: ["first"]),
    ]
    try vault.install([team(by: "rank"), player(swapped, by: "rank")])
    #expect(
      try vault.rows("SELECT first, second FROM Player") == [[.integer(10), .integer(30)]])
    #expect(try vault.rows("PRAGMA foreign_key_check") == [])
    let before = try vault.schema()
    try vault.install([team(by: "rank"), player(swapped, by: "rank")])
    #expect(try vault.schema() == before)
  }

  @Test("are the object ID that references still lead to, under its new values")
  func objectID() throws {
    func team(_ properties: [PropertyDescription]) -> ClassDescription {
      ClassDescription("Team", properties: properties, objectID: ["code"])
    }
    let player = ClassDescription(
      "Player", properties: [.init("team", String?.self)],
      references: [ReferenceDescription("team", target: "Team", targetColumns: ["code"])])
    let former = team([.init("code", String.self), .init("name", String.self)])
    let vault = try ChangingVault()
    try vault.install([former, player])
    // The values of both columns are the same, so that a wrong reference leads to another object.
    try vault.insert(former, [.text("x"), .text("y")], [.text("y"), .text("x")])
    try vault.insert(player, [.text("x")])
    let present = team([
      .init("code", String.self, renamedFrom: ["name"]),
      .init("name", String.self, renamedFrom: ["code"]),
    ])
    try vault.install([present, player])
    #expect(
      try vault.rows("SELECT name FROM Player JOIN Team ON team = code") == [[.text("x")]])
    let keys = try vault.vault.file().read {
      try Schema(on: $0).foreignKeys(of: "Player", player)
    }
    #expect(keys.map(\.targetColumns) == [["code"]])
    #expect(try vault.rows("PRAGMA foreign_key_check") == [])
    let before = try vault.schema()
    try vault.install([present, player])
    #expect(try vault.schema() == before)
  }

  @Test("have their own values after each of several exchanges of their columns")
  func repeatedExchange() throws {
    func rotated(_ columns: [String], from former: [String]?) -> ClassDescription {
      item(
        ["x", "y", "z"].indices.map { index in
          PropertyDescription(
            ["x", "y", "z"][index], String?.self, column: columns[index],
            renamedFrom: former.map { [$0[index]] } ?? [])
        })
    }
    let vault = try ChangingVault()
    var columns = ["a", "b", "c"]
    try vault.insert(rotated(columns, from: nil), [.text("1"), .text("2"), .text("3")])
    let (swap, rotation) = ([1, 0, 2], [1, 2, 0])
    for exchange in [swap, swap, swap, rotation, rotation, rotation, [2, 1, 0]] {
      let former = columns
      columns = exchange.map { former[$0] }
      let present = rotated(columns, from: former)
      for _ in 0..<2 {
        try vault.install([present])
        let object = try #require(try vault.vault.store(of: present).first())
        let values = try ["x", "y", "z"].map { try object.value(of: $0) }
        #expect(values == ["1", "2", "3"].map { .text($0) }, "\(former) to \(columns)")
      }
    }
  }

  // MARK: Features

  @Test("share the contents of the property that is shared now", arguments: [false, true])
  func shared(isRemoved: Bool) throws {
    let test = try TestVault()
    let (first, second) = (Data.picture(1), Data.picture(2))
    let former = item([
      PropertyDescription("a", Data?.self).shared(), PropertyDescription("b", Data?.self),
    ])
    try test.vault.store(of: former).insert(
      DynamicObject(of: former, ["a": .blob([UInt8](first)), "b": .blob([UInt8](second))]))
    let b = PropertyDescription("b", Data?.self, renamedFrom: ["a"])
    let present = item(
      isRemoved
        ? [b] : [PropertyDescription("a", Data?.self, renamedFrom: ["b"]).shared(), b])
    for _ in 0..<2 {
      let vault = try test.another()
      let object = try #require(try vault.store(of: present).first())
      #expect(try object.value(of: "b") == .blob([UInt8](first)))
      if !isRemoved {
        #expect(try object.value(of: "a") == .blob([UInt8](second)))
        #expect(try vault.sharedUses == [1])
      }
      #expect(try vault.verify().isSound)
      vault.close()
    }
  }

  @Test("have the unique index that the class declares")
  func uniqueIndex() throws {
    let vault = try ChangingVault()
    let unique = [IndexDescription(["a"], unique: true)]
    let former = item(Self.both, indexes: unique)
    try vault.insert(former, [.text("1"), .text("x")], [.text("2"), .text("y")])
    let present = item(Self.swapped, indexes: unique)
    try vault.insert(present, [.text("z"), .text("1")])
    #expect(code { try vault.insert(present, [.text("x"), .text("3")]) } == .duplicate)
    #expect(
      try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'ovu_Item__a'")
        == [[.text("CREATE UNIQUE INDEX \"ovu_Item__a\" ON \"Item\" (\"a\")")]])
  }

  @Test(
    "are in the full-text index with every change", arguments: SearchKind.all)
  func search(kind: SearchKind) throws {
    let vault = try ChangingVault()
    let search = kind.of(["a"])
    try vault.insert(item(Self.both, search: search), [.text("fish"), .text("whale")])
    let store = try vault.vault.store(of: item(Self.swapped, search: search))
    #expect(try store.search("whale").count() == 1)
    var object = try #require(try store.first())
    try object.set("a", to: .text("bird"))
    try store.update(object)
    #expect(try store.search("bird").count() == 1)
    #expect(try store.search("whale").count() == 0)
    #expect(try vault.vault.verify().isSound)
    let before = try vault.schema()
    _ = try vault.another().store(of: item(Self.swapped, search: search))
    #expect(try vault.schema() == before)
  }

  @Test("have their own defaults and limits, for other programs too")
  func defaults() throws {
    func limited(_ name: String, _ value: String, _ former: [String]) -> PropertyDescription {
      PropertyDescription(name, String.self, defaultValue: value, renamedFrom: former)
        .columnDefined(length: .atMost(5))
    }
    let vault = try ChangingVault()
    try vault.insert(item([limited("a", "one", []), limited("b", "two", [])]))
    _ = try vault.vault.store(of: item([limited("a", "one", ["b"]), limited("b", "two", ["a"])]))
    try vault.run("INSERT INTO Item DEFAULT VALUES")
    #expect(try vault.rows("SELECT a, b FROM Item") == [[.text("one"), .text("two")]])
    let store = try vault.vault.store(
      of: item([limited("a", "one", ["b"]), limited("b", "two", ["a"])]))
    let error = #expect(throws: VaultError.self) {
      try store.insert(
        DynamicObject(of: store.classDescription, ["a": .text("123456"), "b": .text("1")]))
    }
    #expect(
      error?.message.contains("rejects its a: at most 5 characters in a") == true,
      "\(error?.message ?? "")")
  }

  @Test("continue their history under their names")
  func history() throws {
    let vault = try ChangingVault()
    let options = TableOptions(history: .changes)
    try vault.insert(item(Self.both, options: options), [.text("1"), .text("2")])
    let store = try vault.vault.store(of: item(Self.swapped, options: options))
    #expect(
      try vault.vault.recorded { try store.query.update(set: ["a": "x"]) } == ["updated 1 a"])
    #expect(try vault.vault.recorded() == ["inserted 1", "updated 1 a"])
  }

  @Test("order the owned objects of the reference that the class orders now")
  func orders() throws {
    let vault = try ChangingVault()
    func list(_ references: String...) -> ClassDescription {
      ClassDescription(
        "List", properties: [.init("name", String?.self)],
        owned: references.map {
          OwnedDescription("tracksOf\($0)", target: "Track", reference: $0, ordered: true)
        })
    }
    func track(_ properties: [PropertyDescription]) -> ClassDescription {
      ClassDescription(
        "Track", properties: properties,
        references: ["x", "y"].map { ReferenceDescription($0, target: "List") })
    }
    let former = track([.init("x", Int64?.self), .init("y", Int64?.self)])
    try vault.install([list("x", "y"), former])
    try vault.insert(list("x", "y"), [.text("1")], [.text("2")])
    try vault.insert(former, [.integer(1), .integer(2)])
    try vault.run("UPDATE Track SET ov_order_x = 10, ov_order_y = 20")
    let present = track([
      .init("x", Int64?.self, renamedFrom: ["y"]), .init("y", Int64?.self, renamedFrom: ["x"]),
    ])
    try vault.install([list("x"), present])
    #expect(
      try vault.rows("SELECT x, y, ov_order_x, ov_order_y FROM Track")
        == [[.integer(2), .integer(1), .integer(20), .null]])
    try vault.run("UPDATE Track SET y = 2")
    #expect(try vault.rows("SELECT ov_order_x FROM Track") == [[.integer(20)]])
    try vault.run("UPDATE Track SET x = 1")
    #expect(try vault.rows("SELECT ov_order_x FROM Track") == [[.null]])
    let before = try vault.schema()
    try vault.install([list("x"), present])
    #expect(try vault.schema() == before)
  }

  @Test("order the owned objects of a reference to a new object ID as before")
  func orderOfChangedReference() throws {
    let vault = try ChangingVault()
    func list(_ objectID: [String]) -> ClassDescription {
      ClassDescription(
        "List", properties: [.init("name", String.self)], objectID: objectID,
        owned: [OwnedDescription("tracks", target: "Track", reference: "list", ordered: true)])
    }
    func track(_ property: PropertyDescription, _ key: String) -> ClassDescription {
      ClassDescription(
        "Track", properties: [property],
        references: [
          ReferenceDescription(
            "list", properties: [property.name], target: "List", targetColumns: [key])
        ])
    }
    let former = track(.init("list", Int64?.self), "objectID")
    try vault.install([list([]), former])
    try vault.insert(list([]), [.text("a")])
    try vault.insert(former, [.integer(1)], [.integer(1)])
    try vault.run("UPDATE Track SET ov_order_list = 10 - objectID")
    try vault.install([list(["name"]), track(.init("list_name", String?.self), "name")])
    #expect(
      try vault.rows("SELECT list_name, ov_order_list_name FROM Track ORDER BY objectID")
        == [[.text("a"), .integer(9)], [.text("a"), .integer(8)]])
  }

  // MARK: Removed properties

  @Test("have the values of the property that was renamed, and the removed one keeps its own")
  func removed() throws {
    let vault = try ChangingVault()
    try vault.insert(item(Self.both), [.text("1"), .text("2")])
    let present = item([.init("b", String?.self, renamedFrom: ["a"])])
    let store = try vault.vault.store(of: present)
    #expect(try store.all().map(\.allValues) == [[.text("1")]])
    #expect(try vault.rows("SELECT b, ov_former_1 FROM Item") == [[.text("1"), .text("2")]])
    try vault.insert(present, [.text("3")])
    let before = try vault.schema()
    #expect(try vault.another().store(of: present).count() == 2)
    #expect(try vault.schema() == before)
    #expect(try store.dropRemovedProperties() == ["ov_former_1"])
    #expect(try store.all().map(\.allValues) == [[.text("1")], [.text("3")]])
  }

  @Test("have the values of the property that was renamed to one removed before")
  func removedBefore() throws {
    let vault = try ChangingVault()
    try vault.insert(item(Self.both), [.text("1"), .text("2")])
    _ = try vault.vault.store(of: item([Self.both[0]]))
    let store = try vault.vault.store(of: item([.init("b", String?.self, renamedFrom: ["a"])]))
    #expect(try store.all().map(\.allValues) == [[.text("1")]])
    #expect(try store.dropRemovedProperties() == ["ov_former_1"])
  }

  @Test("keep their values if the former name was removed before")
  func formerNameRemovedBefore() throws {
    let vault = try ChangingVault()
    try vault.insert(item(Self.both), [.text("1"), .text("2")])
    _ = try vault.vault.store(of: item([Self.both[1]]))
    let store = try vault.vault.store(of: item([.init("b", String?.self, renamedFrom: ["a"])]))
    #expect(try store.all().map(\.allValues) == [[.text("2")]])
  }

  // MARK: Older stores and other programs

  @Test("cannot be used by a store of the former class")
  func formerStore() throws {
    let vault = try ChangingVault()
    let former = item(Self.both)
    try vault.insert(former, [.text("1"), .text("2")])
    let store = try vault.vault.store(of: former)
    let other = try vault.another().store(of: former)
    _ = try vault.vault.store(of: item(Self.swapped))
    for store in [store, other] {
      #expect(code { _ = try store.all() } == .schemaMismatch)
      #expect(code { try store.insert(DynamicObject(of: former)) } == .schemaMismatch)
    }
    // Another process reads the description.
    #expect(former.movedProperty(in: item(Self.swapped))?.name == "a")
    #expect(item(Self.swapped).movedProperty(in: item(Self.swapped)) == nil)
    let added = item(Self.both + [.init("c", String?.self, renamedFrom: ["a"])])
    #expect(former.movedProperty(in: added) == nil)
  }

  @Test("are not exchanged in a vault that only reads")
  func readOnly() throws {
    let vault = try ChangingVault()
    try vault.insert(item(Self.both), [.text("1"), .text("2")])
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let reader = try vault.another(configuration)
    #expect(code { _ = try reader.store(of: item(Self.swapped)) } == .schemaMismatch)
  }

  @Test(
    "are rejected if a view or trigger of another program would read other columns",
    arguments: [
      "CREATE VIEW theirs AS SELECT a FROM Item",
      "CREATE TRIGGER theirs AFTER DELETE ON Item BEGIN SELECT old.b; END",
    ])
  func otherPrograms(sql: String) throws {
    let vault = try ChangingVault()
    try vault.insert(item(Self.both), [.text("1"), .text("2")])
    try vault.run(sql)
    #expect(try vault.refusal(item(Self.swapped)).contains("'theirs'"))
    try vault.run("DROP \(sql.contains("VIEW") ? "VIEW" : "TRIGGER") theirs")
    let store = try vault.vault.store(of: item(Self.swapped))
    #expect(try store.all().map(\.allValues) == [[.text("2"), .text("1")]])
  }
}

@Suite("A removed property with constraints")
struct RemovedConstraintTests {
  private func item(_ properties: [PropertyDescription]) -> ClassDescription {
    ClassDescription("Item", properties: properties)
  }

  private static let name = PropertyDescription("name", String.self)

  @Test(
    "rejects no object any more, and some again if it is added again",
    arguments: [
      (
        PropertyDescription("code", String?.self)
          .columnDefined(constraints: "CHECK (\"code\" IS NOT NULL)"), .null
      ),
      (
        PropertyDescription("code", String.self, defaultValue: "abc")
          .columnDefined(constraints: "CHECK (\"code\" <> \"name\") CHECK (\"code\" <> 'abc')"),
        .text("d")
      ),
      (
        PropertyDescription("code", String.self)
          .columnDefined(length: .atMost(3), constraints: "DEFAULT 'abcd'"), .text("1234")
      ),
    ] as [(PropertyDescription, StoredValue)])
  func insertion(property: PropertyDescription, invalid: StoredValue) throws {
    let vault = try ChangingVault()
    let (former, present) = (item([Self.name, property]), item([Self.name]))
    try vault.insert(former, [.text("a"), .text("x")])
    try vault.vault.transaction {
      #expect(code { _ = try vault.vault.store(of: present) } == .upgradeInTransaction)
    }
    try vault.insert(present, [.text("b")], [.text("abc")])
    #expect(try vault.rows("SELECT code FROM Item WHERE name = 'a'") == [[.text("x")]])
    let before = try vault.schema()
    let other = try vault.another()
    try other.transaction { _ = try other.store(of: present) }
    #expect(try vault.schema() == before)
    // The new objects have no value that the constraints accept.
    _ = try vault.refusal(former)
    try vault.vault.store(of: present).where("name != 'a'").remove()
    try vault.insert(former, [.text("c"), .text("y")])
    #expect(code { try vault.insert(former, [.text("d"), invalid]) } == .constraint)
    #expect(try vault.rows("SELECT name, code FROM Item").count == 2)
  }

  @Test("rejects no object in a file of a version that left the constraints")
  func formerVersion() throws {
    let vault = try ChangingVault()
    let check = "CHECK (\"code\" IS NOT NULL)"
    let property = PropertyDescription("code", String?.self)
    try vault.insert(
      item([Self.name, property.columnDefined(constraints: check)]), [.text("a"), .text("x")])
    let present = item([Self.name])
    _ = try vault.vault.store(of: present)
    // Restore the constraint as that version left it.
    let json = #""removed":[{"name":"code","column":"code","type":"String","optional":true"#
    try vault.run(
      "ALTER TABLE Item RENAME TO former",
      "CREATE TABLE Item (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, "
        + "code TEXT \(check))",
      "INSERT INTO Item SELECT * FROM former", "DROP TABLE former",
      "UPDATE objectvault_classes SET description = replace(description, '\(json)', "
        + "'\(json)" + #","constraints":"CHECK (\"code\" IS NOT NULL)"')"#)
    let other = try vault.reopened()
    try other.insert(present, [.text("b")])
    #expect(try other.rows("SELECT name FROM Item").count == 2)
  }
}

@Suite("A class that names the table of another class as its former one")
struct TakenTableTests {
  private func item(
    _ name: String, table: String, from former: [String] = []
  ) -> ClassDescription {
    ClassDescription(
      name, table: table, properties: [.init("n", Int.self)], renamedFrom: former)
  }

  @Test("is rejected in an upgrade that has both", .covers("A1"))
  func sameUpgrade() throws {
    let vault = try ChangingVault()
    let owner = item("A", table: "T")
    try vault.insert(owner, [.integer(1)])
    let taker = item("B", table: "T2", from: ["T"])
    for others in [[owner, taker], [taker, owner], [taker, item("C", table: "T3", from: ["T"])]] {
      #expect(code { try vault.install(others) } == .invalidClass)
    }
    var changed = owner
    changed.properties.append(.init("m", Int?.self))
    let error = #expect(throws: VaultError.self) { try vault.install([changed, taker]) }
    #expect(error?.message.contains("'T' in `renamedFrom`, which class 'A'") == true)
    #expect(try vault.rows("SELECT n FROM T") == [[.integer(1)]])
    try vault.install([taker])
    #expect(try vault.rows("SELECT n FROM T2") == [[.integer(1)]])
  }
}
