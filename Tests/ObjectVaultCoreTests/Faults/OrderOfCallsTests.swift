#if os(Linux)
  import TestSupport
  import Testing

  /// What a loss of power would leave cannot be seen after a kill, for the system still has every
  /// write. It depends on the order in which things are brought to the disk.
  @Suite("The calls of a rekey") struct OrderOfCallsTests {
    @Test(
      "bring the copy to the disk before it gets its name, and the folder before and after",
      arguments: ["rekey-wal", "rekey-delete", "rekey-open-wal"])
    func order(name: String) throws {
      let calls = try FaultLoop(#require(faultedOperation(named: name))).calls
      let (copy, original) = (".parcels.vault.copying", "parcels.vault")
      let renames = calls.indices.filter { calls[$0].kind == "rename" && calls[$0].file == copy }
      let rename = try #require(renames.first)
      #expect(renames.count == 1)
      let before = calls[..<rename]

      // The copy is whole on the disk, and not touched again.
      let written = try #require(
        before.lastIndex { $0.file == copy && ["write", "truncate"].contains($0.kind) })
      let synced = try #require(before.lastIndex { $0.file == copy && $0.kind == "sync" })
      #expect(written < synced)

      // Every leftover of the old name is gone from the disk: a log would be played into the copy.
      let removed = ["-wal", "-shm", "-journal"].map { suffix in
        before.lastIndex { $0.file == original + suffix && $0.kind == "unlink" }
      }
      #expect(!removed.contains(nil))
      let settled = try #require(before.lastIndex { $0.file == "." && $0.kind == "sync" })
      #expect(removed.allSatisfy { $0 ?? .max < settled })
      let made = before[settled...].contains {
        $0.kind == "create" && $0.file.hasPrefix(original + "-")
      }
      #expect(!made)

      // The rename is on the disk before anything of the old file is destroyed.
      let after = calls[(rename + 1)...]
      let renamed = try #require(after.firstIndex { $0.file == "." && $0.kind == "sync" })
      let destroyed = try #require(after.firstIndex { $0.kind == "write" })
      #expect(renamed < destroyed)
    }

    @Test("of an encryption overwrite the log, first its start, before they free its blocks")
    func logOfEncryption() throws {
      let calls = try FaultLoop(#require(faultedOperation(named: "encrypt-log"))).calls
      let kinds = calls.filter { $0.file == "v-wal" }.map(\.kind)
      let first = try #require(kinds.firstIndex(of: "write"))
      #expect(kinds[first...].starts(with: ["write", "sync", "write"]), "\(kinds)")
      let last = try #require(kinds.lastIndex(of: "write"))
      #expect(kinds[last...].starts(with: ["write", "sync", "truncate"]), "\(kinds)")
    }
  }
#endif
