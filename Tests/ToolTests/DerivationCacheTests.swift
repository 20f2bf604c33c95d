#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("The cache of derived keys for tests") struct DerivationCacheTests {
    @Test("answers a derivation with equal input alone, and nothing without a folder")
    func answers() throws {
      let tool = try TestTool.withVault(.passphrase)
      try tool.write("other words\n", to: "other", mode: 0o600)
      let library = try PreloadedLibrary("DerivationCache/derivations.c", as: "libderivations.so")
      let folder = try TemporaryFolder()
      func code(_ key: String = "key", in path: String) throws -> Int32 {
        try TestTool.bare(
          ["classes", tool.vault, "--key-file", tool.folder.file(key)],
          environment: library.environment.merging(["DERIVATIONS": path]) { $1 }
        ).code
      }
      for _ in 0..<2 {
        #expect(try code(in: folder.path) == 0)
        #expect(try code("other", in: folder.path) == 77)
      }
      let answers = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(answers.count >= 2)
      for name in answers {
        try Data(count: 32).write(to: folder.url.appendingPathComponent(name))
      }
      // The vault opens with what the folder says, so the wrong keys open nothing.
      #expect(try code(in: folder.path) == 77)
      #expect(try code(in: "") == 0)
      #expect(try code(in: folder.file("missing")) == 0)
    }
  }
#endif
