import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import TestSupport
import Testing

@Suite("Object IDs that change in one class before another, or change back")
struct UndoneObjectIDTests {
  private static let numbered = ClassDescription.generatedIDColumn

  private func city(
    by key: String = numbered, name: String = "City", options: TableOptions = TableOptions()
  ) -> ClassDescription {
    ClassDescription(
      name, properties: [.init("name", String.self), .init("rank", Int64.self)],
      objectID: key == Self.numbered ? [] : [key], renamedFrom: name == "City" ? [] : ["City"],
      options: options)
  }

  /// The guests of cities by a key; without the reference if it is nil.
  private func guest(
    by key: String? = numbered, _ name: String = "Guest", in target: String = "City"
  ) -> ClassDescription {
    guard let key else { return ClassDescription(name, properties: [.init("name", String.self)]) }
    let city =
      key == "name"
      ? PropertyDescription("city", String?.self) : PropertyDescription("city", Int64?.self)
    return ClassDescription(
      name, properties: [.init("name", String.self), city],
      references: [ReferenceDescription("city", target: target, targetColumns: [key])])
  }

  /// Returns a vault whose cities have the ranks of each other's numbers.
  private func vault(by key: String = numbered) throws -> ChangingVault {
    let vault = try ChangingVault()
    try vault.install([city(by: key), guest(by: key)])
    try vault.insert(city(by: key), [.text("A"), .integer(2)], [.text("B"), .integer(1)])
    let ids: [StoredValue] = key == "name" ? [.text("A"), .text("B")] : [.integer(1), .integer(2)]
    try vault.insert(guest(by: key), [.text("a"), ids[0]], [.text("b"), ids[1]])
    return vault
  }

  /// The names of the guests and of the cities that their references lead to.
  private func visits(
    _ vault: ChangingVault, by key: String = numbered, in target: String = "City",
    _ guests: String = "Guest"
  ) throws -> [[StoredValue]] {
    try vault.rows(
      "SELECT \(guests).name, \(target).name FROM \(guests) JOIN \(target) "
        + "ON city = \(target).\(key) ORDER BY 1")
  }

  private static let both: [[StoredValue]] = [[.text("a"), .text("A")], [.text("b"), .text("B")]]

  /// Checks that the classes are complete and the references lead to objects.
  private func check(_ vault: ChangingVault, _ classes: [ClassDescription]) throws {
    #expect(try vault.rows("PRAGMA foreign_key_check") == [])
    let before = try vault.schema()
    try vault.install(classes)
    #expect(try vault.schema() == before)
  }

  // MARK: Foreign keys

