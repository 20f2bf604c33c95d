import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite(
    "An unfinished copy that this user may not read",
    .enabled(if: geteuid() == 0, "only root can start a program without a right of root"))
  struct UnreadableCopyTests {
    private let tool: TestTool
    private let copy: String

    init() throws {
      tool = try TestTool.withVault()
      copy = try tool.write("half", to: ".test.vault.copying")
      chmod(copy, 0)
    }

    /// Runs the tool as root, but without its right to ignore permissions.
    private func run(_ arguments: [String]) throws -> ChildProcess {
      try SpawnedProgram.run(
        "/usr/bin/setpriv",
        ["--bounding-set=-dac_override,-dac_read_search", ChildProcess.path(of: "objectvault")]
          + arguments)
    }

    @Test("is a problem that doctor reports and does not remove", arguments: [[], ["--clean"]])
    func doctor(options: [String]) throws {
      let result = try run(["doctor", tool.vault] + options)
      #expect(result.code == 1)
      #expect(
        result.output.contains(
          "! \(copy): 4 bytes, an unfinished copy that this user may not read\n"),
        "\(result.output)")
      #expect(result.output.contains("run: rm '\(copy)'"))
      #expect(FileManager.default.fileExists(atPath: copy))
    }

    @Test("prevents work on the whole file, and the error says what to do")
    func compaction() throws {
      let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
      let result = try run(["compact", tool.vault] + tool.keyOptions)
      #expect(result.code == 73, "\(result.errors)")
      #expect(result.errors.contains("may not read the unfinished copy '\(copy)'"))
      #expect(result.errors.contains("remove it"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)
    }
  }
#endif
