import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault remove") struct RemoveTests {
  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    try tool.fill("T", #"[{"a":1},{"a":2},{"a":3}]"#, "t.json")
    return tool
  }

  private func count(_ tool: TestTool) throws -> String {
    try tool.run("query", "T", "--count").output
  }

  @Test("with --yes it removes what the condition says and how many there were")
  func removal() throws {
    let tool = try filled()
    let result = try tool.run("remove", "T", "a >= %@", "--arg", "2", "--yes")
    #expect(result.output == "Removed 2 objects of class 'T'.\n", "\(result.errors)")
    #expect(try count(tool) == "1\n")
  }

  @Test("without a terminal and without --yes it says the number and removes nothing")
  func noTerminal() throws {
    let tool = try filled()
    let result = try tool.run("remove", "T", "a >= 2")
    #expect(result.code == 64)
    #expect(result.errors.contains("2 objects of class 'T' would be removed"))
    #expect(result.errors.contains("--yes"))
    #expect(try count(tool) == "3\n")
  }

  @Test("where nothing would go nobody is asked")
  func nothing() throws {
    let tool = try filled()
    let result = try tool.run("remove", "T", "a > 99")
    #expect(result.output == "Removed 0 objects of class 'T'.\n", "\(result.errors)")
  }

  @Test(
    "on a terminal it asks, and takes only yes for yes", arguments: ["y", "yes", "n", "", "yep"])
  func question(_ answer: String) throws {
    let tool = try filled()
    let terminal = try PseudoTerminal(
      "objectvault", ["remove", tool.vault, "T", "a >= 2"] + tool.keyOptions)
    #expect(terminal.expect("Remove 2 objects of class 'T'? [y/N] "))
    terminal.type(answer + "\r")
    let isYes = answer == "y" || answer == "yes"
    #expect(terminal.wait() == (isYes ? 0 : 64))
    #expect(terminal.transcript.contains(isYes ? "Removed 2 objects" : "Nothing was removed."))
    #expect(try count(tool) == (isYes ? "1\n" : "3\n"))
  }

  @Test("a condition is needed, and one that cannot be read removes nothing")
  func badConditions() throws {
    let tool = try filled()
    #expect(try tool.run("remove", "T", "--yes").code == 64)
    let result = try tool.run("remove", "T", "b == 1", "--yes")
    #expect(result.code == 64)
    #expect(result.errors.contains("no property 'b'"))
    #expect(try count(tool) == "3\n")
  }
}
