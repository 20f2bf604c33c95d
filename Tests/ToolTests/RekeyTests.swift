import Foundation
import TestSupport
import Testing

import ObjectVaultPlatform

@Suite("The tool's rekey") struct RekeyTests {
  let folder: TemporaryFolder
  let file: ForeignFile
  let old = "old words"
  let new = "five quite new long words"
  let raw = String(repeating: "5c", count: 32)

  init() throws {
    folder = try TemporaryFolder()
    file = ForeignFile(path: folder.file("notes.db"))
  }

  /// Runs `rekey` with both keys in the environment.
  func rekey(_ arguments: String..., from: String? = nil, to: String? = nil) throws
    -> ChildProcess
  {
    let result = try TestTool.bare(
      ["rekey", "--key-env", "OLD", "--new-key-env", "NEW"] + arguments,
      environment: ["OLD": from ?? old, "NEW": to ?? new])
    for secret in [from ?? old, to ?? new] where !secret.isEmpty {
      #expect(!result.output.contains(secret))
      #expect(!result.errors.contains(secret))
    }
    return result
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  // MARK: Success

  @Test(
    "gives a file of the stock shell another key, and the shell opens it with that one alone",
    arguments: ["DELETE", "WAL"])
  func shellFile(journalMode: String) throws {
    try file.make(old, journalMode: journalMode)
    let result = try rekey(file.path)
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.output
        == "Rekeyed '\(file.path)' (cipher format 3, pages of 1024 bytes).\n")
    #expect(result.errors.isEmpty)
    #expect(try file.isOpened(by: new))
    #expect(try !file.isOpened(by: old))
    let mode = try file.run(new, "PRAGMA journal_mode;")
    #expect(mode.lowercased().contains(journalMode.lowercased()))
    #expect(try names() == ["notes.db"])
  }

