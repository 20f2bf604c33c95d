import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultSchema
import ObjectVaultSession
import Testing
import TestSupport

@Suite("Objects that refer to those of a class whose objectID or name changed")
struct ObjectIDUpgradeTests {
  private static let team = ClassDescription(
    "Team", properties: [.init("title", String.self), .init("city", String.self)])
  private static let player = ClassDescription(
    "Player", properties: [.init("name", String.self), .init("team", Int64?.self)],
    references: [ReferenceDescription("team", target: "Team", onDelete: .cascade)])

  /// The team by its title, and the player who refers to it so.
  private static let titled = team.with(objectID: ["title"])
  private static let playerOfTitled = player.with(
    [player.properties[0], .init("team", String?.self)],
    references: [
      ReferenceDescription("team", target: "Team", targetColumns: ["title"], onDelete: .cascade)
    ])

  private func league() throws -> ChangingVault {
    let vault = try ChangingVault()
    try vault.insert(
      Self.team, [.text("red"), .text("Oslo")], [.text("blue"), .text("Bergen")],
      [.text("green"), .text("Oslo")])
    try vault.run("DELETE FROM Team WHERE title = 'red'")
    try vault.insert(
      Self.player, [.text("a"), .integer(2)], [.text("b"), .integer(3)], [.text("c"), .null])
    return vault
  }

