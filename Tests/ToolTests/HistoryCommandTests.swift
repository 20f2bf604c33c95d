import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault history", .covers("H4")) struct HistoryCommandTests {
  /// Two notes, one changed and one removed, and a plain class.
  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    let vault = try tool.opened()
    defer { vault.close() }
    let note = ClassDescription(
      "Note",
      properties: [.init("title", type: .string), .init("text", type: .string)],
      objectID: ["title"], options: TableOptions(history: .changes))
    let notes = try vault.store(of: note)
    for title in ["a", "b"] {
      var object = try DynamicObject(of: note)
      try object.set("title", to: .text(title))
      try object.set("text", to: .text("secret"))
      try notes.insert(object)
    }
    try vault.transaction {
      try vault.setAuthor("li")
      try notes.where("title == 'a'").update(set: ["text": "other"])
    }
    try notes.where("title == 'b'").remove()
    _ = try vault.store(of: ClassDescription("Plain", properties: [.init("a", type: .int)]))
    return tool
  }

  @Test("shows each change with its author and properties, and the position after the last")
  func table() throws {
    let tool = try filled()
    let before = try tool.content()
    let result = try tool.run("history")
    #expect(result.code == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 7, "\(result.output)")
    #expect(lines[4].contains("li") && lines[4].contains("updated") && lines[4].hasSuffix("text"))
    #expect(lines[5].contains("removed") && lines[6].hasPrefix("Position: 4-"))
    #expect(!result.output.contains("secret") && !result.output.contains("other"))
    #expect(try tool.content() == before)
    let classes = try tool.run("classes")
    #expect(classes.output.contains("\nrecords changes\n"), "\(classes.output)")
  }

  @Test("continues from a position, as JSON")
  func json() throws {
    let tool = try filled()
    struct Answer: Decodable {
      struct Change: Decodable {
        let position, time, kind: String
        let author: String?
        let objectID, properties: [String]
      }
      let changes: [Change]
      let position: String
      let more: Bool
    }
    func answer(_ option: String, _ value: String) throws -> Answer {
      let result = try tool.run("history", "Note", "--format", "json", option, value)
      #expect(result.code == 0, "\(result.errors)")
      return try JSONDecoder().decode(Answer.self, from: Data(result.output.utf8))
    }
    let first = try answer("--limit", "2")
    #expect(first.changes.map(\.kind) == ["inserted", "inserted"] && first.more)
    #expect(first.changes[0].objectID == ["a"] && first.changes[0].time.hasSuffix("Z"))
    let rest = try answer("--since", first.position)
    #expect(rest.changes.map(\.kind) == ["updated", "removed"] && !rest.more)
    #expect(rest.changes.map(\.author) == ["li", nil])
    #expect(rest.changes[0].properties == ["text"])
    #expect(rest.changes.last?.position == rest.position)
    let vault = try tool.opened()
    try vault.pruneHistory(keeping: 1)
    vault.close()
    let pruned = try tool.run("history", "--since", first.position)
    #expect(pruned.code == 65 && pruned.errors.contains("pruned"), "\(pruned.errors)")
  }

  @Test("rejects what is no position, no limit and no class with a history")
  func refused() throws {
    let tool = try filled()
    #expect(try tool.run("history", "--since", "yesterday").code == 64)
    #expect(try tool.run("history", "--limit", "0").code == 64)
    #expect(try tool.run("history", "None").code == 66)
    let plain = try tool.run("history", "Plain")
    #expect(plain.code == 64 && plain.errors.contains("records no changes"), "\(plain.errors)")
  }
}
