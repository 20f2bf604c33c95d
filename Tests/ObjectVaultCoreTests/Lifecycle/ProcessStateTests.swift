#if os(Linux)
  import TestSupport
  import Testing

  @Suite("The process that uses vaults") struct ProcessStateTests {
    private func lines(_ arguments: [String] = []) throws -> [String] {
      let folder = try TemporaryFolder()
      let child = try SpawnedProgram.run(
        "vaultchild", ["process-state", folder.file("a.vault")] + arguments)
      #expect(child.status == 0, "\(child.output)\(child.errors)")
      return child.output.split(separator: "\n").map(String.init)
    }

    @Test("keeps its environment, locale, signals, limits, and the engine's account of memory")
    func untouched() throws {
      #expect(try lines() == ["accounts for memory true"])
    }

    @Test("has the engine keep no account of memory only where the application asks for that")
    func tuned() throws {
      #expect(try lines(["--tuned"]) == ["tuned true", "accounts for memory false"])
    }
  }
#endif
