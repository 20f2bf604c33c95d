import Foundation
import ObjectVaultCore
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultFile

@Suite("A salvage of a vault whose list of tables is lost")
struct LostListTests {
  private static let a = PropertyDescription("a", type: .string)
  private static let b = PropertyDescription("b", type: .string, isOptional: true)
  private static let c = PropertyDescription("c", type: .string)
  private static let optionalC = PropertyDescription("c", type: .string, isOptional: true)

  private let folder: TemporaryFolder
  private let path: String
  private let new: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("notes.vault")
    new = folder.file("new.vault")
  }

  private func notes(_ properties: PropertyDescription...) -> ClassDescription {
    ClassDescription("N", properties: properties)
  }

  /// Stores an object of the class, as the next version of a program.
  private func insert(_ description: ClassDescription, _ values: String?...) throws {
    let vault = try Vault(at: path, key: .ofTests)
    var object = try DynamicObject(of: description)
    for (property, value) in zip(description.properties, values) {
      try object.set(property.name, to: value.map(StoredValue.text) ?? .null)
    }
    try vault.store(of: description).insert(object)
    vault.close()
  }

  /// Damages the first page.
  private func salvaged(_ path: String? = nil, to new: String? = nil) throws -> SalvageReport {
    let path = path ?? self.path
    var data = try bytes(path)
    data[777] ^= 1
    try write(data, to: path)
    let report = try DatabaseFile(at: path, key: .ofTests).salvage(to: new ?? self.new)
    #expect(report.schema == .classes)
    return report
  }

  private func values(_ description: ClassDescription, in path: String? = nil) throws -> [[String?]]
  {
    let vault = try Vault(at: path ?? new, key: .ofTests)
    defer { vault.close() }
    let objects = try vault.store(of: description).all()
    #expect(try vault.verify().isSound)
    return objects.map { object in
      object.allValues.map { if case .text(let text) = $0 { text } else { nil } }
    }
  }

  /// The rows of a table without names, each as a text.
  private func lost(_ table: String, _ columns: String) throws -> [String] {
    let vault = try Vault(at: new, key: .ofTests)
    defer { vault.close() }
    return try vault.rows("SELECT \(unchecked: columns) FROM \(unchecked: table) ORDER BY rowid")
      .map { try $0.value(at: 0, as: String.self) }
  }

  /// Makes the descriptions those of a version that did not record the columns of tables.
  private func forgetColumns() throws {
    let vault = try Vault(at: path, key: .ofTests)
    try vault.file().transaction {
      try $0.execute(
        "UPDATE objectvault_classes SET description = "
          + "substr(description, 1, instr(description, ',\"tableColumns\":') - 1) || '}' "
          + "WHERE instr(description, ',\"tableColumns\":') > 0")
    }
    vault.close()
  }

  @Test("recovers each value into its property, although a property was added before another")
  func added() throws {
    let all = notes(Self.a, Self.b, Self.c)
    try insert(notes(Self.a, Self.c), "a1", "c1")
    try insert(all, "a2", "b2", "c2")
    let report = try salvaged()
    #expect(report.notRestored == [])
    #expect(report.tables.first { $0.name == "N" }?.rowsRecovered == 2)
    let areWhole = report.tables.allSatisfy(\.isWhole)
    #expect(areWhole)
    #expect(try values(all) == [["a1", nil, "c1"], ["a2", "b2", "c2"]])
    // The new file records the order too.
    let again = folder.file("again.vault")
    #expect(try salvaged(new, to: again).notRestored == [])
    #expect(try values(all, in: again) == [["a1", nil, "c1"], ["a2", "b2", "c2"]])
  }

  @Test("recovers the values of a removed property, which come back with it")
  func removed() throws {
    let all = notes(Self.a, Self.b, Self.c)
    try insert(all, "a1", "b1", "c1")
    try insert(notes(Self.a, Self.c), "a2", "c2")
    let report = try salvaged()
    #expect(report.notRestored == [])
    #expect(try values(notes(Self.a, Self.c)) == [["a1", "c1"], ["a2", "c2"]])
    #expect(try values(all) == [["a1", "b1", "c1"], ["a2", nil, "c2"]])
  }

  @Test("recovers objects without a doubt if a property was added after the others")
  func appended() throws {
    try insert(notes(Self.a), "a1")
    try insert(notes(Self.a, Self.b), "a2", "b2")
    #expect(try salvaged().notRestored == [])
    #expect(try values(notes(Self.a, Self.b)) == [["a1", nil], ["a2", "b2"]])
  }

  @Test("puts no objects of a class with a removed property into another class")
  func removedFromOneOfTwo() throws {
    let other = ClassDescription(
      "M",
      properties: ["x", "y", "z"].map { PropertyDescription($0, type: .string) }
        + [PropertyDescription("w", type: .string, isOptional: true)])
    try insert(notes(Self.a, Self.b, Self.c), "a1", "b1", "c1")
    try insert(notes(Self.a, Self.b, Self.c), "a2", "b2", "c2")
    try insert(other, "x1", "y1", "z1", "w1")
    try insert(notes(Self.a, Self.c), "a3", "c3")
    #expect(try salvaged().notRestored == [])
    #expect(try values(notes(Self.a, Self.c)) == [["a1", "c1"], ["a2", "c2"], ["a3", "c3"]])
    #expect(try values(other) == [["x1", "y1", "z1", "w1"]])
  }

  @Test("recovers a number that was added to a class after the positions in an ordered list")
  func ordered() throws {
    let list = ClassDescription(
      "List", properties: [Self.a],
      owned: [OwnedDescription("items", target: "Item", reference: "list", ordered: true)])
    func item(_ more: PropertyDescription...) -> ClassDescription {
      ClassDescription(
        "Item", properties: [PropertyDescription("list", type: .int, isOptional: true)] + more,
        references: [
          ReferenceDescription(
            "list", properties: ["list"], target: "List", targetColumns: ["objectID"],
            onDelete: .cascade)
        ])
    }
    let ranked = item(PropertyDescription("rank", type: .int, isOptional: true))
    var vault = try Vault(at: path, key: .ofTests)
    _ = try vault.store(of: list, with: [item()])
    try vault.store(of: item()).insert(DynamicObject(of: item()))
    vault.close()
    vault = try Vault(at: path, key: .ofTests)
    _ = try vault.store(of: list, with: [ranked])
    try vault.store(of: ranked).insert(DynamicObject(of: ranked, ["rank": .integer(77)]))
    vault.close()
    #expect(try salvaged().notRestored == [])
    let copy = try Vault(at: new, key: .ofTests)
    let rows = try copy.rows(
      """
      SELECT ifnull(rank, 'none') || ' ' || ifnull(ov_order_list, 'none')
      FROM Item ORDER BY objectID
      """)
    #expect(
      try rows.map { try $0.value(at: 0, as: String.self) } == ["none none", "77 none"])
    #expect(try copy.verify().isSound)
  }

  @Test("exchanges no values if an earlier version added a property before a required one")
  func addedByEarlierVersion() throws {
    let all = notes(Self.a, Self.b, Self.c)
    try insert(notes(Self.a, Self.c), "a1", "c1")
    try insert(all, "a2", "b2", "c2")
    try forgetColumns()
    let report = try salvaged()
    #expect(
      report.notRestored
        == ["the order of the columns of table 'N': its rows may be in table 'lost_1'"])
    #expect(report.tables.first { $0.table == "lost_1" }?.rowsRecovered == 2)
    #expect(try values(all) == [])
    #expect(
      try lost("lost_1", "c1 || ' ' || c2 || ' ' || ifnull(c3, '-')") == ["a1 c1 -", "a2 c2 b2"])
  }

  @Test("reports that values may be in other properties if an earlier version added one")
  func unknownOrder() throws {
    let all = notes(Self.a, Self.b, Self.optionalC)
    try insert(notes(Self.a, Self.optionalC), "a1", "c1")
    try insert(all, "a2", "b2", "c2")
    try forgetColumns()
    let report = try salvaged()
    #expect(
      report.notRestored == [
        "the order of the columns of table 'N', to which columns were added: values may be in "
          + "other properties"
      ])
    #expect(try values(all).count == 2)
  }

  @Test("stores a row that the table rejects in another table, and reports it")
  func rejected() throws {
    func withDefault(_ value: StoredValue?) -> ClassDescription {
      notes(Self.a, PropertyDescription("b", type: .string, defaultValue: value))
    }
    try insert(notes(Self.a), "a1")
    try insert(withDefault(.text("x")), "a2", "b2")
    // The column still has the default that the first object uses.
    try insert(withDefault(nil), "a3", "b3")
    let report = try salvaged()
    let table = try #require(report.tables.first { $0.name == "N" })
    #expect(table.rowsRecovered == 2)
    #expect(table.refusedRows.map(\.rowID) == [1] && table.refusedRows[0].columns == [])
    #expect(table.refusedRowsTable == "lost_1")
    #expect(report.tables.first { $0.table == "lost_1" }?.rowsRecovered == 1)
    #expect(try values(withDefault(nil)) == [["a2", "b2"], ["a3", "b3"]])
    #expect(try lost("lost_1", "rowid || ' ' || c1") == ["1 a1"])
  }

  @Test("stores the other values of a row that lost a required one in another table")
  func rejectedWithList() throws {
    let all = notes(Self.a, Self.c)
    try insert(all, "a1", String(repeating: "c", count: 30_000))
    try insert(all, "a2", "c2")
    try damageLongValue(of: "N", in: path, isLast: true)
    let report = try DatabaseFile(at: path, key: .ofTests).salvage(to: new)
    let table = try #require(report.tables.first { $0.name == "N" })
    #expect(table.refusedRows.map(\.rowID) == [1] && table.refusedRows[0].columns == ["c"])
    #expect(table.refusedRowsTable == "lost_1")
    #expect(try values(all) == [["a2", "c2"]])
    #expect(try lost("lost_1", "rowid || ' ' || c1 || ' ' || (c2 IS NULL)") == ["1 a1 1"])
  }
}
