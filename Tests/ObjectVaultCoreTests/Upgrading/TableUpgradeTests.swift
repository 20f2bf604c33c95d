@testable import ObjectVaultCondition
@testable import ObjectVaultModel
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultCore

@testable import ObjectVaultSchema
@testable import ObjectVaultFile
@testable import ObjectVaultDriver

@Suite("What becomes of a table whose class changed")
struct TableUpgradeTests {
  /// A table as the file has it, with the class as the file describes it.
  private func upgrade(
    _ sql: String, described: ClassDescription? = nil, to description: ClassDescription
  ) throws -> (upgrade: TableUpgrade, text: String) {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
    let columns = try vault.file().transaction { connection in
      try connection.execute(sql)
      return try Schema(on: connection).columns(of: description.table)
    }
    let upgrade = TableUpgrade(
      description: description, present: columns, described: described)
    let old = try #require(TableText(sql))
    return (upgrade, upgrade.text(from: old).statement(named: description.table))
  }

  private func person(
    _ properties: PropertyDescription..., objectID: [String] = []
  ) -> ClassDescription {
    ClassDescription("Person", properties: properties, objectID: objectID)
  }

  private static let table = """
    CREATE TABLE "Person" ("objectID" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, \
    "age" INTEGER)
    """

  @Test("nothing, where the class is as the table, whatever the order of its properties")
  func unchanged() throws {
    let found = try upgrade(
      Self.table, to: person(.init("age", Int?.self), .init("name", String.self)))
    #expect(!found.upgrade.needsRebuild)
    #expect(found.upgrade.added.isEmpty && found.upgrade.left.isEmpty)
    #expect(SQLToken.tokens(of: found.text) == SQLToken.tokens(of: Self.table))
  }

  @Test("columns are added where they may be empty or have a default, and rebuilt in otherwise")
  func added() throws {
    let optional = try upgrade(
      Self.table,
      to: person(
        .init("name", String.self), .init("age", Int?.self), .init("note", String?.self),
        .init("rank", Int.self, defaultValue: 3)))
    #expect(!optional.upgrade.needsRebuild)
    #expect(optional.upgrade.added.map(\.name) == ["note", "rank"])
    let required = try upgrade(
      Self.table,
      to: person(.init("name", String.self), .init("age", Int?.self), .init("rank", Int.self)))
    #expect(required.upgrade.needsRebuild)
    #expect(required.text.hasSuffix("\"age\" INTEGER, \"rank\" INTEGER NOT NULL)"))
  }

  @Test("a renamed column keeps its values, also in checks, and the latest of its names counts")
  func renamed() throws {
    let found = try upgrade(
      """
      CREATE TABLE "Person" ("objectID" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL \
      CHECK(length(name) > 0), "age" INTEGER)
      """,
      to: person(
        .init("fullName", String.self, renamedFrom: ["middle", "name"]), .init("age", Int?.self)))
    #expect(found.upgrade.needsRebuild)
    #expect(found.upgrade.origins == [.column("name"), .column("age")])
    #expect(found.text.contains("\"fullName\" TEXT NOT NULL CHECK ( length ( \"fullName\" ) > 0 )"))
    // A name that another property has now is that one's.
    let taken = try upgrade(
      Self.table,
      to: person(
        .init("name", String.self), .init("age", Int?.self),
        .init("alias", String?.self, renamedFrom: ["name"])))
    #expect(taken.upgrade.origins == [.column("name"), .column("age"), .none])
  }

  @Test("types and whether a value may be missing change in a rebuild")
  func converted() throws {
    let found = try upgrade(
      Self.table,
      described: person(.init("name", String.self), .init("age", Int?.self)),
      to: person(.init("name", String?.self), .init("age", Double.self)))
    #expect(found.upgrade.needsRebuild)
    #expect(found.upgrade.origins == [.column("name"), .converted("age", from: .int)])
    #expect(found.text.hasSuffix("\"name\" TEXT, \"age\" REAL NOT NULL)"))
    // A narrower type of the same column has to be looked at, a wider one not.
    let narrow = try upgrade(
      Self.table, described: person(.init("name", String.self), .init("age", Int?.self)),
      to: person(.init("name", String.self), .init("age", Int8?.self)))
    #expect(narrow.upgrade.origins.last == .converted("age", from: .int))
    let wide = try upgrade(
      Self.table, described: person(.init("name", String.self), .init("age", Int8?.self)),
      to: person(.init("name", String.self), .init("age", Int?.self)))
    #expect(!wide.upgrade.needsRebuild)
    // Each UUID and each character is a text; not each text is a character.
    for type in [PropertyType.uuid, .character] {
      let text = try upgrade(
        Self.table, described: person(.init("name", type: type), .init("age", Int?.self)),
        to: person(.init("name", String.self), .init("age", Int?.self)))
      #expect(!text.upgrade.needsRebuild)
    }
    for type in [PropertyType.uuid, .string] {
      let character = try upgrade(
        Self.table, described: person(.init("name", type: type), .init("age", Int?.self)),
        to: person(.init("name", Character.self), .init("age", Int?.self)))
      #expect(character.upgrade.origins.first == .converted("name", from: type))
    }
  }

