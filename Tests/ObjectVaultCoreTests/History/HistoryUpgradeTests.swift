import Foundation
import ObjectVaultCore
import ObjectVaultSession
import TestSupport
import Testing

@Suite("The history of a changed class", .covers("H7"))
struct HistoryUpgradeTests {
  private let test: TestVault
  private let vault: Vault

  init() throws {
    test = try TestVault()
    vault = test.vault
  }

  @discardableResult
  private func insert(_ description: ClassDescription, age: String = "age") throws -> ObjectStore<
    DynamicObject
  > {
    let store = try vault.store(of: description)
    try store.insert(
      DynamicObject(of: description, ["name": .text("a"), age: .integer(1)]))
    return store
  }

  private var triggers: [String] {
    get throws {
      try vault.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        .map { try $0.value("name", as: String.self) }
    }
  }

  @Test("begins when the class enables it, and ends when it disables it")
  func thereAndBack() throws {
    try insert(.ledgers(history: .none))
    try insert(.ledgers())
    #expect(try vault.recorded() == ["started", "inserted 2"])
    #expect(try triggers.count == 4)
    try insert(.ledgers(history: .none))
    #expect(try vault.recorded() == ["started", "inserted 2"])
    #expect(try triggers == [])
    try insert(.ledgers())
    #expect(try vault.recorded() == ["started", "inserted 2", "started", "inserted 4"])
    #expect(try vault.verify().isSound)
  }