  @Test(
    "are the former numbers again while references still lead to them",
    arguments: ["rank", "name"], [false, true])
  func restored(key: String, isAlone: Bool) throws {
    for isWithoutRowID in [false, true] {
      let vault = try vault()
      let changed = city(by: key, options: TableOptions(withoutRowID: isWithoutRowID))
      try vault.install([changed])
      #expect(try visits(vault) == Self.both)
      try vault.insert(changed, [.text("C"), .integer(7)], [.text("D"), .integer(9)])
      try vault.install(isAlone ? [city()] : [city(), guest()])
      #expect(try visits(vault) == Self.both)
      #expect(
        try vault.rows("SELECT group_concat(name, '') FROM (SELECT * FROM City ORDER BY objectID)")
          == [[.text("ABCD")]])
      #expect(try vault.rows("SELECT min(objectID) FROM City") == [[.integer(1)]])
      try check(vault, [city(), guest()])
      try vault.insert(city(), [.text("E"), .integer(5)])
      #expect(
        try vault.rows("SELECT count(*), max(name) FROM City WHERE objectID > 4 OR name = 'D'")
          == [[.integer(2), .text("E")]])
    }
  }

  @Test("are followed by references to the later object ID, too") func followed() throws {
    let vault = try vault()
    let visitor = guest(by: Self.numbered, "Visitor")
    try vault.install([visitor])
    try vault.insert(visitor, [.text("v"), .integer(2)])
    try vault.install([city(by: "rank"), guest(by: "rank")])
    try vault.insert(city(by: "rank"), [.text("C"), .integer(-7)])
    try vault.insert(guest(by: "rank"), [.text("c"), .integer(-7)])
    try vault.install([guest(), city()])
    #expect(try visits(vault) == Self.both + [[.text("c"), .text("C")]])
    #expect(
      try vault.rows("SELECT city FROM Guest ORDER BY name")
        == [[.integer(1)], [.integer(2)], [.integer(3)]])
    #expect(try visits(vault, "Visitor") == [[.text("v"), .text("B")]])
    try check(vault, [city(), guest(), visitor])
  }

  @Test("are not unique any more when the last reference to them has followed")
  func formerKey() throws {
    let vault = try vault(by: "name")
    try vault.install([city()])
    #expect(try visits(vault, by: "name") == Self.both)
    #expect(throws: VaultError.self) { try vault.insert(city(), [.text("A"), .integer(5)]) }
    try vault.install([city(), guest()])
    #expect(try visits(vault) == Self.both)
    try vault.insert(city(), [.text("A"), .integer(5)])
    let sql = try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'City'")
    #expect(!"\(sql)".contains("UNIQUE"), "\(sql)")
    try check(vault, [city(), guest()])
  }

  @Test("remain unique while another reference leads to them") func formerKeyOfOthers() throws {
    let vault = try vault(by: "name")
    let visitor = guest(by: "name", "Visitor")
    try vault.install([visitor])
    try vault.insert(visitor, [.text("v"), .text("B")])
    try vault.install([city(), guest()])
    #expect(throws: VaultError.self) { try vault.insert(city(), [.text("A"), .integer(5)]) }
    #expect(try visits(vault, by: "name", "Visitor") == [[.text("v"), .text("B")]])
    // A class without the reference does not need them either.
    try vault.install([guest(by: nil, "Visitor")])
    try vault.insert(city(), [.text("A"), .integer(5)])
    try check(vault, [city(), guest()])
  }

  @Test("are not upgraded before a class whose references would lack their objects")
  func converted() throws {
    func city(_ type: PropertyDescription) -> ClassDescription {
      ClassDescription("City", properties: [type], objectID: ["id"])
    }
    func guest(_ type: PropertyDescription) -> ClassDescription {
      ClassDescription(
        "Guest", properties: [type],
        references: [ReferenceDescription("city", target: "City", targetColumns: ["id"])])
    }
    let vault = try ChangingVault()
    try vault.install([city(.init("id", String.self)), guest(.init("city", String?.self))])
    let id = UUID().uuidString
    try vault.insert(city(.init("id", String.self)), [.text(id.lowercased())])
    try vault.insert(guest(.init("city", String?.self)), [.text(id.lowercased())])
    let message = try vault.refusal(city(.init("id", UUID.self)))
    #expect(message.contains("'Guest'"), "\(message)")
    #expect(message.contains("request the store of the class that refers"), "\(message)")
    try vault.install([city(.init("id", UUID.self)), guest(.init("city", UUID?.self))])
    #expect(
      try vault.rows("SELECT id, city FROM City, Guest WHERE id = city")
        == [[.text(id), .text(id)]])
  }

  // MARK: Removed references

  @Test(
    "are the former numbers again while removed references have them", arguments: [false, true])
  func removed(isAlone: Bool) throws {
    let vault = try vault()
    try vault.install([city(by: "rank"), guest(by: nil)])
    if isAlone { try vault.install([city()]) }
    try vault.install([city(), guest()])
    #expect(try visits(vault) == Self.both)
    try check(vault, [city(), guest()])
  }

  @Test("are not those of a reference that is declared again with values of the former ones")
  func outdated() throws {
    let vault = try vault()
    try vault.install([guest(by: nil)])
    try vault.install([city(by: "rank")])
    let message = try vault.refusal(guest(by: "rank"))
    #expect(message.contains("'city'") && message.contains("'City'"), "\(message)")
    // The numbers are not restored without their column.
    let cities = try vault.vault.store(of: city(by: "rank"))
    #expect(try cities.dropRemovedProperties() == [Self.numbered])
    try vault.install([city()])
    #expect(try vault.refusal(guest()).contains("former object IDs"))
    let guests = try vault.vault.store(of: guest(by: nil))
    #expect(try guests.dropRemovedProperties() == ["city"])
    try vault.install([guest()])
    #expect(try vault.rows("SELECT city FROM Guest") == [[.null], [.null]])
  }

  @Test("are not those of a class that was removed and stored again") func storedAgain() throws {
    let vault = try vault()
    try vault.install([guest(by: nil)])
    try vault.vault.removeStore(named: "City")
    try vault.insert(city(), [.text("x"), .integer(1)], [.text("y"), .integer(2)])
    #expect(try vault.refusal(guest()).contains("former object IDs"))
  }

  @Test("are compared with those of removed references by the new names of the class")
  func renamed() throws {
    for key in [Self.numbered, "rank"] {
      let vault = try vault()
      try vault.install([guest(by: nil)])
      try vault.install([city(name: "Town")])
      try vault.install([city(by: key, name: "Town")])
      if key == "rank" {
        #expect(try vault.refusal(guest(by: key, in: "Town")).contains("'Town'"))
      } else {
        try vault.install([guest(by: key, in: "Town")])
        #expect(try visits(vault, in: "Town") == Self.both)
      }
    }
  }

  // MARK: The last number

  @Test("never repeat a number after the object ID was another one") func lastNumber() throws {
    let vault = try ChangingVault()
    for rank in 1...5 { try vault.insert(city(), [.text("x"), .integer(Int64(rank))]) }
    try vault.run("DELETE FROM City WHERE objectID > 2")
    try vault.install([city(by: "rank")])
    try vault.install([city(by: "rank", name: "Town")])
    try vault.install([city(name: "Town")])
    try vault.insert(city(name: "Town"), [.text("y"), .integer(9)])
    #expect(try vault.rows("SELECT max(objectID) FROM Town") == [[.integer(6)]])
    #expect(
      try vault.rows("SELECT name, seq FROM sqlite_sequence") == [[.text("Town"), .integer(6)]])
    // A table that is created again begins with 1.
    try vault.install([city(by: "rank", name: "Town")])
    try vault.vault.removeStore(named: "Town")
    try vault.insert(city(name: "Town"), [.text("z"), .integer(1)])
    #expect(try vault.rows("SELECT objectID FROM Town") == [[.integer(1)]])
  }
}
