import Foundation
import ObjectVaultCore
import Testing
import TestSupport

/// What `Fixtures/STORAGE.md` shows of statements and descriptions, for those who read and write files
/// without the library's code.
@Suite("The page about storage") struct StoragePageTests {
  @Test("shows references and owned objects as they are described, and as the file has them")
  func references() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw([UInt8](1...32)))
    let room = ClassDescription(
      "Room", properties: [PropertyDescription("name", type: .string)], objectID: ["name"])
    let pupil = ClassDescription(
      "Pupil",
      properties: [
        PropertyDescription("seat", type: .int), PropertyDescription("teacher", type: .int64),
      ],
      references: [
        ReferenceDescription(
          "teacher", properties: ["teacher"], target: "Teacher", targetColumns: ["objectID"],
          onDelete: .cascade)
      ])
    let teacher = ClassDescription(
      "Teacher", properties: [PropertyDescription("room", type: .string)],
      references: [
        ReferenceDescription(
          "room", properties: ["room"], target: "Room", targetColumns: ["name"], onDelete: .deny)
      ],
      owned: [
        OwnedDescription("pupils", target: "Pupil", reference: "teacher", sortedBy: ["seat"])
      ])
    _ = try vault.store(of: teacher, with: [room, pupil])
    let table = try vault.value(
      "SELECT sql FROM sqlite_master WHERE name = 'Teacher'", as: String.self)
    let description = try vault.value(
      "SELECT description FROM objectvault_classes WHERE name = 'Teacher'", as: String.self)
    let key = try Self.block("REFERENCES \"Room\"")
    #expect(key.count == 1)
    #expect(try #require(table).contains("\"room\" TEXT NOT NULL \(key.joined())"))
    let members = try Self.block("\"references\":[").joined()
    #expect(try #require(description).contains(members), "\(description ?? "")")
  }

  @Test("shows removed properties as they are described")
  func removed() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw([UInt8](1...32)))
    let note = PropertyDescription("note", type: .string, isOptional: true)
    var student = ClassDescription(
      "Student", properties: [PropertyDescription("name", type: .string), note])
    _ = try vault.store(of: student)
    student.properties.removeLast()
    _ = try vault.store(of: student)
    let description = try vault.value(
      "SELECT description FROM objectvault_classes", as: String.self)
    let member = try Self.block("\"removed\":[").joined()
    #expect(try #require(description).contains(member), "\(description ?? "")")
  }

  @Test("shows the column and the trigger of ordered objects as the file has them", .covers("J69"))
  func ordered() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw([UInt8](1...32)))
    _ = try vault.store(of: Playlist<InOrder>.self)
    let trigger = try vault.value(
      "SELECT sql FROM sqlite_master WHERE name = 'objectvault_Track_order_playlist'",
      as: String.self)
    #expect(try Self.block("CREATE TRIGGER \"objectvault_Track_order") == [trigger])
    let order = try Self.block("\"ov_order_playlist\" IS NULL").joined()
    #expect(try vault.rows("SELECT * FROM \"Track\" ORDER BY \(unchecked: order)").isEmpty)
  }

  @Test("shows the statements of an index of words as they stand in the file")
  func statements() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw([UInt8](1...32)))
    _ = try vault.store(of: Self.note(.fts4))
    let made = try vault.rows(
      "SELECT sql FROM sqlite_master WHERE name LIKE 'objectvault_Note_search%' AND (type = 'trigger' OR name = 'objectvault_Note_search')"
    ).map { try $0.value(at: 0, as: String.self) }
    let shown = try Self.shown(.fts4)
    #expect(made.count == 5)
    #expect(made.sorted() == shown.sorted())
  }

  @Test("shows those of FTS5 as the library makes them")
  func ofFTS5() throws {
    let definition = try #require(SearchDefinition(Self.note(.fts5)))
    let made = definition.statements.map(\.sql)
    let shown = try Self.shown(.fts5)
    #expect(made.count == 4)
    #expect(made == shown)
  }

  @Test("shows the tables and triggers of a history as the file has them", .covers("H1"))
  func history() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw([UInt8](1...32)))
    var note = Self.note(.fts4)
    (note.search, note.options.history) = (nil, .changes)
    _ = try vault.store(of: note)
    func statements(_ condition: String) throws -> [String] {
      try vault.rows(SQLStatement(unchecked: "SELECT sql FROM sqlite_master WHERE \(condition)"))
        .map { try $0.value(at: 0, as: String.self) }
    }
    let triggers = try statements("type = 'trigger'")
    #expect(triggers.count == 4)
    #expect(try triggers.sorted() == Self.block("objectvault_Note_history_insert").sorted())
    let tables = try statements(
      "name IN ('objectvault_history', 'objectvault_author') ORDER BY name DESC")
    #expect(try tables.map { $0 + ";" } == Self.block("CREATE TABLE objectvault_history"))
  }

  @Test("Shows the statements of an index of grams as the library makes them", .covers("S76"))
  func ofGrams() throws {
    var note = Self.note(.fts4)
    note.search?.properties = ["title"]
    note.search?.tokenizer = .trigram
    let made = try #require(SearchDefinition(note)).statements.map(\.sql)
    #expect(made.count == 6)
    #expect(try made == Self.block("objectvault_Note_search_grams"))
  }

  private static func note(_ module: SearchDescription.Module) -> ClassDescription {
    ClassDescription(
      "Note",
      properties: [
        PropertyDescription("title", type: .string),
        PropertyDescription("text", type: .string, isOptional: true),
      ], search: SearchDescription(["title", "text"], module: module))
  }

  /// The statements that the page shows for a module.
  private static func shown(_ module: SearchDescription.Module) throws -> [String] {
    try block("USING \(module.rawValue)(")
  }

  /// The lines of the first block of the page that has a text.
  private static func block(_ text: String) throws -> [String] {
    let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let page = try String(
      contentsOf: root.appendingPathComponent("Fixtures/STORAGE.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }
    return try #require(blocks.first { $0.element.contains(text) }?.element)
      .split(separator: "\n").dropFirst().map(String.init)
  }
}
