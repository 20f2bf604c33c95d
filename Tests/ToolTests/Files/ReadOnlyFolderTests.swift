import Foundation
import ObjectVaultCore
import TestSupport
import Testing

#if os(Linux)
  @Suite(
    "A vault in a folder that may only be read",
    .enabled(if: geteuid() == 0, "only root can start a program without a right of root"))
  struct ReadOnlyFolderTests {
    private let tool: TestTool
    private let other: TemporaryFolder

    init() throws {
      tool = try TestTool.withVault()
      other = try TemporaryFolder()
      try tool.fill("People", #"[{"a":1},{"a":2}]"#, "p.json")
      chmod(tool.folder.path, 0o555)
    }

    /// Runs the tool as root, but without its right to ignore permissions.
    private func run(_ arguments: [String]) throws -> ChildProcess {
      try SpawnedProgram.run(
        "/usr/bin/setpriv",
        ["--bounding-set=-dac_override,-dac_read_search", ChildProcess.path(of: "objectvault")]
          + arguments + tool.keyOptions)
    }

    @Test(
      "is the cause of the failure, and the message says what to do",
      arguments: ["backup", "restore", "decrypt"])
    func work(command: String) throws {
      defer { chmod(tool.folder.path, 0o755) }
      let yes = command == "decrypt" ? ["--yes"] : []
      let result = try run([command, tool.vault, "--to", other.file("new")] + yes)
      #expect(result.code == 66, "\(result.errors)")
      #expect(result.errors.contains("its folder is not writable. Copy the vault"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).isEmpty)
    }

    @Test("cannot be queried, and its structure cannot be checked, for the same reason")
    func reading() throws {
      defer { chmod(tool.folder.path, 0o755) }
      let query = try run(["query", tool.vault, "People"])
      #expect(query.code == 66, "\(query.errors)")
      #expect(query.errors.contains("its folder is not writable. Copy the vault"))
      let verify = try run(["verify", tool.vault])
      #expect(verify.code == 2, "\(verify.errors)")
      #expect(verify.output.contains("its folder is not writable. Copy the vault"))
    }

    @Test("is not blamed if the new file cannot be created")
    func target() throws {
      chmod(tool.folder.path, 0o755)
      chmod(other.path, 0o555)
      defer { chmod(other.path, 0o755) }
      let result = try run(["backup", tool.vault, "--to", other.file("new")])
      #expect(result.code == 73, "\(result.errors)")
      #expect(!result.errors.contains("Copy the vault"))
    }
  }
#endif
