import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("The tool and identities", .cheapSlots) struct IdentityCommandTests {
  private let tool: KeyringTool
  private let identity: String

  init() throws {
    tool = try KeyringTool()
    identity = tool.folder.file("server.identity")
  }

  /// Generates the identity and returns its recipient.
  private func generated() throws -> String {
    let result = try tool.run(["keys", "generate", "--output", identity])
    #expect(result.status == 0)
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("generate a file that only its owner can read, and replace none", .covers("K11"))
  func generate() throws {
    let recipient = try generated()
    #expect(try KeyringRecipient(recipient).description == recipient)
    #expect(try mode(identity) == 0o600)
    let content = try String(contentsOfFile: identity, encoding: .utf8)
    #expect(content.contains("\nOVIDENTITY1") && content.contains(recipient))
    let again = try tool.run(["keys", "generate", "--output", identity])
    #expect(again.status == 73 && again.output.isEmpty)
    #expect(again.errors.contains("already exists"))
    #expect(try String(contentsOfFile: identity, encoding: .utf8) == content)
    let printed = try tool.run(["keys", "recipient", identity])
    #expect(printed.output == recipient + "\n" && printed.status == 0)
    #expect(
      try tool.run(["keys", "generate", "-o", tool.folder.file("none/x")]).status == 73)
    chmod(identity, 0o644)
    #expect(try tool.run(["keys", "recipient", identity]).status == 77)
    #expect(try tool.run(["keys", "recipient", tool.folder.file("none")]).status == 66)
  }

  @Test("open the vault in every command after the recipient was added", .covers("K1"))
  func opening() throws {
    let recipient = try generated()
    let file = tool.folder.file("recipient")
    try Data("# mine\n\(recipient)\n".utf8).write(to: URL(fileURLWithPath: file))
    #expect(try tool.keys("add", by: "A", "server", "--recipient", recipient).status == 0)
    #expect(try tool.keys("add", by: "A", "twin", "--recipient", "@\(file)").status == 0)
    for arguments in [
      ["classes", tool.vault], ["keys", "test", tool.vault], ["verify", tool.vault],
      ["keys", "rename", tool.vault, "twin", "other"], ["keys", "rotate", tool.vault],
      ["keys", "recovery", tool.vault], ["keys", "remove", tool.vault, "other", "--yes"],
    ] {
      let result = try tool.run(arguments + ["--identity", identity])
      #expect(result.status == 0, "\(arguments): \(result.errors)")
    }
    let content = try Data(contentsOf: URL(fileURLWithPath: identity))
    for option in [["--key-file", identity], ["--key-file", "-"]] {
      let input = SpawnedProgram.Input.pipe([UInt8](content))
      let result = try tool.run(
        ["keys", "test", tool.vault, "--slot", "server"] + option, input: input)
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test("report another identity, a wrong recipient and contradicting options")
  func refused() throws {
    _ = try generated()
    #expect(try tool.run(["keys", "test", tool.vault, "--identity", identity]).status == 77)
    for wrong in ["ovrecipient1xyz", "", "OVIDENTITY1"] {
      #expect(try tool.keys("add", by: "A", "x", "--recipient", wrong).status == 77)
    }
    #expect(try tool.keys("add", by: "A", "x", "--recipient", "@/none").status == 66)
    let folder = try tool.keys("add", by: "A", "x", "--recipient", "@\(tool.folder.path)")
    #expect(folder.status == 66 && folder.errors.contains("is a folder"), "\(folder.errors)")
    let other = tool.folder.file("plain.vault")
    let plain = try Vault(at: other, key: .passphrase(KeyringTool.passphrase))
    try plain.open()
    plain.close()
    #expect(try tool.run(["classes", other, "--identity", identity]).status == 66)
    for options in [
      ["--identity", identity, "--raw-key"], ["--identity", identity, "--recovery-code"],
      ["--identity", identity, "--key-env", "A"], ["--identity", identity, "--provider", "x"],
      ["--identity", identity, "--no-keyring"],
    ] {
      #expect(try tool.run(["classes", tool.vault] + options).status == 64, "\(options)")
    }
  }

  @Test("keep the slots of recipients when others are revoked", .covers("K3"))
  func revocation() throws {
    let recipient = try generated()
    #expect(try tool.keys("add", by: "A", "server", "--recipient", recipient).status == 0)
    #expect(
      try tool.keys("add", by: "A", "b", "--new-raw-key", "--new-key-env", "B").status == 0)
    let result = try tool.keys("rotate", by: "A", "--revoke", "--drop", "b", "--yes")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try tool.run(["classes", tool.vault, "--identity", identity]).status == 0)
    #expect(try tool.keys("test", by: "B").status == 77)
    let dropped = try tool.keys("rotate", by: "A", "--revoke", "--drop", "server", "--yes")
    #expect(dropped.status == 0 && dropped.output.contains("'server'"))
    #expect(try tool.run(["classes", tool.vault, "--identity", identity]).status == 77)
  }

  @Test("create a vault whose first slot is that of an identity")
  func firstSlot() throws {
    _ = try generated()
    let vault = tool.folder.file("new.vault")
    let made = try tool.run(["create", vault, "--keyring", "--identity", identity])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try tool.run(["classes", vault, "--identity", identity]).status == 0)
    #expect(try tool.run(["create", vault + "2", "--identity", identity]).status == 64)
  }

  @Test("list the cost, the date and the recipient of each slot", .covers("K9"))
  func list() throws {
    let recipient = try generated()
    #expect(try tool.keys("add", by: "A", "server", "--recipient", recipient).status == 0)
    #expect(
      try tool.keys("add", by: "A", "words", "--new-key-env", "WORDS", "--cost", "16").status == 0)
    let table = try tool.keys("list", by: nil)
    #expect(table.output.contains("16 (64 MiB)") && table.output.contains(recipient))
    let day = Date().formatted(.iso8601.year().month().day())
    #expect(table.output.contains(day) && !table.output.contains("unknown"))
    let json = try tool.keys("list", by: nil, "--format", "json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let slots = try #require(object["slots"] as? [[String: Any]])
    #expect(slots.map { $0["kind"] as? String } == ["raw", "recipient", "passphrase"])
    #expect(slots.map { $0["cost"] as? Int } == [nil, nil, 16])
    #expect(slots.map { $0["recipient"] as? String } == [nil, recipient, nil])
    #expect(slots.allSatisfy { ($0["created"] as? String)?.hasPrefix(day) == true })
    #expect(slots.allSatisfy { $0["provider"] is NSNull && $0["description"] is NSNull })
  }

  @Test("raise the cost of a slot, and never lower it", .covers("K10"))
  func upgrade() throws {
    #expect(
      try tool.keys("add", by: "A", "words", "--new-key-env", "WORDS", "--cost", "16").status == 0)
    func upgrade(_ options: String...) throws -> ChildProcess {
      try tool.run(
        ["keys", "upgrade", tool.vault, "--slot", "words", "--key-env", "WORDS"] + options)
    }
    let raised = try upgrade("--cost", "17")
    #expect(
      raised.output == "Raised the cost of the slot 'words' from 16 (64 MiB) to 17 (128 MiB).\n")
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault + ".keyring"))
    let same = try upgrade("--cost", "16")
    #expect(same.status == 0 && same.output.contains("Nothing was changed"))
    let raw = try tool.keys("upgrade", by: "A")
    #expect(raw.status == 0 && raw.output.contains("Nothing was changed"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault + ".keyring")) == before)
    #expect(try tool.keys("test", by: nil, "--key-env", "WORDS").status == 0)
    #expect(try upgrade("--cost", "21").status == 64)
  }
}
