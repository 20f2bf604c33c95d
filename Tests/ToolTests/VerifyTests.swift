import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import TestSupport
import Testing

@Suite("objectvault verify and objectvault salvage") struct VerifyTests {
  private let tool: TestTool

  init() throws {
    tool = try TestTool.withVault()
    try tool.fill(
      "Note", "text\n" + (1...3000).map { "words of note number \($0)\n" }.joined(), "notes.csv")
  }

  private var pageCount: Int { get throws { try tool.folder.size(of: "test.vault") / 4096 } }

  /// Changes a byte of a page of the vault.
  private func damage(_ page: Int, at offset: Int = 1000) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    data[(page - 1) * 4096 + offset] ^= 1
    try data.write(to: URL(fileURLWithPath: tool.vault))
  }

  private func json(_ result: ChildProcess) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return try #require(object as? [String: Any])
  }

  @Test("a sound vault: status 0, and nothing marked")
  func sound() throws {
    let result = try tool.run("verify")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.hasSuffix("test.vault is sound.\n"), "\(result.output)")
    #expect(!result.output.contains("\n!"))
    #expect(
      result.output.contains("\(try pageCount) pages of 4096 bytes, with authentication codes"))
    let report = try json(tool.run("verify", "--format", "json"))
    #expect(report["sound"] as? Bool == true)
    #expect(report["pages"] as? Int == (try pageCount))
    #expect((report["badPages"] as? [Any])?.isEmpty == true)
    #expect(report["commitCounter"] is NSNull)
    #expect(report["keyring"] as? String == "none")
  }

  @Test("a keyring of which only the spare copy is intact: status 1, with the remedy")
  func spareKeyring() throws {
    let tool = try KeyringTool()
    let arguments = ["verify", tool.vault, "--raw-key", "--key-env", "A"]
    #expect(try tool.run(arguments).code == 0)
    try tool.write(Array("cut off".utf8), to: "test.vault.keyring")
    let result = try tool.run(arguments)
    #expect(result.code == 1, "\(result.errors)")
    #expect(
      result.output.contains("! the keyring is missing or damaged, and only its spare copy"),
      "\(result.output)")
    let report = try json(tool.run(arguments + ["--format", "json"]))
    #expect(report["keyring"] as? String == "damaged")
  }

  @Test("bad pages are named with their class: status 1")
  func badPages() throws {
    let last = try pageCount
    try damage(last)
    try damage(9)
    let result = try tool.run("verify")
    #expect(result.code == 1)
    #expect(
      result.output.contains("! pages 9, \(last): do not authenticate; they hold 'Note'\n"),
      "\(result.output)")
    #expect(result.output.hasSuffix("test.vault is not sound.\n"))
    let pages = try json(tool.run("verify", "--format", "json"))["badPages"] as? [[String: Any]]
    #expect(pages?.map { $0["page"] as? Int } == [9, last])
    #expect(pages?.map { $0["defect"] as? String } == ["broken", "broken"])
    #expect(pages?.map { $0["of"] as? String } == ["'Note'", "'Note'"])
  }

  @Test("a reader of the report that went away leaves the exit status of verify and of salvage")
  func closedOutput() throws {
    try damage(9)
    for arguments in [
      ["verify", tool.vault], ["salvage", tool.vault, "--to", tool.folder.file("new.vault")],
    ] {
      let result = try SpawnedProgram.runWithClosedOutput(
        "objectvault", arguments + tool.keyOptions)
      #expect(result.code == 1, "\(result.errors)")
    }
  }

  @Test("bad pages in a row are one line, of verify and of salvage")
  func folding() throws {
    let last = try pageCount
    try (10...last - 1).forEach { try damage($0) }
    let verified = try tool.run("verify")
    #expect(verified.code == 1)
    #expect(
      verified.output.contains(
        "! pages 10-\(last - 1): do not authenticate; they hold 'Note'\n"), "\(verified.output)")
    #expect(verified.output.split(separator: "\n").filter { $0.hasPrefix("! page") }.count <= 2)
    let salvaged = try tool.run("salvage", "--to", tool.folder.file("new.vault"))
    #expect(salvaged.code == 1, "\(salvaged.errors)")
    #expect(
      salvaged.output.contains("! pages 10-\(last - 1) held 'Note'\n"), "\(salvaged.output)")
    #expect(salvaged.output.contains(#/ {4}lost with pages [0-9, -]+: /#), "\(salvaged.output)")
    #expect(salvaged.output.split(separator: "\n").count < 10, "\(salvaged.output)")
  }

  @Test("Bad pages that are scattered over the file are in one line of verify and of salvage")
  func scattered() throws {
    let bad = Array(stride(from: 10, through: try pageCount, by: 2))
    for page in bad { try damage(page) }
    let pages = bad.map(String.init).joined(separator: ", ")
    let verified = try tool.run("verify")
    #expect(
      verified.output.contains("! pages \(pages): do not authenticate; they hold 'Note'\n"),
      "\(verified.output)")
    let salvaged = try tool.run("salvage", "--to", tool.folder.file("new.vault"))
    #expect(salvaged.output.contains("! pages \(pages) held 'Note'\n"), "\(salvaged.output)")
  }

  /// Copies frozen files, of which the first is the database.
  private func frozen(_ names: String...) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    for name in names {
      try FileManager.default.copyItem(
        atPath: root.appendingPathComponent("Fixtures/databases/\(name)").path,
        toPath: tool.folder.file(name))
    }
    let digits = (1...32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try tool.write(digits + "\n", to: "frozen-key", mode: 0o600)
    return tool.folder.file(names[0])
  }

  @Test(
    "a sound file whose structure this engine cannot check: status 2",
    arguments: [["format4-4096-raw.db"], ["hot-journal.db", "hot-journal.db-journal"]])
  func unchecked(names: [String]) throws {
    let path = try names.count == 1 ? frozen(names[0]) : frozen(names[0], names[1])
    let options = ["--key-file", tool.folder.file("frozen-key"), "--raw-key"]
    let result = try TestTool.bare(["verify", path] + options)
    let canCheck = try names.count == 1 && Engine.prove().newestCipherFormat >= 4
    #expect(result.code == (canCheck ? 0 : 2), "\(result.output) \(result.errors)")
    #expect(!result.output.contains("\n!"), "\(result.output)")
    let verdict = canCheck ? "is sound.\n" : ": pages sound, structure not checked.\n"
    #expect(result.output.hasSuffix(verdict), "\(result.output)")
    let report = try json(TestTool.bare(["verify", path, "--format", "json"] + options))
    #expect(report["verdict"] as? String == (canCheck ? "sound" : "soundPages"))
    #expect(report["sound"] as? Bool == canCheck)
    #expect(report["unchecked"] is String == !canCheck)
  }

  @Test("an older copy is told by the number of commits: status 1")
  func olderCopy() throws {
    var result = try tool.run("verify", "--expect-counter", "1")
    #expect(result.code == 1)
    #expect(result.output.contains("! an older copy: no commits counted, 1 expected\n"))
    let vault = try tool.opened()
    let count: Int = try vault.commitCount()
    try vault.store(named: "Note").where("text == 'words of note number 1'").remove()
    vault.close()
    result = try tool.run("verify", "--expect-counter", "\(count + 1)")
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("commits counted: \(count + 1)\n"))
    result = try tool.run("verify", "--expect-counter", "\(count + 2)")
    #expect(result.code == 1)
    #expect(
      result.output.contains("! an older copy: \(count + 1) commits counted, \(count + 2) expected")
    )
  }

  @Test("a wrong key, a missing file and a wrong number are no reports")
  func refusals() throws {
    try tool.write(String(repeating: "ab", count: 32), to: "other", mode: 0o600)
    let other = ["--key-file", tool.folder.file("other"), "--raw-key"]
    #expect(try TestTool.bare(["verify", tool.vault] + other).code == 77)
    #expect(try TestTool.bare(["verify", tool.folder.file("none")] + other).code == 66)
    #expect(try tool.run("verify", "--expect-counter", "-1").code == 64)
    #expect(
      try TestTool.bare(["salvage", tool.vault, "--to", tool.folder.file("n")] + other).code == 77)
    #expect(try tool.run("salvage").code == 64)
  }

  @Test("what can be read comes back, and what is lost is named: status 1")
  func salvage() throws {
    try damage(9)
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    let new = tool.folder.file("new.vault")
    let result = try tool.run("salvage", "--to", new)
    #expect(result.code == 1, "\(result.errors)")
    #expect(result.output.contains("! page 9 held 'Note'\n"), "\(result.output)")
    let line = try #require(result.output.firstMatch(of: /! Note: (\d+) rows recovered\n/))
    let lost = try #require(
      result.output.firstMatch(of: #/ {4}lost with page 9: objectID (\d+) to (\d+)\n/#))
    let back = try #require(Int(line.1))
    let (first, last) = (try #require(Int(lost.1)), try #require(Int(lost.2)))
    #expect(back + (last - first + 1) == 3000)
    #expect(result.output.hasSuffix("new.vault: recovered in part.\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)
    let count = try TestTool.bare(["verify", new] + tool.keyOptions)
    #expect(count.code == 0, "\(count.output)")

    let again = try tool.run("salvage", "--to", new)
    #expect(again.code == 73)
    #expect(again.errors.contains("already exists"))
  }

  @Test("a row that the table rejects is named, with the table that has its other values")
  func salvageRejected() throws {
    let tool = try TestTool.withVault()
    try tool.fill("Essay", "text\n\(String(repeating: "word ", count: 10_000))\n", "essays.csv")
    // The last pages have the end of the text.
    var data = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    data[data.count - 3000] ^= 1
    try data.write(to: URL(fileURLWithPath: tool.vault))
    let result = try tool.run("salvage", "--to", tool.folder.file("new.vault"))
    #expect(result.code == 1, "\(result.errors)")
    #expect(
      result.output.contains(
        """
        ! Essay: 0 rows recovered
            objectID 1 rejected by the table because 'text' is lost
            the rejected rows are in table lost_1
          lost_1: 1 row recovered

        """), "\(result.output)")
  }

  @Test("of a sound vault all comes back: status 0, also under another key")
  func salvageSound() throws {
    try tool.write("other words\n", to: "new-key", mode: 0o600)
    let newKey = tool.folder.file("new-key")
    let new = tool.folder.file("new.vault")
    let result = try tool.run("salvage", "--to", new, "--new-key-file", newKey)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("  Note: 3000 rows recovered\n"))
    #expect(result.output.hasSuffix("new.vault: everything was recovered.\n"))
    #expect(try TestTool.bare(["verify", new, "--key-file", newKey]).code == 0)
    #expect(try TestTool.bare(["verify", new] + tool.keyOptions).code == 77)
  }

  @Test("an index of words that is behind is named, and made anew by reindex")
  func reindex() throws {
    var result = try tool.run("reindex")
    #expect(result.code == 0)
    #expect(result.output == "No class has a full-text index. Nothing was changed.\n")
    let page = ClassDescription(
      "Page", properties: [.init("title", type: .string)], search: .init(["title"]))
    let vault = try tool.opened()
    var object = try DynamicObject(of: page)
    try object.set("title", to: .text("sea"))
    try vault.store(of: page).insert(object)
    try vault.file().transaction {
      try $0.execute("INSERT OR REPLACE INTO Page (objectID, title) VALUES (1, 'kraken')")
    }
    vault.close()
    result = try tool.run("verify")
    #expect(result.code == 1)
    #expect(
      result.output.contains(
        "! the full-text index of 'Page' does not match its texts: rebuild it with "
          + "'objectvault reindex'\n"), "\(result.output)")
    #expect(
      try json(tool.run("verify", "--format", "json"))["unsoundSearches"] as? [String] == ["Page"])
    #expect(try tool.run("reindex", "Note").code == 64)
    #expect(try tool.run("reindex", "Nothing").code == 66)
    result = try tool.run("reindex", "Page")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output == "Rebuilt the full-text index of class 'Page'.\n")
    #expect(try tool.run("verify").code == 0)
    #expect(try tool.run("reindex").output == result.output)
  }
}
