import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultFile
import Synchronization
import TestSupport
import Testing

/// What can stand in the way of making a file out of another one, besides the file itself: each has
/// one outcome, and the original is what it was, to the byte, and nothing is left beside it.
@Suite("Making a file out of another one") struct BadInputTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("v")
  }

  private func first(_ child: ChildProcess) -> String {
    String(child.output.prefix { $0 != ":" && $0 != "\n" })
  }

  @Test("succeeds where nothing is in the way", arguments: FileOperation.allCases)
  func success(operation: FileOperation) throws {
    try operation.makeFile(at: path)
    let before = try bytes(path)
    try operation.run(on: path, key: operation.key)
    #expect(try operation.count(in: path) == 200)
    #expect(try (bytes(path) == before) == !operation.isInPlace)
  }

  @Test("needs the right key", arguments: FileOperation.allCases)
  func wrongKey(operation: FileOperation) throws {
    guard let wrongKey = operation.wrongKey else { return }
    try operation.makeFile(at: path)
    let before = try contents(of: folder)
    #expect(thrown { try operation.run(on: path, key: wrongKey) }?.code == .wrongKey)
    try expectSame(before, folder)
  }

  @Test("needs a key that can be one", arguments: FileOperation.allCases)
  func emptyKeys(operation: FileOperation) throws {
    try operation.makeFile(at: path)
    let before = try contents(of: folder)
    let keys: [(VaultKey, VaultError.Code)] = [
      (.passphrase(""), .noKey), (.raw([UInt8]()), .noKey), (.raw([1, 2, 3]), .invalidKey),
      (.keyring(.passphrase("")), .noKey),
    ]
    for (key, expected) in keys {
      if operation.takesNewKey {
        #expect(
          thrown { try operation.run(on: path, key: operation.key, newKey: key) }?.code == expected)
      }
      if !operation.readsClear {
        #expect(thrown { try operation.run(on: path, key: key) }?.code == expected)
      }
    }
    try expectSame(before, folder)
  }

  @Test("needs a file", arguments: FileOperation.allCases)
  func noFile(operation: FileOperation) throws {
    let error = thrown { try operation.run(on: path, key: operation.key) }
    #expect(error?.code == .noSuchFile)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(thrown { try operation.run(on: path, key: operation.key) }?.code == .cannotOpen)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["v"])
  }

  @Test(
    "ends when its progress says so, in any phase",
    arguments: FileOperation.allCases)
  func ended(operation: FileOperation) throws {
    struct Enough: Error {}
    try operation.makeFile(at: path)
    let before = try contents(of: folder)
    for phase in RekeyProgress.Phase.allCases {
      // A file in clear has no seals.
      if operation == .decrypt, phase == .verifying { continue }
      #expect(throws: Enough.self) {
        try operation.run(on: path, key: operation.key) {
          if $0.phase == phase { throw Enough() }
        }
      }
      try expectSame(before, folder)
    }
    try operation.run(on: path, key: operation.key)
    #expect(try operation.count(in: path) == 200)
  }

  @Test(
    "stops when the disk is full, wherever that is, and leaves room as it was",
    arguments: FileOperation.allCases, [1, 30, 60, 95])
  func fullDisk(operation: FileOperation, percent: Int) throws {
    try operation.makeFile(at: path, objects: 2_000)
    let before = try contents(of: folder)
    let limit = try bytes(path).count * percent / 100
    let child = try ChildProcess.run(
      "file-operation-limited", operation.rawValue, path, "\(limit)")
    #expect(first(child) == "diskFull", "\(child.output)")
    // The engine may have found no room for its own files.
    for suffix in ["-wal", "-shm"] where before["v" + suffix] == nil {
      if let left = try contents(of: folder)["v" + suffix] {
        #expect(percent == 1 && (suffix == "-shm" || left.isEmpty))
        unlink(path + suffix)
      }
    }
    try expectSame(before, folder)
    try operation.run(on: path, key: operation.key)
    #expect(try operation.count(in: path) == 2_000)
  }

  @Test(
    "waits for another process that holds the file, and gives up", arguments: FileOperation.allCases
  )
  func lockedElsewhere(operation: FileOperation) throws {
    try operation.makeFile(at: path)
    let before = try contents(of: folder)
    let holder = try HoldingChild("file-hold", operation.rawValue, path, "locked")
    #expect(thrown { try operation.run(on: path, key: operation.key) }?.code == .busy)
    #expect(try holder.end().hasPrefix("1"))
    try expectSame(before, folder)
    try operation.run(on: path, key: operation.key)
    #expect(try operation.count(in: path) == 200)
  }

  @Test("closes no file of another thread if the file to replace is locked")
  func closedOnce() throws {
    let operation = FileOperation.compact
    try operation.makeFile(at: path)
    let holder = try HoldingChild("file-hold", operation.rawValue, path, "locked")
    let isDone = Mutex(false)
    let others = OnThread { () throws -> Int in
      var lost = 0
      while !isDone.withLock({ $0 }) {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if close(descriptor) != 0 { lost += 1 }
      }
      return lost
    }
    let rejected = (0..<5_000).count { _ in (try? LockedFile(at: path)) == nil }
    isDone.withLock { $0 = true }
    #expect(try others.result() == 0)
    #expect(rejected == 5_000)
    _ = try holder.end()
  }

  @Test(
    "to a new file leaves the locks of a vault that is opened there before the operation returns",
    arguments: [FileOperation.backup, .restore])
  func openedInReport(operation: FileOperation) throws {
    try operation.makeFile(at: path)
    let new = operation.result(of: path)
    var opened: Vault?
    try operation.run(on: path, key: operation.key) { report in
      guard report.phase == .replacing, report.done == 1 else { return }
      let vault = try Vault(at: new, key: FileOperation.new)
      try vault.open()
      opened = vault
    }
    let vault = try #require(opened)
    let other = try ChildProcess.run("file-hold", FileOperation.compact.rawValue, new, "locked")
    #expect(other.output == "not locked\n")
    vault.close()
  }

  @Test(
    "in place of a file that another process has open is refused; a copy is one state of it",
    arguments: FileOperation.allCases, ["open", "writing"])
  func openElsewhere(operation: FileOperation, how: String) throws {
    try operation.makeFile(at: path)
    let holder = try HoldingChild("file-hold", operation.rawValue, path, how)
    let error = thrown { try operation.run(on: path, key: operation.key) }
    #expect(error?.code == (operation.isInPlace ? .busy : nil), "\(error?.message ?? "")")
    // What the other one wrote is in the file and in none of its own.
    let written = try #require(
      Int(try holder.end().trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(written > 0)
    if !operation.isInPlace {
      #expect((201...(200 + written)).contains(try operation.count(in: path)))
      unlink(operation.result(of: path))
    }
    if operation == .restoreOver { return }
    try operation.run(on: path, key: operation.key)
    #expect(try operation.count(in: path) == 200 + written)
  }

  @Test(
    "row by row is refused where the original is damaged: what is out of reach in it would be lost",
    arguments: [FileOperation.encrypt, .encryptInPlace])
  func damageThatRowsDoNotShow(operation: FileOperation) throws {
    try operation.makeFile(at: path)
    func changeSchema(_ sql: String) throws {
      let connection = try Connection.plain(path: path, mode: .readWrite)
      try connection.setPragma("writable_schema", to: "1", expecting: "1")
      try connection.execute(sql)
      try connection.close()
    }
    // A row that the index does not know, as a page that was lost leaves it.
    try changeSchema("CREATE INDEX i ON t(body)")
    let (whole, part) = ("CREATE INDEX i ON t(body)", "CREATE INDEX i ON t(body) WHERE id < 0")
    try changeSchema("UPDATE sqlite_master SET sql = '\(part)' WHERE name = 'i'")
    try changeSchema("INSERT INTO t(body) VALUES('unknown to the index')")
    try changeSchema("UPDATE sqlite_master SET sql = '\(whole)' WHERE name = 'i'")
    let before = try contents(of: folder)
    let error = thrown { try operation.run(on: path, key: nil) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("index i") == true)
    try expectSame(before, folder)
  }

  @Test("at a path that is taken leaves what is there")
  func takenPath() throws {
    for operation in FileOperation.allCases where !operation.isInPlace && operation != .restoreOver
    {
      let path = folder.file(operation.rawValue)
      try operation.makeFile(at: path)
      try write(Data("taken".utf8), to: path + ".out")
      #expect(thrown { try operation.run(on: path, key: operation.key) }?.code == .invalidArgument)
      #expect(try bytes(path + ".out") == Data("taken".utf8))
      try FileManager.default.removeItem(atPath: path + ".out")
      // A log would be played into the new file.
      try write(Data("log".utf8), to: path + ".out-wal")
      #expect(thrown { try operation.run(on: path, key: operation.key) }?.code == .invalidArgument)
      #expect(try bytes(path + ".out-wal") == Data("log".utf8))
    }
  }

  #if os(Linux)
    /// What a user who owns nothing can do, with the mode of the file and of its folder.
    @Test(
      "needs the rights for it",
      .enabled(if: geteuid() == 0, "only root can become a user without rights"),
      arguments: FileOperation.allCases,
      [(0o600, 0o777), (0o444, 0o777), (0o666, 0o555), (0o666, 0o700)])
    func rights(operation: FileOperation, modes: (file: Int, folder: Int)) throws {
      try operation.makeFile(at: path)
      let before = try contents(of: folder)
      for name in before.keys { chmod(folder.file(name), mode_t(modes.file)) }
      chmod(folder.path, mode_t(modes.folder))
      let child = try ChildProcess.run("file-operation-as-nobody", operation.rawValue, path)
      chmod(folder.path, 0o777)
      let expected = outcome(of: operation, modes.file, modes.folder)
      #expect(first(child) == expected, "\(child.output)")
      if expected == "done" {
        for name in before.keys { chmod(folder.file(name), 0o600) }
        #expect(try operation.count(in: path) == 200)
        #expect(try contents(of: folder)["v"] == before["v"])
      } else if modes.file != 0o444 {
        try expectSame(before, folder)
      }
    }

    private func outcome(
      of operation: FileOperation, _ file: Int, _ folder: Int
    ) -> String {
      switch (file, folder) {
      // The engine looks into the file before it is known that there can be none beside it.
      case (_, 0o555): return "cannotOpen"
      case (0o444, _) where operation.isInPlace: return "readOnly"
      case (0o444, _): return operation == .restoreOver ? "cannotOpen" : "done"
      default: return "cannotOpen"
      }
    }
  #endif
}
