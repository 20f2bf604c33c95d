import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultSchema
import ObjectVaultSession
import TestSupport
import Testing

@Suite("An object ID that contains a reference")
struct FollowedKeyTests {
  private static let visited = ReferenceDescription(
    "town", properties: ["country", "name"], target: "Town", targetColumns: ["country", "name"])

  /// Nations with a number, and from then on by their rank.
  private func nation(by key: String) -> ClassDescription {
    ClassDescription(
      "Nation", properties: [.init("rank", Int64.self)], objectID: key == "rank" ? ["rank"] : [])
  }

  private func town(
    by key: String, objectID: [String] = ["country", "name"]
  ) -> ClassDescription {
    ClassDescription(
      "Town", properties: [.init("country", Int64.self), .init("name", String.self)],
      objectID: objectID,
      references: [ReferenceDescription("country", target: "Nation", targetColumns: [key])])
  }

  private func visitor(
    _ properties: [PropertyDescription]? = nil, references: [ReferenceDescription] = [visited]
  ) -> ClassDescription {
    ClassDescription(
      "Visitor",
      properties: properties ?? [.init("country", Int64.self), .init("name", String.self)],
      references: references)
  }

  /// Returns a vault with two nations whose ranks are their numbers in the other order.
  private func nations() throws -> ChangingVault {
    let vault = try ChangingVault()
    try vault.install([nation(by: "objectID")])
    try vault.insert(nation(by: "objectID"), [.integer(2)], [.integer(1)])
    return vault
  }

