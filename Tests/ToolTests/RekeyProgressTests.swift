import Foundation
@testable import ObjectVaultTool
@testable import ObjectVaultMaintenance
import ObjectVaultCore
import ObjectVaultTerminal
import TestSupport
import Testing

import ObjectVaultPlatform

// At the terminal, and what programs are told.
extension RekeyTests {
  @Test("on a terminal it asks for the old key once and for the new one twice, and shows neither")
  func prompts() throws {
    try file.make(old)
    let terminal = try PseudoTerminal("objectvault", ["rekey", file.path])
    #expect(terminal.expect("Passphrase for '\(file.path)': "))
    terminal.type(old + "\r")
    #expect(terminal.expect("New passphrase for '\(file.path)': "))
    terminal.type(new + "\r")
    #expect(terminal.expect("Type it again: "))
    #if os(Linux)
      let commandLine = try Data(
        contentsOf: URL(fileURLWithPath: "/proc/\(terminal.process)/cmdline"))
      #expect(commandLine.holds(Data(file.path.utf8)))
      for secret in [old, new] { #expect(!commandLine.holds(Data(secret.utf8))) }
    #endif
    terminal.type(new + "\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    for secret in [old, new] { #expect(!terminal.transcript.contains(secret)) }
    #expect(try file.isOpened(by: new))
  }

  @Test("a new key that is typed differently the second time is 77 and changes nothing")
  func slip() throws {
    try file.make(old)
    let before = try file.bytes
    let terminal = try PseudoTerminal(
      "objectvault", ["rekey", file.path, "--key-env", "OLD"], environment: ["OLD": old])
    #expect(terminal.expect("New passphrase for"))
    terminal.type("one\r")
    #expect(terminal.expect("Type it again: "))
    terminal.type("two\r")
    #expect(terminal.wait() == 77)
    #expect(try file.bytes == before)
  }

  @Test("several files are asked for once")
  func severalFilesPrompt() throws {
    let files = ["a.db", "b.db"].map { ForeignFile(path: folder.file($0)) }
    for file in files { try file.make(old) }
    let terminal = try PseudoTerminal("objectvault", ["rekey", files[0].path, files[1].path])
    #expect(terminal.expect("Passphrase for the 2 files: "))
    terminal.type(old + "\r")
    #expect(terminal.expect("New passphrase for the 2 files: "))
    terminal.type(new + "\r")
    #expect(terminal.expect("Type it again: "))
    terminal.type(new + "\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    #expect(terminal.transcript.contains("Rekeyed 2 of 2 files."))
  }

  @Test("work of more than a second shows a bar with phase and pages, which goes at the end")
  func bar() throws {
    var file = file
    // The new key takes so long to derive; the bar comes once that is done.
    file.settings = ["PRAGMA kdf_iter = 4000000;"]
    try file.make("x'\(raw)'", rows: 1000)
    let terminal = try PseudoTerminal(
      "objectvault",
      [
        "rekey", file.path, "--key-env", "OLD", "--raw-key", "--new-key-env", "NEW",
        "--from-kdf-iter", "4000000",
      ], environment: ["OLD": raw, "NEW": new])
    #expect(terminal.wait() == 0)
    #expect(terminal.transcript.contains("copying [##"), "\(terminal.transcript)")
    #expect(terminal.transcript.contains(" pages, "))
    #expect(terminal.transcript.contains(" MB/s, "))
    #expect(terminal.transcript.contains("\r\u{1B}[KRekeyed '"))
  }

  @Test(
    "a signal in the middle ends it in order: the original is whole, the copy gone",
    arguments: [(nil, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32?, Int32)])
  func stopped(signal: Int32?, status: Int32) throws {
    try file.make(old, rows: 30_000)
    let before = try file.bytes
    #expect(before.count > 30_000_000)
    let terminal = try PseudoTerminal(
      "objectvault",
      [
        "rekey", file.path, folder.file("next.db"), "--key-env", "OLD", "--new-key-env", "NEW",
        "--progress", "json",
      ], environment: ["OLD": old, "NEW": new])
    #expect(terminal.expect("\"copying\""))
    #expect(try names().contains(".notes.db.copying"))
    if let signal { terminal.signal(signal) } else { terminal.type("\u{03}") }
    #expect(terminal.wait() == status, "\(terminal.transcript)")
    #expect(terminal.transcript.contains("Rekeyed 0 of 2 files."))
    #expect(
      terminal.transcript.contains(
        "Stopped. '\(file.path)' is unchanged and still has its old key."))
    #expect(try names() == ["notes.db"])
    #expect(try file.bytes == before)
    #expect(try file.isOpened(by: old))
  }

  // MARK: For programs

  func progress(_ errors: String) throws -> [[String: Any]] {
    try errors.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("--progress json writes a line of JSON for each phase, in order and up to its end")
  func jsonProgress() throws {
    try file.make(old, rows: 3000)
    let result = try rekey(file.path, "--progress", "json")
    #expect(result.code == 0)
    let lines = try progress(result.errors)
    var phases: [String] = []
    for line in lines {
      #expect(Set(line.keys) == ["phase", "done", "total"])
      let phase = try #require(line["phase"] as? String)
      if phases.last != phase { phases.append(phase) }
    }
    #expect(phases == ["preparing", "copying", "verifying", "comparing", "replacing"])
    for phase in phases.dropFirst() {
      let last = try #require(lines.last { $0["phase"] as? String == phase })
      #expect(last["done"] as? Int == last["total"] as? Int)
    }
    let pages = try #require(lines.last { $0["phase"] as? String == "copying" })
    #expect(try (pages["total"] as? Int).map { $0 * 1024 } == file.bytes.count)
    // Both files are read, by pages.
    let compared = try #require(lines.last { $0["phase"] as? String == "comparing" })
    #expect(compared["total"] as? Int == (pages["total"] as? Int).map { $0 * 2 })
  }

  @Test("a phase is reported to programs as complete once, though the work on it goes on")
  func completeOnce() {
    var milestones: [Int64] = []
    let reporter = RekeyReporter(file: nil, prefix: "") { line, isMilestone in
      if isMilestone { milestones.append(line.done) }
    }
    for done in [0, 50, 100, 100, 100] {
      reporter.update(RekeyProgress(phase: .copying, done: done, total: 100, pageSize: 4096))
    }
    reporter.update(RekeyProgress(phase: .verifying, done: 100, total: 100, pageSize: 4096))
    #expect(milestones == [0, 100, 100])
  }

  @Test("--progress json writes the warning of a weak new key once, as a line of JSON")
  func jsonWarning() throws {
    try file.make(old)
    let result = try rekey(file.path, "--progress", "json", to: "tiny key")
    #expect(result.code == 0)
    let lines = try progress(result.errors)
    let warnings = lines.compactMap { $0["warning"] as? String }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("is weak") == true)
    #expect(lines.contains { $0["phase"] as? String == "replacing" })
  }

  @Test("a reader of the output that went away keeps no file from being rekeyed")
  func closedOutput() throws {
    let files = ["a.db", "b.db"].map { ForeignFile(path: folder.file($0)) }
    for file in files { try file.make(old) }
    let keys = try ["old": old, "new": new].mapValues { words in
      let path = folder.file(UUID().uuidString)
      try Data(words.utf8).write(to: URL(fileURLWithPath: path))
      chmod(path, 0o600)
      return path
    }
    let result = try SpawnedProgram.runWithClosedOutput(
      "objectvault",
      [
        "rekey", files[0].path, files[1].path, "--key-file", keys["old"] ?? "", "--new-key-file",
        keys["new"] ?? "",
      ])
    #expect(result.code == 0, "\(result.errors)")
    for file in files { #expect(try file.isOpened(by: new)) }
  }

  @Test("A phase with the name of a class is quoted in JSON and escaped in the bar")
  func phaseWithName() throws {
    var line = ProgressLine(phase: "sending a\"\\\u{1B}[2J", done: 1, total: 2)
    #expect(try progress(line.json)[0]["phase"] as? String == "sending a\"\\\u{1B}[2J")
    #expect(line.bar(columns: 120).hasPrefix(#"sending a"\\u{1B}[2J ["#))
    line.total = nil
    #expect(line.bar(columns: 120) == #"sending a"\\u{1B}[2J 1"#)
  }

  @Test("a line of progress names speed and time left, fits the terminal, and is proper JSON")
  func progressLine() throws {
    var report = RekeyProgress(phase: .copying, done: 25_000, total: 100_000, pageSize: 4096)
    var line = ProgressLine(
      phase: "copying", done: 25_000, total: 100_000, file: "a\"\\\n.db",
      detail: RekeyReporter.detail(report, elapsed: .seconds(2)), prefix: "2/5 ")
    #expect(line.detail == "25000 of 100000 pages, 51 MB/s, 6 s left")
    #expect(
      line.bar(columns: 120)
        == "2/5 copying [#######.......................] 25 % 25000 of 100000 pages, 51 MB/s, 6 s left"
    )
    #expect(line.bar(columns: 80).count <= 79)
    #expect(line.bar(columns: 20).count == 19)
    let object = try progress(line.json)[0]
    #expect(object["file"] as? String == "a\"\\\n.db")
    line.total = nil
    #expect(try progress(line.json)[0]["total"] is NSNull)
    report = RekeyProgress(phase: .verifying, done: 10, total: 100_000, pageSize: 512)
    #expect(
      RekeyReporter.detail(report, elapsed: .seconds(1))
        == "10 of 100000 pages, 0 MB/s, 2 h 46 min left")
    report = RekeyProgress(phase: .comparing, done: 50, total: 100, pageSize: 4096)
    #expect(
      RekeyReporter.detail(report, elapsed: .seconds(1)) == "50 of 100 pages, 0.2 MB/s, 1 s left")
  }
}
