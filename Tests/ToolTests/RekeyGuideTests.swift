import Foundation
import TestSupport
import Testing

/// Every command of the guide "Rekeying existing databases", as it stands there.
@Suite("The guide to rekeying") struct RekeyGuideTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of the blocks that are marked as commands of a shell.
  private static func commands() throws -> [String] {
    let guide = try String(
      contentsOf: root.appendingPathComponent("Guides/Rekeying.md"), encoding: .utf8)
    var lines: [String] = []
    var isInside = false
    for line in guide.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```sh"
      } else if isInside, !line.isEmpty {
        lines.append(String(line))
      }
    }
    return lines
  }

  /// What the guide takes for granted: files under the words in `old.key`, and the tool at hand,
  /// `Scripts/rekey` standing for it as it does once it built it.
  private func prepared(_ folder: TemporaryFolder) throws -> [String: String] {
    let words = "old words"
    let files = FileManager.default
    for name in ["Scripts", "archive", "bin"] {
      try files.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
    }
    for name in [
      "notes.db", "mail.db", "tasks.db", "diary.db", "photos.db", "archive/a.db", "archive/b.db",
    ] {
      try ForeignFile(path: folder.file(name)).make(words)
    }
    try ForeignFile(
      path: folder.file("ledger.db"), settings: ["PRAGMA kdf_iter = 10000;"]
    ).make(words)
    try files.copyItem(
      atPath: Self.root.appendingPathComponent("Fixtures/databases/format2-1024.db").path,
      toPath: folder.file("old.db"))
    try write("\(words)\n", to: folder.file("old.key"), mode: 0o600)
    // An engine that is preloaded is meant for the tool; what else the shell starts has its own.
    let preloaded = ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? ""
    let tool = ChildProcess.programs.appendingPathComponent("objectvault").path
    let start = "#!/bin/sh\nexec env LD_PRELOAD='\(preloaded)' '\(tool)'"
    try write("\(start) \"$@\"\n", to: folder.file("bin/objectvault"), mode: 0o700)
    try write("\(start) rekey \"$@\"\n", to: folder.file("Scripts/rekey"), mode: 0o700)
    return [
      "PATH": folder.file("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
      "LD_PRELOAD": "", "OLD_KEY": words, "NEW_KEY": "new words",
    ]
  }

  private func write(_ text: String, to path: String, mode: Int) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test("holds no command that does not work as it stands there")
  func commandsWork() throws {
    let folder = try TemporaryFolder()
    let environment = try prepared(folder)
    let commands = try Self.commands()
    #expect(commands.count == 10)
    for command in commands {
      // The file of format 2 has other words; the guide has it under a raw key.
      if command.contains("old.db") {
        let made = try TestTool.bare(
          [
            "rekey", folder.file("old.db"), "--key-env", "WORDS", "--new-raw-key",
            "--new-key-file", folder.file("raw.key"),
          ], environment: ["WORDS": "open sesame"])
        #expect(made.code == 0, "\(made.errors)")
      }
      let terminal = try PseudoTerminal(
        "/bin/sh", ["-c", "cd '\(folder.path)' && \(command)"], environment: environment)
      if command.hasPrefix("Scripts/rekey ") {
        for (question, answer) in [
          ("Passphrase for", "old words"), ("New passphrase for", "new words"),
          ("The same again: ", "new words"),
        ] {
          #expect(terminal.expect(question))
          terminal.type(answer + "\r")
        }
      }
      #expect(terminal.wait() == 0, "\(command): \(terminal.transcript)")
      if command.contains("rekey") { #expect(terminal.transcript.contains("Rekeyed '")) }
      if command.contains("notes.db") {
        #expect(
          terminal.transcript.contains(
            "Rekeyed 'notes.db' (cipher format 3, pages of 1024 bytes)."))
      }
      if command.contains("json") {
        #expect(terminal.transcript.contains("{\"phase\":\"copying\",\"done\":"))
      }
      if command.contains("archive") {
        #expect(terminal.transcript.contains("Rekeyed 2 of 2 files."))
      }
    }
    let newKey = try String(contentsOfFile: folder.file("new.key"), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    let raw = try String(contentsOfFile: folder.file("raw.key"), encoding: .utf8)
    #expect(try ForeignFile(path: folder.file("notes.db")).isOpened(by: "new words"))
    #expect(try ForeignFile(path: folder.file("mail.db")).isOpened(by: newKey))
    #expect(try ForeignFile(path: folder.file("tasks.db")).isOpened(by: "new words"))
    #expect(try ForeignFile(path: folder.file("diary.db")).isOpened(by: "x'\(raw)'"))
    #expect(
      try ForeignFile(
        path: folder.file("ledger.db"), settings: ["PRAGMA kdf_iter = 10000;"]
      ).isOpened(by: newKey))
  }

  @Test("Scripts/rekey explains itself, and does nothing without a file")
  func script() throws {
    let script = Self.root.appendingPathComponent("Scripts/rekey").path
    let help = try SpawnedProgram.run(script, ["--help"])
    #expect(help.code == 0)
    #expect(help.output.contains("Usage: Scripts/rekey FILE..."))
    let nothing = try SpawnedProgram.run(script, [])
    #expect(nothing.code == 64)
    #expect(nothing.errors.contains("Usage: Scripts/rekey FILE..."))
  }
}