  @Test("plays the log that a killed program left into the file first")
  func logOfKilledProgram() throws {
    try file.make(old, journalMode: "WAL")
    let copy = ForeignFile(path: folder.file("copy.db"))
    let shell = try HoldingShell(file, old, ["INSERT INTO note(body) VALUES('late words');"])
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: file.path + suffix, toPath: copy.path + suffix)
    }
    shell.release()
    #expect(try rekey(copy.path).code == 0)
    #expect(try copy.run(new, "SELECT body FROM note;").contains("late words"))
    #expect(try names() == ["copy.db", "notes.db"])
  }

  @Test("goes from passphrase to raw key and back, and keeps a kdf_iter that is said")
  func kinds() throws {
    var file = file
    file.settings = ["PRAGMA kdf_iter = 1234;"]
    try file.make(old)
    let without = try rekey(file.path, "--verbose")
    #expect(without.code == 77)
    #expect(without.errors.contains("--from-kdf-iter"), "\(without.errors)")
    let toRaw = try rekey(file.path, "--from-kdf-iter", "1234", "--new-raw-key", to: raw)
    #expect(toRaw.code == 0, "\(toRaw.errors)")
    #expect(toRaw.output.contains("kdf_iter = 1234"))
    #expect(try file.isOpened(by: "x'\(raw)'"))
    let back = try rekey(file.path, "--from-kdf-iter", "1234", "--raw-key", from: raw)
    #expect(back.code == 0, "\(back.errors)")
    #expect(try file.isOpened(by: new))
    #expect(try !ForeignFile(path: file.path).isOpened(by: new))
  }

  @Test("takes the old key as the new one, and changes the salt")
  func sameKey() throws {
    try file.make(old)
    let before = try file.bytes
    #expect(try rekey(file.path, to: old).code == 0)
    #expect(try file.isOpened(by: old))
    #expect(try file.bytes.prefix(16) != before.prefix(16))
  }

  @Test(
    "takes a format that is said, where a raw key leaves it open, and refuses one that is not it")
  func formats() throws {
    let databases = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/databases")
    try FileManager.default.copyItem(
      atPath: databases.appendingPathComponent("format2-1024.db").path, toPath: file.path)
    #expect(try rekey(file.path, "--new-raw-key", from: "open sesame", to: raw).code == 0)
    for format in ["2", "3"] {
      let words = "words \(format)"
      let there = try rekey(
        file.path, "--raw-key", "--from-format", format, "--from-page-size", "1024", from: raw,
        to: words)
      #expect(there.code == 0, "\(there.errors)")
      #expect(there.output.contains("cipher format \(format),"))
      let back = try rekey(file.path, "--new-raw-key", from: words, to: raw)
      #expect(back.output.contains("cipher format \(format),"), "\(back.errors)")
    }
    let before = try file.bytes
    for options in [["--from-format", "1"], ["--from-page-size", "4096"]] {
      let wrong = try rekey(file.path, "--raw-key", options[0], options[1], from: raw)
      #expect(wrong.code == 65)
      #expect(wrong.errors.contains("Check \(options[0]) \(options[1]) too"), "\(wrong.errors)")
    }
    #expect(try file.bytes == before)
  }

  @Test("keeps what it has no use for: broken references, views of nothing, other collations")
  func brokenReferences() throws {
    try file.make(old)
    try file.run(
      old, "CREATE TABLE child(x REFERENCES gone(y));", "INSERT INTO child VALUES(1);",
      "CREATE VIEW nothing AS SELECT * FROM gone;", "CREATE TABLE odd(a, b, rowid);",
      "INSERT INTO odd VALUES(1, 2, 3);", "PRAGMA user_version = 7;")
    let result = try rekey(file.path)
    #expect(result.code == 0, "\(result.errors)")
    #expect(try file.run(new, "SELECT 'x' || x FROM child;").contains("x1"))
    #expect(try file.run(new, "PRAGMA user_version;").contains("7"))
  }

  @Test("rekeys a vault of this library, which opens with the new key and all objects")
  func vault() throws {
    let tool = try TestTool.withVault()
    try tool.fill("People", #"[{"a":1},{"a":2}]"#, "p.json")
    let before = try tool.content()
    let newFile = try tool.write(raw + "\n", to: "new", mode: 0o600)
    let there = try tool.run("rekey", "--new-key-file", newFile, "--new-raw-key")
    #expect(there.code == 0, "\(there.errors)")
    #expect(try tool.run("classes").code == 77)
    let back = try TestTool.bare([
      "rekey", tool.vault, "--raw-key", "--key-file", newFile, "--new-raw-key", "--new-key-file",
      tool.keyFile,
    ])
    #expect(back.code == 0, "\(back.errors)")
    #expect(try tool.content() == before)
  }

  // MARK: Refusals

  @Test("a wrong old key, an empty new one and one that cannot be one are 77 and change no byte")
  func refusedKeys() throws {
    try file.make(old)
    let before = try file.bytes
    let wrong = try rekey(file.path, from: "swordfish")
    #expect(wrong.code == 77)
    #expect(wrong.errors.contains("does not open"))
    #expect(try rekey(file.path, to: "").code == 77)
    #expect(try rekey(file.path, "--new-raw-key", to: "123").code == 77)
    #expect(try file.bytes == before)
    #expect(try names() == ["notes.db"])
  }

  @Test("files that cannot be rekeyed are told apart, and left as they are")
  func refusedFiles() throws {
    #expect(try rekey(file.path).code == 66)
    #expect(try rekey(folder.path).code == 66)
    let contents: [(String, [UInt8], Int32, String)] = [
      (
        "plain", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4080), 65,
        "unencrypted"
      ),
      ("empty", [], 65, "is empty"),
      ("short", [UInt8](repeating: 7, count: 100), 65, "truncated"),
    ]
    for (name, bytes, status, words) in contents {
      let path = folder.file(name)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let result = try rekey(path)
      #expect(result.code == status, "\(result.errors)")
      #expect(result.errors.contains(words), "\(result.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
    }
    #expect(try names() == ["empty", "plain", "short"])
  }

  @Test("a command line that cannot be meant is 64, and no option takes a key itself")
  func usage() throws {
    try file.make(old)
    let before = try file.bytes
    let wrong: [[String]] = [
      [], ["--key", "a"], ["--new-key", "b"], ["--from-kdf-iter", "0"], ["--from-format", "5"],
      ["--from-page-size", "1000"], ["--busy-timeout", "-1"], ["--new-key-fd", "-1"],
      ["--key-env", "A", "--key-file", "b"], ["--new-key-env", "A", "--new-key-file", "b"],
      ["--key-fd", "0", "--new-key-fd", "0"],
    ]
    for arguments in wrong {
      let result = try TestTool.bare(
        ["rekey"] + (arguments.isEmpty ? [] : [file.path]) + arguments)
      #expect(result.code == 64, "\(arguments): \(result.errors)")
    }
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
    let twice = try rekey(file.path, link)
    #expect(twice.code == 64)
    #expect(twice.errors.contains("are the same file"))
    let noKey = try TestTool.bare(
      ["rekey", file.path, "--key-env", "OLD"], environment: ["OLD": old])
    #expect(noKey.code == 64)
    #expect(noKey.errors.contains("--new-key-file PATH, --new-key-env NAME or --new-key-fd NUMBER"))
    #expect(try file.bytes == before)
  }

  @Test(
    "a file that another process uses is 74 and keeps its key; it can be waited for",
    arguments: [
      ("DELETE", "BEGIN; SELECT count(*) FROM note;"), ("DELETE", "BEGIN IMMEDIATE;"),
      ("WAL", "SELECT count(*) FROM note;"), ("WAL", "BEGIN IMMEDIATE;"),
    ])
  func busy(journalMode: String, statement: String) throws {
    try file.make(old, journalMode: journalMode)
    let shell = try HoldingShell(file, old, [statement])
    let result = try rekey(file.path, "--busy-timeout", "0")
    #expect(result.code == 74, "\(result.errors)")
    #expect(result.errors.contains(file.path))
    shell.release()
    #expect(try file.isOpened(by: old))
    #expect(try names() == ["notes.db"])
    #expect(try rekey(file.path).code == 0)
    #expect(try file.isOpened(by: new))
  }

  @Test("a limit on the size of files is 74, the original is kept and the copy removed")
  func noRoom() throws {
    try file.make(old, rows: 2000)
    let before = try file.bytes
    let tool = ChildProcess.path(of: "objectvault")
    let result = try SpawnedProgram.run(
      "/bin/sh",
      [
        "-c", "ulimit -f 1000; exec \"$@\"", "sh", tool, "rekey", file.path, "--key-env", "OLD",
        "--new-key-env", "NEW",
      ], environment: ["OLD": old, "NEW": new])
    #expect(result.code == 74, "\(result.errors)")
    #expect(try file.bytes == before)
    #expect(try names() == ["notes.db"])
  }

  @Test("a folder that cannot be written is 73, a file that cannot be is 74; both are kept")
  func missingRights() throws {
    let tool = ChildProcess.path(of: "objectvault")
    // Root may write anywhere, so that it must become somebody else; any other user is one already.
    let prefix =
      geteuid() == 0
      ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", tool] : [tool]
    func run(_ arguments: [String]) throws -> ChildProcess {
      try SpawnedProgram.run(
        "/usr/bin/env", prefix + arguments, environment: ["OLD": old, "NEW": new])
    }
    try file.make(old)
    let before = try file.bytes
    let arguments = ["rekey", file.path, "--key-env", "OLD", "--new-key-env", "NEW"]
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
    defer { chmod(folder.path, 0o755) }
    chmod(folder.path, 0o755)
    // Where the other user cannot even start the tool, there is nothing to see.
    guard try run(["--version"]).code == 0 else { return }
    let readOnly = try run(arguments)
    #expect(readOnly.code == 74, "\(readOnly.errors)")
    chmod(file.path, 0o666)
    chmod(folder.path, 0o555)
    let folderResult = try run(arguments)
    #expect(folderResult.code == 73, "\(folderResult.errors)")
    #expect(try file.bytes == before)
    #expect(try names() == ["notes.db"])
  }

  // MARK: Several files

  @Test(
    "several files: one that fails does not keep the others, the sum is told, and the status is 1")
  func severalFiles() throws {
    let files = ["a.db", "c.db"].map { ForeignFile(path: folder.file($0)) }
    for file in files { try file.make(old) }
    let other = ForeignFile(path: folder.file("b.db"))
    try other.make("another key")
    let missing = folder.file("missing.db")
    let result = try rekey(files[0].path, other.path, missing, files[1].path)
    #expect(result.code == 1)
    #expect(
      result.output
        == files.map { "Rekeyed '\($0.path)' (cipher format 3, pages of 1024 bytes).\n" }.joined()
        + "Rekeyed 2 of 4 files.\n")
    #expect(result.errors.contains(other.path))
    #expect(result.errors.contains("There is no file at '\(missing)'."))
    for file in files { #expect(try file.isOpened(by: new)) }
    #expect(try other.isOpened(by: "another key"))
  }

  @Test("several files: all done is 0, and a key that cannot be one is told once")
  func severalGoodFiles() throws {
    let files = ["a.db", "b.db"].map { ForeignFile(path: folder.file($0)) }
    for file in files { try file.make(old) }
    let refused = try rekey(files[0].path, files[1].path, to: "")
    #expect(refused.code == 77)
    #expect(refused.output == "Rekeyed 0 of 2 files.\n")
    #expect(refused.errors.split(separator: "\n").count == 1)
    let result = try rekey(files[0].path, files[1].path, "--progress", "json")
    #expect(result.code == 0)
    #expect(result.output.hasSuffix("Rekeyed 2 of 2 files.\n"))
    for file in files {
      #expect(try file.isOpened(by: new))
      #expect(try progress(result.errors).contains { $0["file"] as? String == file.path })
    }
  }
}