  @Test("continues with added, renamed, removed and converted properties, in a rebuilt table")
  func properties() throws {
    try insert(.ledgers())
    var store = try insert(
      .ledgers(with: [PropertyDescription("town", type: .string, isOptional: true)]))
    #expect(
      try vault.recorded { try store.query.update(set: ["town": "Bern"]) }
        == ["updated 1 town", "updated 2 town"])
    // The rebuild itself is no change of an object.
    let position = try vault.historyPosition()
    let renamed = ClassDescription.ledgers(
      renamed: true, with: [PropertyDescription("town", type: .string, isOptional: true)])
    store = try vault.store(of: renamed)
    #expect(try vault.recorded(since: position) == [])
    #expect(
      try vault.recorded { try store.where("objectID == 1").update(set: ["years": 9]) }
        == ["updated 1 years"])
    let without = try vault.store(of: .ledgers(renamed: true))
    #expect(
      try vault.recorded { try without.where("objectID == 1").update(set: ["name": "b"]) }
        == ["updated 1 name"])
    #expect(try without.dropRemovedProperties() == ["town"])
    #expect(
      try vault.recorded { try without.where("objectID == 1").update(set: ["years": 10]) }
        == ["updated 1 years"])
    #expect(try !vault.recorded().contains("started"))
    #expect(try vault.verify().isSound)
  }

  @Test("goes with the class to a table with another name")
  func renamed() throws {
    try insert(.ledgers())
    let store = try insert(.ledgers(table: "Child"))
    #expect(try vault.recorded(of: "Child") == ["inserted 1", "inserted 2"])
    #expect(try triggers.allSatisfy { $0.hasPrefix("objectvault_Child_history_") })
    #expect(try triggers.count == 4)
    #expect(try vault.recorded { try store.removeAll() } == ["removed 1", "removed 2"])
    #expect(try vault.verify().isSound)
  }

  @Test("begins again when the objects get other object IDs")
  func objectIDs() throws {
    func classes(_ key: String) -> [ClassDescription] {
      let rank = PropertyDescription("rank", type: .int64)
      let nation = ClassDescription(
        "Nation", properties: [rank], objectID: key == "rank" ? ["rank"] : [],
        options: TableOptions(history: .changes))
      let town = ClassDescription(
        "Town", properties: [PropertyDescription("nation", type: .int64)], objectID: ["nation"],
        references: [ReferenceDescription("nation", target: "Nation", targetColumns: [key])],
        options: TableOptions(history: .changes))
      return [town, nation]
    }
    let former = classes(ClassDescription.generatedIDColumn)
    let towns = try vault.store(of: former[0], with: [former[1]])
    let nations = try vault.store(of: former[1])
    for rank in [2, 1] as [Int64] {
      try nations.insert(DynamicObject(of: former[1], ["rank": .integer(rank)]))
    }
    try towns.insert(DynamicObject(of: former[0], ["nation": .integer(1)]))
    let present = classes("rank")
    let changed = try vault.store(of: present[0], with: [present[1]])
    #expect(try changed.query.values(of: "nation", as: Int64.self) == [2])
    #expect(try vault.recorded(of: "Nation") == ["inserted 1", "inserted 2", "started"])
    #expect(try vault.recorded(of: "Town") == ["inserted 1", "started"])
    #expect(try vault.recorded { try changed.removeAll() } == ["removed 2"])
  }

  @Test("records the removal of the class, and begins again with a new one")
  func dropped() throws {
    try insert(.ledgers())
    try vault.removeStore(named: "Ledger")
    #expect(try vault.recorded() == ["inserted 1", "dropped"])
    #expect(try vault.changes(since: nil).changes.map(\.className) == ["Ledger", "Ledger"])
    #expect(try vault.recorded(of: "Ledger") == ["inserted 1", "dropped"])
    try insert(.ledgers())
    #expect(code { try vault.execute("DROP TABLE Ledger") } == .invalidArgument)
    try vault.removeStore(named: "Ledger")
    #expect(try vault.recorded() == ["inserted 1", "dropped", "inserted 1", "dropped"])
  }

  @Test("can be read by the name of a class whose history ended")
  func ended() throws {
    try insert(.ledgers())
    _ = try vault.store(of: .ledgers(history: .none))
    #expect(try vault.recorded(of: "Ledger") == ["inserted 1"])
    try vault.removeStore(named: "Ledger")
    #expect(try vault.recorded(of: "Ledger") == ["inserted 1"])
    #expect(code { _ = try vault.recorded(of: "Other") } == .noSuchClass)
    try vault.pruneHistory(keeping: 0)
    #expect(code { _ = try vault.recorded(of: "Ledger") } == .noSuchClass)
  }

  @Test("begins again in a new table if the removal of the former one is not recorded")
  func droppedWithoutRecord() throws {
    try insert(.ledgers())
    try insert(.ledgers(history: .none))
    try vault.removeStore(named: "Ledger")
    try insert(.ledgers())
    #expect(try vault.recorded() == ["inserted 1", "started", "inserted 1"])
    try vault.file().transaction { try $0.execute("DROP TABLE Ledger") }
    vault.close()
    let again = try test.another()
    let position = try again.historyPosition()
    let store = try again.store(of: .ledgers())
    try store.insert(
      DynamicObject(of: .ledgers(), ["name": .text("b"), "age": .integer(2)]))
    #expect(try again.recorded(since: position) == ["started", "inserted 1"])
    // Another class has no changes before.
    let other = ClassDescription(
      "Other", properties: [PropertyDescription("number", type: .int)],
      options: TableOptions(history: .changes))
    _ = try again.store(of: other)
    #expect(try again.recorded(of: "Other") == [])
    #expect(try again.verify().isSound)
  }

  @Test("names the gap where another program removed a trigger")
  func triggersRemoved() throws {
    try insert(.ledgers())
    try vault.file().transaction {
      try $0.execute("DROP TRIGGER objectvault_Ledger_history_delete")
    }
    let report = try vault.verify()
    #expect(report.incompleteHistories == ["Ledger"] && !report.isSound)
    vault.close()
    let again = try test.another()
    let store = try again.store(of: .ledgers())
    #expect(try again.recorded() == ["inserted 1", "started"])
    #expect(try again.recorded { try store.removeAll() } == ["removed 1"])
    #expect(try again.verify().isSound)
  }

  @Test("does not contain the conversion of shared blobs")
  func sharing() throws {
    func photos(isShared: Bool) -> ClassDescription {
      var photos = ClassDescription.photos(isShared: isShared)
      photos.options.history = .changes
      return photos
    }
    let store = try vault.store(of: photos(isShared: false))
    try store.insert(
      DynamicObject(
        of: photos(isShared: false),
        ["name": .text("a"), "picture": .blob([UInt8](Data.picture(1)))]))
    for isShared in [true, false] {
      let store = try vault.store(of: photos(isShared: isShared))
      #expect(try vault.recorded() == ["inserted 1"])
      #expect(
        try store.query.values(of: "picture", as: Data.self) == [Data.picture(1)])
    }
  }

  @Test("contains what a migration changes, and the description of the class reads back")
  func descriptions() throws {
    var ledgers = ClassDescription.ledgers()
    try insert(ledgers)
    let store = try vault.store(named: "Ledger")
    #expect(store.classDescription == ledgers)
    let json = try #require(
      try vault.value("SELECT description FROM objectvault_classes", as: String.self))
    #expect(json.hasSuffix(#","history":"changes"}"#), "\(json)")
    ledgers.options.history = .none
    #expect(!ledgers.json.contains("history"))
    #expect(throws: VaultError.self) {
      try ClassDescription(
        json: json.replacingOccurrences(of: "\"changes\"", with: "\"values\""), table: "Ledger")
    }
  }

  @Test("begins for a table of another program")
  func foreign() throws {
    _ = try insert(.ledgers())
    try vault.file().transaction {
      try $0.execute(
        "CREATE TABLE Guest (name TEXT PRIMARY KEY NOT NULL, age TEXT NOT NULL COLLATE NOCASE)")
      try $0.execute("INSERT INTO Guest VALUES ('a', 'old')")
    }
    let guest = ClassDescription(
      "Guest",
      properties: [
        PropertyDescription("name", type: .string), PropertyDescription("age", type: .string),
      ], objectID: ["name"], options: TableOptions(history: .changes))
    let store = try vault.store(of: guest)
    try store.query.update(set: ["age": "Old"])
    #expect(try vault.recorded(of: "Guest") == ["started", "updated 'a' age"])
  }
}