  @Test("refer to the same objects by the new objectID", arguments: [false, true])
  func followed(isPlayerFirst: Bool) throws {
    let vault = try league()
    if isPlayerFirst {
      try vault.install([Self.playerOfTitled, Self.titled])
    } else {
      try vault.install([Self.titled, Self.playerOfTitled])
    }
    #expect(
      try vault.rows("SELECT name, team FROM Player ORDER BY 1") == [
        [.text("a"), .text("blue")], [.text("b"), .text("green")], [.text("c"), .null],
      ])
    let before = try vault.schema()
    try vault.install([Self.titled, Self.playerOfTitled])
    #expect(try vault.schema() == before)
    try vault.run("DELETE FROM Team WHERE title = 'blue'")
    #expect(try vault.rows("SELECT name FROM Player") == [[.text("b")], [.text("c")]])
    // And back, to the numbers of the rows.
    try vault.install([Self.team, Self.player])
    #expect(
      try vault.rows("SELECT name, team FROM Player ORDER BY 1")
        == [[.text("b"), .integer(3)], [.text("c"), .null]])
  }

  @Test("follow also when their own class is upgraded later")
  func followedLater() throws {
    let vault = try league()
    try vault.install([Self.titled])
    try vault.run("DELETE FROM Team WHERE title = 'green'")
    #expect(try vault.rows("SELECT name FROM Player") == [[.text("a")], [.text("c")]])
    try vault.install([Self.titled, Self.playerOfTitled])
    #expect(
      try vault.rows("SELECT name, team FROM Player ORDER BY 1")
        == [[.text("a"), .text("blue")], [.text("c"), .null]])
  }

  @Test("refer by several properties from now on where the objectID is of several")
  func composite() throws {
    let vault = try league()
    let team = Self.team.with(objectID: ["city", "title"])
    let player = Self.player.with(
      [
        Self.player.properties[0], .init("team_city", String?.self),
        .init("team_title", String?.self),
      ],
      references: [
        ReferenceDescription(
          "team", properties: ["team_city", "team_title"], target: "Team",
          targetColumns: ["city", "title"], onDelete: .nullify)
      ])
    try vault.install([player, team])
    #expect(
      try vault.rows("SELECT name, team_city, team_title FROM Player ORDER BY 1") == [
        [.text("a"), .text("Bergen"), .text("blue")], [.text("b"), .text("Oslo"), .text("green")],
        [.text("c"), .null, .null],
      ])
  }

  @Test("refer to it by its new name where a property of the objectID was renamed")
  func renamedKey() throws {
    let vault = try league()
    try vault.install([Self.titled, Self.playerOfTitled])
    let renamed = Self.titled.with(
      [.init("called", String.self, renamedFrom: ["title"]), Self.team.properties[1]],
      objectID: ["called"])
    // The other class is as it was: its table is brought along.
    try vault.install([renamed])
    let keys = try vault.vault.file().read { try Schema(on: $0).foreignKeys(of: "Player") }
    #expect(keys.map(\.targetColumns) == [["called"]])
    try vault.run("UPDATE Team SET called = 'navy' WHERE called = 'blue'")
    #expect(try vault.rows("SELECT team FROM Player WHERE name = 'a'") == [[.text("navy")]])
  }

  @Test("follow a class to its new table, with its indexes and what it had given", .covers("A1"))
  func renamedClass() throws {
    let vault = try league()
    try vault.run("CREATE INDEX theirs ON Team (city) WHERE city <> 'x'")
    try vault.install([Self.team.with(indexes: [IndexDescription(["title"])])])
    var club = ClassDescription(
      "Club", properties: Self.team.properties, indexes: [IndexDescription(["title"])])
    club.renamedFrom = ["Society", "Team"]
    let old = try vault.vault.store(of: Self.team.with(indexes: club.indexes))
    try vault.install([club])
    #expect(try vault.vault.classes().map(\.name) == ["Club", "Player"])
    #expect(code { _ = try old.count() } == .invalidated)
    #expect(
      try vault.rows("SELECT name FROM sqlite_master WHERE tbl_name = 'Club' ORDER BY 1")
        == [[.text("Club")], [.text("ov_Club__title")], [.text("theirs")]])
    let keys = try vault.vault.file().read { try Schema(on: $0).foreignKeys(of: "Player") }
    #expect(keys.map(\.table) == ["Club"])
    try vault.insert(club, [.text("grey"), .text("Bodø")])
    #expect(
      try vault.rows("SELECT objectID FROM Club")
        == [[.integer(2)], [.integer(3)], [.integer(4)]])
    let before = try vault.schema()
    #expect(try vault.another().store(of: club).count() == 3)
    #expect(try vault.schema() == before)
  }

  @Test("what another program made is not renamed, and a class that was kept elsewhere is new")
  func foreignNotRenamed() throws {
    let vault = try ChangingVault()
    try vault.run("CREATE TABLE Team (title TEXT PRIMARY KEY NOT NULL)")
    var club = ClassDescription(
      "Club", properties: [.init("title", String.self)], objectID: ["title"])
    club.renamedFrom = ["Team"]
    #expect(try vault.vault.store(of: club).count() == 0)
    #expect(try vault.rows("SELECT count(*) FROM Team") == [[.integer(0)]])
  }

  @Test("two that refer to each other change their objectIDs together")
  func circle() throws {
    let man = ClassDescription(
      "Man", properties: [.init("name", String.self), .init("wife", Int64?.self)],
      references: [ReferenceDescription("wife", target: "Woman")])
    let woman = ClassDescription(
      "Woman", properties: [.init("name", String.self), .init("husband", Int64?.self)],
      references: [ReferenceDescription("husband", target: "Man")])
    let vault = try ChangingVault()
    try vault.install([man, woman])
    try vault.run(
      "INSERT INTO Man VALUES (5, 'm', 9)", "INSERT INTO Woman VALUES (9, 'w', 5)",
      "INSERT INTO Woman VALUES (10, 'x', NULL)")
    func named(_ description: ClassDescription, _ name: String, _ target: String)
      -> ClassDescription
    {
      description.with(
        [.init("name", String.self), .init(name, String?.self)], objectID: ["name"],
        references: [ReferenceDescription(name, target: target, targetColumns: ["name"])])
    }
    try vault.install([named(man, "wife", "Woman"), named(woman, "husband", "Man")])
    #expect(try vault.rows("SELECT name, wife FROM Man") == [[.text("m"), .text("w")]])
    #expect(
      try vault.rows("SELECT name, husband FROM Woman ORDER BY 1")
        == [[.text("w"), .text("m")], [.text("x"), .null]])
  }

  private static let city = ClassDescription(
    "City", properties: [.init("name", String.self), .init("rank", Int.self)])

  private static func guest(of target: String, _ column: String) -> ClassDescription {
    ClassDescription(
      "Guest", properties: [.init("name", String.self), .init("city", Int64?.self)],
      references: [ReferenceDescription("city", target: target, targetColumns: [column])])
  }

  /// Returns a vault with two cities, whose numbers are the ranks in the other order, and a guest
  /// of each.
  private func cities() throws -> ChangingVault {
    let vault = try ChangingVault()
    let guest = Self.guest(of: "City", ClassDescription.generatedIDColumn)
    try vault.install([Self.city, guest])
    try vault.insert(Self.city, [.text("A"), .integer(2)], [.text("B"), .integer(1)])
    try vault.insert(guest, [.text("a"), .integer(1)], [.text("b"), .integer(2)])
    return vault
  }

  @Test("back to generated ones are those that references of other classes still have")
  func numbersAgain() throws {
    let vault = try cities()
    let ranked = Self.city.with(objectID: ["rank"])
    try vault.insert(ranked, [.text("C"), .integer(-5)])
    #expect(try vault.vault.store(of: Self.city).count() == 3)
    #expect(
      try vault.rows("SELECT objectID, name FROM City ORDER BY 1") == [
        [.integer(1), .text("A")], [.integer(2), .text("B")], [.integer(3), .text("C")],
      ])
    let guests = try vault.vault.store(of: Self.guest(of: "City", "objectID"))
    #expect(try guests.where("city.name == 'A'").first()?.value(of: "name") == .text("a"))
    #expect(try guests.where("city.name == 'B'").first()?.value(of: "name") == .text("b"))
    try vault.checkSettings()
  }

  @Test("of a class that gets another name, too, are followed by classes that are opened later")
  func renamedAlone() throws {
    let vault = try cities()
    let town = ClassDescription(
      "Town", properties: Self.city.properties, objectID: ["rank"], renamedFrom: ["City"])
    _ = try vault.vault.store(of: town)
    // The description of the other class has the present name.
    let described = try vault.vault.classes().first { $0.name == "Guest" }
    #expect(described?.references.map(\.target) == ["Town"])
    let guests = try vault.vault.store(of: Self.guest(of: "Town", "rank"), with: [town])
    #expect(try guests.all().map { try $0.value(of: "city") } == [.integer(2), .integer(1)])
  }

  @Test("columns that no property has are dropped when that is asked for, and not before")
  func dropping() throws {
    let vault = try league()
    let less = Self.team.with([Self.team.properties[0]])
    let store = try vault.vault.store(of: less)
    #expect(
      code { try vault.vault.transaction { _ = try store.dropRemovedProperties() } }
        == .upgradeInTransaction)
    try vault.run("CREATE INDEX theirs ON Team (city)")
    #expect(code { _ = try store.dropRemovedProperties() } == .upgradeRefused)
    try vault.run("DROP INDEX theirs")
    #expect(try store.dropRemovedProperties() == ["city"])
    try vault.checkSettings()
    #expect(try store.dropRemovedProperties() == [])
    #expect(
      try vault.rows("SELECT * FROM Team") == [
        [.integer(2), .text("blue")], [.integer(3), .text("green")],
      ])
    #expect(try vault.rows("SELECT count(*) FROM Player") == [[.integer(3)]])
  }
}