  @Test(
    "keeps its meaning in the references to it", arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func chain(order: [Int]) throws {
    let vault = try nations()
    try vault.install([nation(by: "objectID"), town(by: "objectID"), visitor()])
    try vault.insert(town(by: "objectID"), [.integer(1), .text("a")], [.integer(2), .text("a")])
    try vault.insert(
      visitor(), [.integer(1), .text("a")], [.integer(2), .text("a")], [.integer(2), .text("a")])
    let present = [nation(by: "rank"), town(by: "rank"), visitor()]
    try vault.install(order.map { present[$0] })
    #expect(
      try vault.rows("SELECT country FROM Visitor ORDER BY objectID")
        == [[.integer(2)], [.integer(1)], [.integer(1)]])
    #expect(
      try vault.rows("SELECT country FROM Town ORDER BY 1") == [[.integer(1)], [.integer(2)]])
    let before = try vault.schema()
    try vault.install(present)
    #expect(try vault.schema() == before)
    #expect(try vault.rows("SELECT country FROM Visitor LIMIT 1") == [[.integer(2)]])
    // And to numbers again, which are the ranks.
    try vault.install([nation(by: "objectID"), town(by: "objectID"), visitor()])
    #expect(
      try vault.rows("SELECT country FROM Visitor ORDER BY objectID")
        == [[.integer(2)], [.integer(1)], [.integer(1)]])
  }

  @Test("refuses new values while a class outside of the upgrade refers to them")
  func outside() throws {
    let vault = try nations()
    try vault.install([nation(by: "objectID"), town(by: "objectID"), visitor()])
    try vault.insert(town(by: "objectID"), [.integer(1), .text("a")], [.integer(2), .text("a")])
    try vault.insert(visitor(), [.integer(1), .text("a")])
    let before = try vault.schema()
    let error = #expect(throws: VaultError.self) {
      try vault.install([nation(by: "rank"), town(by: "rank")])
    }
    #expect(error?.code == .upgradeRefused)
    #expect(error?.message.contains("'Visitor'") == true)
    #expect(try vault.schema() == before)
    #expect(
      try vault.rows("SELECT country FROM Town ORDER BY 1") == [[.integer(1)], [.integer(2)]])
    #expect(try vault.rows("SELECT country FROM Visitor") == [[.integer(1)]])
  }

  @Test("is upgraded with a class that is complete itself")
  func completeClass() throws {
    let vault = try nations()
    let alone = ClassDescription("Note", properties: [.init("text", String.self)])
    _ = try vault.vault.store(of: alone)
    _ = try vault.vault.store(of: alone, with: [town(by: "rank"), nation(by: "rank")])
    let before = try vault.schema()
    #expect(before.contains { $0.contains(.text("Town")) })
    _ = try vault.vault.store(of: alone, with: [town(by: "rank"), nation(by: "rank")])
    #expect(try vault.schema() == before)
  }

  @Test("is followed where it is new itself")
  func newKey() throws {
    let vault = try nations()
    let numbered = visitor(
      [.init("town", Int64?.self)], references: [ReferenceDescription("town", target: "Town")])
    try vault.install([nation(by: "objectID"), town(by: "objectID", objectID: []), numbered])
    try vault.insert(
      town(by: "objectID", objectID: []), [.integer(1), .text("a")], [.integer(2), .text("b")])
    try vault.insert(numbered, [.integer(1)], [.integer(2)], [.null])
    let named = visitor(
      [.init("town_country", Int64?.self), .init("town_name", String?.self)],
      references: [
        ReferenceDescription(
          "town", properties: ["town_country", "town_name"], target: "Town",
          targetColumns: ["country", "name"])
      ])
    try vault.install([named, town(by: "rank"), nation(by: "rank")])
    #expect(
      try vault.rows("SELECT town_country, town_name FROM Visitor ORDER BY objectID") == [
        [.integer(2), .text("a")], [.integer(1), .text("b")], [.null, .null],
      ])
  }

  @Test("gets further parts where the reference in it does")
  func furtherParts() throws {
    let vault = try nations()
    try vault.install([town(by: "objectID"), nation(by: "objectID")])
    try vault.insert(town(by: "objectID"), [.integer(1), .text("a")], [.integer(2), .text("a")])
    let code = PropertyDescription("code", String.self)
    var nation = nation(by: "rank").with([code, .init("rank", Int64.self)], objectID: [])
    nation.properties[0].defaultValue = .text("x")
    try vault.install([nation])
    nation = nation.with(objectID: ["code", "rank"])
    let town = ClassDescription(
      "Town",
      properties: [
        .init("country_code", String.self), .init("country_rank", Int64.self),
        .init("name", String.self),
      ],
      objectID: ["country_code", "country_rank", "name"],
      references: [
        ReferenceDescription(
          "country", properties: ["country_code", "country_rank"], target: "Nation",
          targetColumns: ["code", "rank"])
      ])
    try vault.install([town, nation])
    #expect(
      try vault.rows("SELECT country_code, country_rank, name FROM Town ORDER BY 2")
        == [[.text("x"), .integer(1), .text("a")], [.text("x"), .integer(2), .text("a")]])
  }

  @Test("shares a part with a reference of its own, which can be absent")
  func sharedPart() throws {
    func classes(_ key: String) -> [ClassDescription] {
      let country = ReferenceDescription("country", target: "Nation", targetColumns: [key])
      let guest = visitor(
        [.init("country", Int64?.self), .init("name", String?.self)],
        references: [Self.visited, country])
      return [guest, town(by: key), nation(by: key)]
    }
    let vault = try nations()
    let former = classes("objectID")
    try vault.install(former)
    try vault.insert(former[1], [.integer(1), .text("a")], [.integer(2), .text("a")])
    try vault.insert(
      former[0], [.integer(1), .text("a")], [.integer(2), .null], [.null, .text("b")])
    try vault.install(classes("rank"))
    #expect(
      try vault.rows("SELECT country, name FROM Visitor ORDER BY objectID")
        == [[.integer(2), .text("a")], [.integer(1), .null], [.null, .text("b")]])
  }

  @Test("follows a reference whose property is renamed at the same time")
  func renamedReference() throws {
    let vault = try nations()
    let former = ClassDescription(
      "Guest", properties: [.init("nation", Int64.self)],
      references: [ReferenceDescription("nation", target: "Nation")])
    try vault.install([nation(by: "objectID"), former])
    try vault.insert(former, [.integer(1)], [.integer(2)])
    let present = ClassDescription(
      "Guest", properties: [.init("country", Int64.self, renamedFrom: ["nation"])],
      references: [ReferenceDescription("country", target: "Nation", targetColumns: ["rank"])])
    try vault.install([nation(by: "rank"), present])
    #expect(
      try vault.rows("SELECT country FROM Guest ORDER BY objectID")
        == [[.integer(2)], [.integer(1)]])
  }
}

@Suite("References to object IDs that change at random")
struct ChangingKeysTests {
  @Test("lead to the same objects")
  func sameObjects() throws {
    var random = SeededGenerator(for: "changing object IDs")
    for _ in 0..<randomRounds(30) {
      let vault = try ChangingVault()
      let graph = ChangingKeys(&random)
      var stores: ChangingKeys.Stores = []
      for version in 0..<4 {
        let forms = graph.forms(&random)
        let classes = graph.classes(forms)
        let shuffled = classes.shuffled(using: &random)
        _ = try vault.vault.store(of: shuffled[0], with: Array(shuffled[1...]))
        stores = try classes.map { try vault.vault.store(of: $0) }
        if version == 0 { try graph.insert(into: stores, forms) }
        let differences = try graph.differences(in: stores, forms)
        #expect(differences.isEmpty, "version \(version): \(differences.prefix(3)) \(forms)")
      }
      vault.vault.close()
    }
  }
}
