import Foundation
import ObjectVaultTool
import ObjectVaultTerminal
import TestSupport
import Testing

import ObjectVaultPlatform

// Several files at a time.
extension RekeyTests {
  @Test("--jobs does all files, tells each in a whole line, and sums up; a failure keeps none back")
  func jobs() throws {
    let names = (1...9).map { "file\($0).db" }
    let files = names.map { ForeignFile(path: folder.file($0)) }
    for file in files { try file.make(old) }
    let other = ForeignFile(path: folder.file("other.db"))
    try other.make("another key")
    let result = try rekey(
      files[0].path, other.path, files[1].path, files[2].path, files[3].path, files[4].path,
      files[5].path, files[6].path, files[7].path, files[8].path, "--jobs", "4")
    #expect(result.code == 1)
    var lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.popLast() == "Rekeyed 9 of 10 files.")
    #expect(
      lines.sorted()
        == files.map { "Rekeyed '\($0.path)' (cipher format 3, pages of 1024 bytes)." }.sorted())
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.errors.contains(other.path))
    for file in files { #expect(try file.isOpened(by: new)) }
    #expect(try other.isOpened(by: "another key"))
    #expect(try self.names() == (names + ["other.db"]).sorted())
  }

  @Test("with --jobs 2 a file that has to be waited for does not keep the next one waiting")
  func jobsAreConcurrent() throws {
    let held = ForeignFile(path: folder.file("held.db"))
    try held.make(old)
    try file.make(old)
    let shell = try HoldingShell(held, old, ["BEGIN IMMEDIATE;"])
    let terminal = try PseudoTerminal(
      "objectvault",
      [
        "rekey", held.path, file.path, "--jobs", "2", "--busy-timeout", "3600", "--key-env", "OLD",
        "--new-key-env", "NEW",
      ], columns: 500, environment: ["OLD": old, "NEW": new])
    #expect(terminal.expect("Rekeyed '\(file.path)'"))
    shell.release()
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    #expect(terminal.transcript.contains("Rekeyed '\(held.path)'"))
    #expect(terminal.transcript.contains("Rekeyed 2 of 2 files."))
  }

  @Test("without --jobs a file is begun after the one before it is done")
  func oneAfterAnother() throws {
    let files = ["a.db", "b.db"].map { ForeignFile(path: folder.file($0)) }
    try files[0].make(old, rows: 30_000)
    try files[1].make(old)
    let result = try rekey(files[0].path, files[1].path, "--progress", "json")
    #expect(result.code == 0, "\(result.errors)")
    let named = try progress(result.errors).compactMap { $0["file"] as? String }
    let begin = try #require(named.firstIndex(of: files[1].path))
    #expect(named.prefix(begin).contains(files[0].path))
    #expect(!named[begin...].contains(files[0].path))
  }

  @Test("a signal ends all files at work in order, and no further one is begun")
  func jobsStopped() throws {
    let files = ["a.db", "b.db", "c.db"].map { ForeignFile(path: folder.file($0)) }
    try files[0].make(old, rows: 30_000)
    for file in files.dropFirst() {
      try FileManager.default.copyItem(atPath: files[0].path, toPath: file.path)
    }
    let before = try files[0].bytes
    let terminal = try PseudoTerminal(
      "objectvault",
      ["rekey"] + files.map(\.path) + [
        "--jobs", "2", "--key-env", "OLD", "--new-key-env", "NEW", "--progress", "json",
      ], columns: 500, environment: ["OLD": old, "NEW": new])
    for file in files.prefix(2) {
      #expect(terminal.expectEventually("\"file\":\"\(file.path)\""))
    }
    terminal.signal(SIGTERM)
    #expect(terminal.wait() == 143, "\(terminal.transcript)")
    for file in files.prefix(2) {
      #expect(terminal.transcript.contains("Stopped. '\(file.path)' is unchanged"))
    }
    #expect(terminal.transcript.contains("Rekeyed 0 of 3 files."))
    #expect(try names() == ["a.db", "b.db", "c.db"])
    for file in files { #expect(try file.bytes == before) }
  }

  @Test("a number of jobs that cannot be meant is 64")
  func jobsUsage() throws {
    try file.make(old)
    for number in ["0", "65", "-1", "two"] {
      #expect(try rekey(file.path, "--jobs", number).code == 64)
    }
    #expect(try file.isOpened(by: old))
  }

  @Test("the bar of several files names each with its phase and share, and fits the terminal")
  func barOfSeveralFiles() {
    let lines = [
      ProgressLine(phase: "copying", done: 45, total: 100, file: "x/a.db"),
      ProgressLine(phase: "preparing", done: 0, total: nil, file: "b\n.db"),
    ]
    let line = ProgressLine.together(lines, prefix: "3/8 ")
    #expect(line.bar(columns: 120) == "3/8 a.db copying 45 %, b\\n.db preparing ...")
    #expect(line.bar(columns: 20) == "3/8 a.db copying 45")
  }
}
