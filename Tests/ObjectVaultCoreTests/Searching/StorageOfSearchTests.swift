import Foundation
import TestSupport
import Testing

@testable import ObjectVaultCore

/// What `Fixtures/STORAGE.md` says of indexes of words, for those who read and write files without the
/// library's code.
@Suite("The page about storage") struct StorageOfSearchTests {
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
    let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let page = try String(
      contentsOf: root.appendingPathComponent("Fixtures/STORAGE.md"), encoding: .utf8)
    return try #require(
      page.components(separatedBy: "```").first { $0.contains("USING \(module.rawValue)(") }
    ).split(separator: "\n").dropFirst().map(String.init)
  }
}
