import CSQLCipher
import Foundation
import TestSupport
import Testing

import ObjectVaultEngine

@Suite("Proving the engine") struct ProofTests {
  @Test("what it says of itself fits together") func whatItSaysOfItselfFits() throws {
    let info = try Engine.prove()
    #expect(info.cipherVersion.hasPrefix("\(info.cipherMajor)."))
    #expect(info.newestCipherFormat == (info.cipherMajor >= 4 ? 4 : 3))
    #expect(info.sqliteVersionNumber >= 3_015_002)
    let parts = info.sqliteVersion.split(separator: ".").compactMap { Int($0) }
    #expect(parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2] == info.sqliteVersionNumber)
    #expect(info.maxVariables == (info.sqliteVersionNumber >= 3_032_000 ? 32_766 : 999))
    #expect(info.imagePath.contains("sqlcipher"))
    #expect(info.compileOptions.contains("HAS_CODEC"))
    #expect(info.hasFTS4)
    #expect(info.hasFTS5 == info.compileOptions.contains("ENABLE_FTS5"))
  }

  @Test("it keeps account of its memory, which belongs to the whole process")
  func accountOfMemory() throws {
    let connection = try Connection.inMemory()
    #expect(sqlite3_memory_used() > 0)
    // It is too late to change that once the engine was used.
    #expect(!Engine.countNoMemory())
    try connection.close()
  }

  #if os(Linux)
    @Test("D5 plain SQLite ahead of SQLCipher is named, not called")
    func d5PlainSQLiteAheadOfSQLCipher() throws {
      let folder = try TemporaryFolder()
      let plain = ["LD_PRELOAD": "libsqlite3.so.0"]
      let proof = try ChildProcess.run("engine-prove", environment: plain)
      #expect(proof.exited)
      #expect(proof.status == 70)
      #expect(proof.output.hasPrefix("notSQLCipher: This process has two SQLite libraries: "))
      #expect(proof.output.contains("libsqlite3"))
      // Not a byte is written.
      let path = folder.file("never.db")
      let creation = try ChildProcess.run("engine-create", path, testKey, environment: plain)
      #expect(creation.status == 70)
      #expect(creation.output.hasPrefix("notSQLCipher: "))
      #expect(!FileManager.default.fileExists(atPath: path))
      // Without it the same program makes the file.
      #expect(try ChildProcess.run("engine-create", path, testKey).output == "created\n")
    }
  #endif
}
