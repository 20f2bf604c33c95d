import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultKeys
import ObjectVaultSession
import Testing
import TestSupport

/// Ten versions of three classes that refer to one another, as an application's history has them.
private struct Edition {
  let number: Int

  static let last = 10

  /// School, room and pupil.
  var classes: [ClassDescription] { [school, room, pupil] }

  private var school: ClassDescription {
    var properties: [PropertyDescription] = [.init("name", String.self)]
    if number < 7 { properties.append(.init("city", String.self)) }
    if number >= 2 { properties.append(.init("motto", String.self, defaultValue: "it's")) }
    return ClassDescription("School", properties: properties, objectID: number >= 8 ? ["name"] : [])
  }

  private var room: ClassDescription {
    var properties: [PropertyDescription] = []
    properties.append(
      number >= 5 ? .init("number", String.self) : .init("number", Int.self))
    properties.append(number >= 8 ? .init("school", String?.self) : .init("school", Int64?.self))
    let reference = ReferenceDescription(
      "school", target: "School", targetColumns: [number >= 8 ? "name" : "objectID"],
      onDelete: number >= 3 ? .cascade : .nullify)
    return ClassDescription(
      roomTable, properties: properties,
      indexes: number >= 6 ? [IndexDescription(["school", "number"], unique: true)] : [],
      references: [reference], renamedFrom: number >= 9 ? ["Room"] : [])
  }

  private var roomTable: String { number >= 9 ? "Classroom" : "Room" }

  private var pupil: ClassDescription {
    var properties: [PropertyDescription] = [.init("name", String.self)]
    properties.append(
      number >= 4 ? .init("years", Int.self, renamedFrom: ["age"]) : .init("age", Int.self))
    properties.append(.init("room", Int64?.self))
    if number >= 7 { properties.append(.init("note", String?.self)) }
    if number >= 10 { properties.append(.init("rank", Int.self, defaultValue: 3)) }
    return ClassDescription(
      "Pupil", properties: properties, indexes: number >= 6 ? [IndexDescription(["name"])] : [],
      references: number >= 3
        ? [
          ReferenceDescription(
            "room", target: roomTable, onDelete: number >= 10 ? .cascade : .nullify)
        ] : [])
  }

  static let (schools, rooms, pupils) = (1_000, 14_000, 85_000)

  /// What fills the tables, the same in every version as far as it has it.
  func statements(seed: Int64) -> [String] {
    func fill(_ table: String, _ count: Int, _ values: [String: String]) -> String {
      let columns = values.keys.sorted()
      return """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
        INSERT INTO "\(table)" (\(columns.map { "\"\($0)\"" }.joined(separator: ", "))) \
        SELECT \(columns.map { values[$0] ?? "" }.joined(separator: ", ")) FROM n
        """
    }
    /// A number below `limit` that looks random.
    func some(_ limit: Int, _ salt: Int) -> String {
      "((i * 7919 + \(seed &+ Int64(salt)) % 10007) * 104729 % 1000003 % \(limit))"
    }
    var school = ["name": "'Schule é ' || i"]
    if number < 7 { school["city"] = "'city ' || (i % 9)" }
    if number >= 2 { school["motto"] = "'it''s'" }
    let which = "(1 + \(some(Self.schools, 1)))"
    let room = [
      "number": number >= 5 ? "CAST(i AS TEXT)" : "i",
      "school": "CASE WHEN i % 10 THEN \(number >= 8 ? "'Schule é ' || \(which)" : which) END",
    ]
    var pupil = [
      "name": "'pupil ' || \(some(50_000, 2))", number >= 4 ? "years" : "age": some(20, 3),
      "room": "CASE WHEN i % 7 THEN 1 + \(some(Self.rooms, 4)) END",
    ]
    if number >= 10 { pupil["rank"] = "3" }
    return [
      fill("School", Self.schools, school), fill(roomTable, Self.rooms, room),
      fill("Pupil", Self.pupils, pupil),
      "DELETE FROM \"Pupil\" WHERE \"objectID\" > \(Self.pupils - 3)",
    ]
  }

  /// What must have survived in the last version, as texts of all rows.
  static let survivors = [
    "SELECT group_concat(rowid || '|' || quote(name) || quote(motto)) FROM School",
    "SELECT group_concat(objectID || '|' || quote(number) || quote(school)) FROM Classroom",
    """
    SELECT group_concat(objectID || '|' || quote(name) || quote(years) || quote(room) || \
    quote(note) || quote(rank)) FROM Pupil
    """,
    // That of the schools is retained in case that they get generated numbers again.
    """
    SELECT group_concat(name || ' ' || seq) FROM \
    (SELECT * FROM sqlite_sequence WHERE name <> 'School' ORDER BY name)
    """,
  ]
}

@Suite("A ladder of ten versions", .serialized)
struct UpgradeLadderTests {
  private static let seed = Int64(SeededGenerator(for: "the ladder of versions").seed % 1_000_000)

  private func install(_ edition: Edition, in vault: ChangingVault) throws {
    try SchemaInstallation(
      database: vault.vault, opened: vault.vault.file(),
      declarations: edition.classes.map { ClassDeclaration($0) }
    ).install()
  }

  private func file(of number: Int) throws -> ChangingVault {
    let vault = try ChangingVault()
    let edition = Edition(number: number)
    try install(edition, in: vault)
    try vault.vault.file().transaction { connection in
      for statement in edition.statements(seed: Self.seed) { try connection.execute(statement) }
    }
    return vault
  }

  /// The digests of what must have survived, and the schema as far as it must be the same.
  private func content(_ vault: ChangingVault) throws -> [String] {
    try Edition.survivors.map { sql in
      var digest = try ContentDigest()
      guard case .text(let text) = try vault.rows(sql)[0][0] else { return "nothing" }
      Array(text.utf8).withUnsafeBytes { digest.update($0) }
      return "\(text.utf8.count) \(try digest.finish())"
    }
      + vault.rows(
        "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1"
      ).map { "\($0)" }
  }

  @Test(
    "is climbed from each version to the last, a third of them per commit, and nothing is lost",
    .covers("S64", "X4", "J1", "J27"))
  func climbing() throws {
    let last = try content(file(of: Edition.last))
    for number in 1..<Edition.last
    where runsAllRounds || number % 3 == FaultRotation().part % 3 {
      let vault = try file(of: number)
      try install(Edition(number: Edition.last), in: vault)
      #expect(try content(vault) == last, "from version \(number)")
      #expect(try vault.rows("PRAGMA foreign_key_check").isEmpty)
      #expect(try vault.rows("PRAGMA integrity_check") == [[.text("ok")]])
    }
  }

  @Test("is climbed step by step to the same")
  func stepByStep() throws {
    let vault = try file(of: 1)
    for number in 2...Edition.last { try install(Edition(number: number), in: vault) }
    #expect(try content(vault) == content(file(of: Edition.last)))
  }
}
