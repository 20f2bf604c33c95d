import Foundation
import ObjectVaultCore
import TestSupport
import Testing

#if os(Linux)
  @Suite(
    "A vault with a group that its owner cannot set", .cheapSlots,
    .enabled(if: geteuid() == 0, "only root can start a program without a right of root"))
  struct KeyringGroupTests {
    private let tool: KeyringTool

    init() throws {
      tool = try KeyringTool()
      for suffix in ["", ".keyring", ".keyring~"] {
        #expect(chown(tool.vault + suffix, geteuid(), 4322) == 0)
        #expect(chmod(tool.vault + suffix, 0o600) == 0)
      }
    }

    /// Runs `keys` as the owner, without the right of root to set owners and groups.
    private func keys(_ subcommand: String, _ arguments: String...) throws -> ChildProcess {
      try SpawnedProgram.run(
        "/usr/bin/setpriv",
        [
          "--bounding-set=-chown", ChildProcess.path(of: "objectvault"), "keys", subcommand,
          tool.vault, "--raw-key", "--key-env", "A",
        ] + arguments, environment: tool.environment)
    }

    @Test("can be changed, because the group has no rights")
    func change() throws {
      let added = try keys("add", "bob", "--new-raw-key", "--new-key-env", "B")
      #expect(added.code == 0, "\(added.errors)")
      let rotated = try keys("rotate")
      #expect(rotated.code == 0, "\(rotated.errors)")
      let removed = try keys("remove", "bob", "--yes")
      #expect(removed.code == 0, "\(removed.errors)")
      #expect(try tool.opens("A") && !tool.opens("B"))
    }

    @Test("is not replaced if the group has rights, and the message says what to do")
    func rights() throws {
      #expect(chmod(tool.vault, 0o640) == 0)
      let before = try tool.bytes()
      let rotated = try keys("rotate")
      #expect(rotated.code == 73, "\(rotated.errors)")
      #expect(rotated.errors.contains("Change the group, remove its rights"), "\(rotated.errors)")
      #expect(try tool.bytes() == before)
    }
  }
#endif