  @Test("a property that is gone leaves its column, which asks for no value any more")
  func removed() throws {
    let found = try upgrade(Self.table, to: person(.init("age", Int?.self)))
    #expect(found.upgrade.needsRebuild)
    #expect(found.upgrade.left.map(\.name) == ["name"])
    #expect(found.text.hasSuffix("\"name\" TEXT, \"age\" INTEGER)"))
    let optional = try upgrade(Self.table, to: person(.init("name", String.self)))
    #expect(!optional.upgrade.needsRebuild)
  }

  @Test("the objectID goes from generated to bound, to composite, and back")
  func objectIDs() throws {
    let bound = try upgrade(
      Self.table,
      to: person(.init("name", String.self), .init("age", Int?.self), objectID: ["name"]))
    #expect(bound.upgrade.changesObjectID && bound.upgrade.needsRebuild)
    #expect(
      bound.text == """
        CREATE TABLE "Person" ("objectID" INTEGER, "name" TEXT PRIMARY KEY NOT NULL, "age" INTEGER)
        """)
    // A column that no property has keeps its constraints if it has a default for new rows.
    let leaving = try upgrade(
      """
      CREATE TABLE "Person" ("objectID" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, \
      "rank" INTEGER NOT NULL DEFAULT 3)
      """, to: person(.init("name", String.self), objectID: ["name"]))
    #expect(leaving.text.hasSuffix("\"rank\" INTEGER NOT NULL DEFAULT 3)"), "\(leaving.text)")
    let composite = try upgrade(
      Self.table,
      to: person(.init("name", String.self), .init("age", Int.self), objectID: ["name", "age"]))
    #expect(
      composite.text.hasSuffix("\"age\" INTEGER NOT NULL, PRIMARY KEY ( \"name\" , \"age\" ))"))
    let generated = try upgrade(
      "CREATE TABLE Person (name TEXT, age INTEGER, PRIMARY KEY (name)) WITHOUT ROWID",
      to: person(.init("name", String.self), .init("age", Int?.self)))
    #expect(
      generated.text == """
        CREATE TABLE "Person" ("objectID" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, \
        "age" INTEGER)
        """)
  }

  @Test(
    "values become those of another type where nothing of them is lost",
    arguments: [
      (.integer(5), .double, .real(5)), (.integer(1 << 53 + 1), .double, nil),
      (.real(5), .int, .integer(5)), (.real(5.5), .int, nil), (.integer(300), .uint8, nil),
      (.integer(-1), .uint, nil), (.integer(12), .string, .text("12")),
      (.real(0.1), .string, .text("0.1")), (.text("12"), .int, .integer(12)),
      (.text("012"), .int, nil), (.text("1.5"), .double, .real(1.5)), (.text("abc"), .int, nil),
      (.text("1.50"), .double, nil), (.integer(1), .bool, .integer(1)), (.integer(2), .bool, nil),
      (.text("a"), .character, .text("a")), (.text("ab"), .character, nil),
      (.blob([1]), .string, nil), (.text("x"), .data, nil), (.integer(7), .decimal, .text("7")),
      (.text("1.20"), .decimal, .text("1.2")), (.text("3.00"), .decimal, .text("3")),
      (.text("0.0"), .decimal, .text("0")), (.text("-0.5"), .decimal, .text("-0.5")),
      (.text("007"), .decimal, nil), (.text("+49301"), .decimal, nil), (.text("-0"), .decimal, nil),
      (.text("1e5"), .decimal, nil), (.text("00.5"), .decimal, nil), (.integer(9), .date, nil),
      (.text("{\"a\": [1.50, 1e2, -0, 3]}"), .json, .text("{\"a\":[1.5,100.0,0,3]}")),
      (.text("[19.999999999999999999999]"), .json, nil), (.text("[1e-400]"), .json, nil),
      (.null, .int, .null),
    ] as [(StoredValue, PropertyType, StoredValue?)])
  func values(value: StoredValue, type: PropertyType, expected: StoredValue?) {
    let property = PropertyDescription("p", type: type, isOptional: true)
    let description = ClassDescription("C", properties: [property])
    #expect(property.converted(value, from: .int, in: description, at: 0) == expected)
  }
}
