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
    #expect(whole.output.contains("77  the key was rejected"))
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
      ["query", "v", "C", "--explain", "--format", "json"],
      ["query", "v", "C", "--apply-index", "--format", "csv"],
      ["sql", "v", "SELECT 1", "--write", "--format", "json"],
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
      let program = ChildProcess.path(of: "objectvault")
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

  @Test(
    "a misspelled subcommand is told which one was meant",
    arguments: [
      (["clases", "v"], "Did you mean 'classes'?"), (["qurey"], "Did you mean 'query'?"),
      (["keys", "lst", "v"], "Did you mean 'list'?"),
      (["xyzzy"], "'xyzzy' is not a subcommand of 'objectvault'. See 'objectvault --help'."),
    ])
  func misspelled(arguments: [String], hint: String) throws {
    let result = try TestTool.bare(arguments)
    #expect(result.code == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test("file names are completed wherever a path belongs")
  func completion() throws {
    #expect(try TestTool.bare(["--generate-completion-script", "bash"]).code == 0)
    let dump = try TestTool.bare(["--experimental-dump-help"])
    let tree = try #require(
      JSONSerialization.jsonObject(with: Data(dump.output.utf8)) as? [String: Any])
    var missing: [String] = []
    func visit(_ command: [String: Any]) {
      for argument in command["arguments"] as? [[String: Any]] ?? [] {
        let value = argument["valueName"] as? String ?? ""
        let kind = argument["completionKind"] as? [String: Any]
        guard ["path", "file", "vault", "backup", "schema", "dir"].contains(value) else { continue }
        if kind?["file"] == nil, kind?["directory"] == nil {
          missing.append("\(command["commandName"] ?? "") \(value)")
        }
      }
      for subcommand in command["subcommands"] as? [[String: Any]] ?? [] { visit(subcommand) }
    }
    visit(try #require(tree["command"] as? [String: Any]))
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("every subcommand gets a manual page")
  func manual() throws {
    let folder = try TemporaryFolder()
    let program = ChildProcess.path(of: "objectvault")
    let script = GuideShell.root.appendingPathComponent("Scripts/manual").path
    let written = try SpawnedProgram.run("/bin/bash", [script, folder.file("man"), program])
    #expect(written.code == 0, "\(written.errors)")
    for name in ["", "-query", "-keys", "-keys-add", "-rekey"] {
      let page = try String(
        contentsOfFile: folder.file("man/objectvault\(name).1"), encoding: .utf8)
      #expect(page.hasPrefix(".TH \"OBJECTVAULT"))
      #expect(page.contains(".SH SYNOPSIS\n\\fBobjectvault"), "\(name)")
    }
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
