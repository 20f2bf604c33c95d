import Foundation
import ObjectVaultCore
@testable import ObjectVaultTool
import TestSupport
import Testing

@Suite("The tool's command line") struct UsageTests {
  @Test("help goes to standard output, for each subcommand")
  func help() throws {
    let whole = try TestTool.bare(["--help"])
    #expect(whole.code == 0)
    #expect(whole.errors.isEmpty)
    #expect(whole.output.contains("77 the key was refused"))
    for name in ["create", "classes", "import", "export", "query", "remove", "doctor"] {
      #expect(whole.output.contains("\n  \(name) "))
      let help = try TestTool.bare([name, "--help"])
      #expect(help.code == 0)
      #expect(help.output.contains("USAGE: objectvault \(name) "))
      if name != "doctor" { #expect(help.output.contains("--key-file <path>")) }
    }
  }

  @Test("--version prints the version alone")
  func version() throws {
    let result = try TestTool.bare(["--version"])
    #expect(result.code == 0)
    #expect(result.output == "\(toolVersion)\n")
  }

  @Test(
    "what the command line cannot mean is 64, on standard error, under the tool's name",
    arguments: [
      ["nonsense"], ["query"], ["query", "v", "C", "--no-such"], ["create"],
      ["query", "v", "C", "--format", "xml"], ["import", "v", "C", "f", "--type", "a"],
      ["import", "v", "C", "f", "--progress", "loud"], ["classes", "v", "--key", "secret"],
    ])
  func usage(_ arguments: [String]) throws {
    let result = try TestTool.bare(arguments)
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("objectvault: "))
    #expect(!result.errors.contains("Error: "))
  }

  @Test("an argument that is not UTF-8 is 64, and nothing is asked or removed")
  func invalidText() throws {
    let tool = try TestTool.withVault()
    try tool.fill("Note", "text\na\nb\n", "notes.csv")
    for (words, position) in [
      (["remove", tool.vault, "Note", "text != '@'"], 4),
      (["query", tool.vault, "Note", "text == 'a'", "--sort", "@"], 6),
      (["classes", tool.vault + "@"], 2),
    ] {
      // The shell makes the byte; Swift could pass none that is not UTF-8.
      let script = words.map { "\"\($0)\"" }.joined(separator: " ")
        .replacingOccurrences(of: "@", with: "$(printf '\\377')")
      let program = ChildProcess.programs.appendingPathComponent("objectvault").path
      let result = try SpawnedProgram.run("/bin/sh", ["-c", "exec '\(program)' \(script)"])
      #expect(result.code == 64, "\(result.errors)")
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("Argument \(position) is not valid UTF-8."))
    }
    #expect(try tool.run("query", "Note", "--count").output == "2\n")
  }

  @Test("without a subcommand it shows its help")
  func nothing() throws {
    let result = try TestTool.bare([])
    #expect(result.code == 0)
    #expect(result.output.contains("SUBCOMMANDS:"))
  }

  @Test("each kind of a vault's error has its exit status")
  func statuses() {
    func status(_ code: VaultError.Code) -> ObjectVaultTool.ExitStatus {
      .init(VaultError(code, ""))
    }
    #expect(status(.wrongKey) == .keyRefused)
    #expect(status(.noKey) == .keyRefused)
    #expect(status(.keySourceUnreadable) == .keyRefused)
    #expect(status(.noSuchFile) == .noInput)
    #expect(status(.damaged) == .badData)
    #expect(status(.newerCipherFormat) == .badData)
    #expect(status(.duplicate) == .badData)
    #expect(status(.invalidCondition) == .usage)
    #expect(status(.diskFull) == .inputOutput)
    #expect(status(.busy) == .inputOutput)
    #expect(status(.unusableEngine) == .unavailable)
    #expect(status(.internalError) == .software)
  }
}
