import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

// Taking access away, and new data keys.
extension KeysCommandTests {
  private func addBobAndCarol() throws {
    for (name, key) in [("bob", "B"), ("carol", "C")] {
      #expect(try tool.keys("add", name, "--new-key-env", key, "--new-raw-key").code == 0)
    }
  }

  @Test("remove takes a slot away, says what that does not protect, and needs --yes or an answer")
  func remove() throws {
    try addBobAndCarol()
    let unasked = try tool.keys("remove", "bob")
    #expect(unasked.code == 64)
    #expect(unasked.errors.contains("Use --yes"))
    #expect(try tool.opens("B"))
    let removed = try tool.keys("remove", "bob", "--yes")
    #expect(removed.code == 0, "\(removed.errors)")
    #expect(removed.output.hasPrefix("Removed the slot 'bob'."))
    #expect(removed.output.contains("can still open this vault"))
    #expect(removed.output.contains("keys rotate --revoke"))
    #expect(try !tool.opens("B"))
    #expect(try tool.opens("A"))
    #expect(try tool.keys("remove", "bob", "--yes").code == 66)
    #expect(try tool.keys("remove", "carol", "--yes").code == 0)
    let last = try tool.keys("remove", "main", "--yes")
    #expect(last.code == 64)
    #expect(last.errors.contains("only slot"), "\(last.errors)")
    #expect(try tool.opens("A"))
  }

  @Test("remove completes an interrupted removal: an older keyring is rejected from then on")
  func interruptedRemoval() throws {
    try addBobAndCarol()
    let old = try tool.bytes(tool.vault + ".keyring")
    // The keyring of a process that was killed before the vault recorded the removal.
    _ = try UnlockedKeyring(KeyringFile(besideVault: tool.vault), key: KeyringTool.slotKey("A"))
      .storing { keyring throws(KeyError) in try keyring.removeSlot("bob") }
    let again = try tool.keys("remove", "bob")
    #expect(again.code == 66, "\(again.errors)")
    #expect(again.errors.contains("has no slot 'bob'"), "\(again.errors)")
    #expect(again.errors.contains("No older copy of the keyring opens the vault"))
    #expect(try tool.opens("A") && tool.opens("C"))
    for suffix in ["", "~"] { try tool.write(Array(old), to: "test.vault.keyring" + suffix) }
    let result = try tool.run(["classes", tool.vault, "--raw-key", "--key-env", "B"])
    #expect(result.code == 65, "\(result.errors)")
  }

  @Test("an older keyring that is put back does not open the vault after a removal")
  func rolledBack() throws {
    try addBobAndCarol()
    let old = try tool.bytes(tool.vault + ".keyring")
    #expect(try tool.keys("remove", "bob", "--yes").code == 0)
    for suffix in ["", "~"] { try tool.write(Array(old), to: "test.vault.keyring" + suffix) }
    let result = try tool.run(["classes", tool.vault, "--raw-key", "--key-env", "B"])
    #expect(result.code == 65)
    #expect(result.errors.contains("is older than the one"), "\(result.errors)")
    let files = try tool.files()
    for key in ["A", "B"] {
      let test = try tool.keys("test", by: key)
      #expect(test.code == 65 && test.output.contains("opens"), "\(test.output)")
      #expect(test.errors.contains("is older than the one"), "\(test.errors)")
      let doctor = try tool.run(["doctor", tool.vault, "--raw-key", "--key-env", key])
      #expect(doctor.code == 1, "\(doctor.errors)")
      #expect(doctor.output.contains("is older than the one"), "\(doctor.output)")
    }
    #expect(try tool.files() == files)
    // Without a key no one knows what the vault records.
    #expect(try tool.keys("list", by: nil).code == 0)
    // The vault may be elsewhere.
    let alone = tool.folder.file("alone.vault")
    try FileManager.default.copyItem(
      atPath: tool.vault + ".keyring", toPath: alone + ".keyring")
    let test = try tool.run(["keys", "test", alone, "--raw-key", "--key-env", "B"])
    #expect(test.code == 0, "\(test.errors)")
  }

  @Test("rotate makes a new data key, with progress; every slot opens the vault as before")
  func rotate() throws {
    try addBobAndCarol()
    let before = try tool.bytes()
    let result = try tool.keys("rotate", by: "B", "--progress", "json")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("Rotated the data key of '\(tool.vault)' (cipher format "))
    #expect(result.errors.contains("{\"phase\":\"copying\""))
    #expect(try tool.bytes().prefix(16) != before.prefix(16))
    #expect(try tool.files() == ["test.vault", "test.vault.keyring", "test.vault.keyring~"])
    for key in ["A", "B", "C"] { #expect(try tool.opens(key)) }
    let wrong = try tool.run(["keys", "rotate", tool.vault, "--key-env", "WORDS"])
    #expect(wrong.code == 77)
  }

  @Test("remove --revoke keeps the slots whose keys are given, and tells which ones go")
  func revoke() throws {
    try addBobAndCarol()
    let before = try tool.bytes(tool.vault + ".keyring")
    let unasked = try tool.keys("remove", "bob", "--revoke")
    #expect(unasked.code == 64)
    #expect(
      unasked.errors.contains("Slots to keep: 'main'. Slots to remove: 'bob', 'carol'."),
      "\(unasked.errors)")
    #expect(unasked.errors.contains("--keep-key-file"))
    let wrongKey = try tool.keys(
      "remove", "bob", "--revoke", "--yes", "--keep-key-env", "carol=A")
    #expect(wrongKey.code == 77, "\(wrongKey.errors)")
    let unknown = try tool.keys("remove", "bob", "--revoke", "--yes", "--keep-key-env", "dave=C")
    #expect(unknown.code == 66)
    #expect(try tool.bytes(tool.vault + ".keyring") == before)

    let key = try tool.write(Array((KeyringTool.keys["C"] ?? "").utf8), to: "c.key")
    let done = try tool.keys(
      "remove", "bob", "--revoke", "--yes", "--keep-key-file", "carol=\(key)")
    #expect(done.code == 0, "\(done.errors)")
    #expect(done.output.hasPrefix("Revoked 'bob'."))
    #expect(done.output.contains("Older copies still open with their old keys."))
    #expect(try tool.slots == ["main: raw", "carol: raw"])
    #expect(try tool.opens("A"))
    #expect(try !tool.opens("B"))
    #expect(try tool.opens("C"))
    // The slot that unlocks may be the one that goes, where another one stays.
    let own = try tool.keys(
      "remove", by: "C", "carol", "--revoke", "--yes", "--keep-key-env", "main=A")
    #expect(own.code == 0, "\(own.errors)")
    #expect(try tool.slots == ["main: raw"])
    let nobody = try tool.keys("remove", "main", "--revoke", "--yes")
    #expect(nobody.code == 64)
    #expect(nobody.errors.contains("No slot would remain."))
    #expect(try tool.opens("A"))
  }

  @Test("rotate --revoke shuts out who kept the master key of a slot that was removed plainly")
  func rotateRevoke() throws {
    try addBobAndCarol()
    #expect(try tool.keys("remove", "bob", "--yes").code == 0)
    let result = try tool.keys("rotate", "--revoke", "--yes", "--keep-key-env", "carol=C")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("removed slots: none"))
    for key in ["A", "C"] { #expect(try tool.opens(key)) }
  }

  @Test("--yes does not let a slot go that is not named")
  func unnamedSlots() throws {
    try addBobAndCarol()
    let before = try tool.bytes(tool.vault + ".keyring")
    for command in [["remove", "bob"], ["rotate"]] {
      let result = try tool.run(
        ["keys", command[0], tool.vault, "--raw-key", "--key-env", "A"] + command.dropFirst()
          + ["--revoke", "--yes"])
      #expect(result.code == 64, "\(result.errors)")
      #expect(result.errors.contains("Slots that would be removed too: "))
      #expect(result.errors.contains("'carol'"))
      #expect(result.errors.contains("--drop"))
    }
    #expect(
      try tool.keys("remove", "bob", "--revoke", "--yes", "--drop", "dave").code == 66)
    #expect(
      try tool.keys(
        "remove", "bob", "--revoke", "--yes", "--drop", "carol", "--keep-key-env", "carol=C"
      ).code == 64)
    #expect(try tool.bytes(tool.vault + ".keyring") == before)
    let done = try tool.keys("remove", "bob", "--revoke", "--yes", "--drop", "carol")
    #expect(done.code == 0, "\(done.errors)")
    #expect(try tool.slots == ["main: raw"])
  }

  @Test("an interrupted rotate --revoke is told by list, verify and doctor until it is run again")
  func interruptedRevocation() throws {
    try addBobAndCarol()
    let old = try tool.bytes(tool.vault + ".keyring")
    let child = try ChildProcess.run("killed-copying", "revoke", tool.vault, "")
    #expect(!child.exited && child.status == SIGKILL, "\(child.output)")
    // The new keyring is there, and the old one still opens the vault.
    #expect(try tool.slots == ["main: raw"])
    let listed = try tool.keys("list", by: nil)
    #expect(listed.code == 1)
    #expect(listed.output.contains("main"))
    #expect(listed.errors.contains("is unfinished"), "\(listed.errors)")
    let json = try tool.keys("list", by: nil, "--format", "json")
    #expect(json.output.contains("\"unfinishedRotation\""))
    let verified = try tool.run(["verify", tool.vault, "--raw-key", "--key-env", "A"])
    #expect(verified.code == 1)
    #expect(verified.output.contains("is unfinished"), "\(verified.output)")
    let doctor = try tool.run(["doctor", tool.vault])
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("! keyring and vault: a change of the data key is unfinished"))

    let again = try tool.keys("rotate", "--revoke", "--yes")
    #expect(again.code == 0, "\(again.errors)")
    #expect(try tool.keys("list", by: nil).code == 0)
    let sound = try tool.run(["verify", tool.vault, "--raw-key", "--key-env", "A"])
    #expect(sound.code == 0, "\(sound.output)")
    try tool.write(Array(old), to: "test.vault.keyring")
    #expect(try !tool.opens("B"))
  }

  @Test("an older keyring that is put back does not open the vault after a key was changed")
  func rolledBackChange() throws {
    try addBobAndCarol()
    let old = try tool.bytes(tool.vault + ".keyring")
    let changed = try tool.keys("change", "bob", "--new-key-env", "A", "--new-raw-key")
    #expect(changed.code == 0, "\(changed.errors)")
    for suffix in ["", "~"] { try tool.write(Array(old), to: "test.vault.keyring" + suffix) }
    let result = try tool.run(["classes", tool.vault, "--raw-key", "--key-env", "B"])
    #expect(result.code == 65)
    #expect(result.errors.contains("is older than the one"), "\(result.errors)")
  }

  @Test("a slot has the cost that is given, and a change gives it another")
  func cost() throws {
    func costs() throws -> [UInt64] {
      try KeyringFile(besideVault: tool.vault).read().keyring.slots.compactMap { $0.cost?.n }
    }
    let added = try tool.keys("add", "words", "--new-key-env", "WORDS", "--cost", "16")
    #expect(added.code == 0, "\(added.errors)")
    #expect(try costs() == [1 << 16])
    let changed = try ScryptCost.$replacement.withValue(nil) {
      try tool.keys("change", "words", "--new-key-env", "WORDS")
    }
    #expect(changed.code == 0, "\(changed.errors)")
    // At least 128 MiB unless less is asked for.
    #expect(try [1 << 17, 1 << 18].contains(costs().first))
    for cost in ["15", "21", "x"] {
      #expect(try tool.keys("add", "n", "--new-key-env", "WORDS", "--cost", cost).code == 64)
    }
  }

  // MARK: At the terminal

  @Test(
    "at the terminal --revoke asks for each further slot's key, until it is right, and confirms")
  func revokePrompts() throws {
    try addBobAndCarol()
    let file = try tool.write((0..<40).map { $0 &* 5 }, to: "file.key")
    _ = try tool.keys("add", "machine", "--new-key-file", file, "--new-kind", "key-file")
    _ = try tool.keys("recovery", "paper")
    let terminal = try tool.terminal(
      ["keys", "remove", tool.vault, "bob", "--revoke", "--raw-key", "--key-env", "A"])
    #expect(terminal.expect("Raw key (hexadecimal) of slot 'carol' of '\(tool.vault)'"))
    terminal.type((KeyringTool.keys["A"] ?? "") + "\r")
    #expect(terminal.expect("does not open the slot 'carol'"))
    // The question may have come with the answer.
    if terminal.transcript.components(separatedBy: "empty to remove the slot").count < 3 {
      #expect(terminal.expect("empty to remove the slot"))
    }
    terminal.type((KeyringTool.keys["C"] ?? "") + "\r")
    #expect(terminal.expect("Path of the key file of slot 'machine'"))
    terminal.type(file + "\r")
    #expect(terminal.expect("Recovery code of slot 'paper'"))
    terminal.type("\r")
    #expect(
      terminal.expect(
        "Slots to keep: 'main', 'carol', 'machine'. Slots to remove: 'bob', 'paper'. "
          + "Continue? [y/N]"))
    terminal.type("y\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    for secret in tool.environment.values { #expect(!terminal.transcript.contains(secret)) }
    #expect(try tool.slots == ["main: raw", "carol: raw", "machine: keyFile"])
    #expect(
      try tool.run(["classes", tool.vault, "--key-file", file, "--slot", "machine"]).code == 0)
  }

  @Test("an answer of no changes nothing")
  func answerOfNo() throws {
    try addBobAndCarol()
    let before = try tool.bytes(tool.vault + ".keyring")
    for options in [[], ["--revoke", "--keep-key-env", "carol=C"]] {
      let terminal = try tool.terminal(
        ["keys", "remove", tool.vault, "bob", "--raw-key", "--key-env", "A"] + options)
      #expect(terminal.expect("[y/N]"))
      terminal.type("n\r")
      #expect(terminal.wait() == 64)
      #expect(terminal.transcript.contains("Nothing was done."))
    }
    #expect(try tool.bytes(tool.vault + ".keyring") == before)
  }

  @Test("keys are asked for by kind and slot, are not shown, and stand in no command line")
  func prompts() throws {
    _ = try tool.keys("add", "carol", "--new-key-env", "WORDS")
    let terminal = try tool.terminal(["keys", "change", tool.vault, "--slot", "carol"])
    #expect(terminal.expect("Passphrase for slot 'carol' of '\(tool.vault)': "))
    #expect(!terminal.echoes)
    terminal.type(KeyringTool.passphrase + "\r")
    #expect(terminal.expect("New passphrase for '\(tool.vault)': "))
    terminal.type("quite other words\r")
    #expect(terminal.expect("Type it again: "))
    #if os(Linux)
      let commandLine = try Data(
        contentsOf: URL(fileURLWithPath: "/proc/\(terminal.process)/cmdline"))
      #expect(commandLine.holds(Data("carol".utf8)))
      #expect(!commandLine.holds(Data(KeyringTool.passphrase.utf8)))
      #expect(!commandLine.holds(Data("quite other words".utf8)))
    #endif
    terminal.type("quite other words\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    for secret in [KeyringTool.passphrase, "quite other words"] {
      #expect(!terminal.transcript.contains(secret))
    }
    let changed = try tool.run(
      ["keys", "test", tool.vault, "--slot", "carol", "--key-fd", "5"],
      descriptors: [5: Array("quite other words\n".utf8)])
    #expect(changed.code == 0, "\(changed.errors)")

    let raw = try tool.terminal(["classes", tool.vault, "--slot", "main"])
    #expect(raw.expect("Raw key (hexadecimal) for '\(tool.vault)': "))
    raw.type((KeyringTool.keys["A"] ?? "") + "\r")
    #expect(raw.wait() == 0, "\(raw.transcript)")
  }

  @Test("a recovery code is asked for by that name, and a slip names its group")
  func recoveryPrompt() throws {
    let code = try tool.keys("recovery").output.trimmingCharacters(in: .newlines)
    let terminal = try tool.terminal(["classes", tool.vault, "--recovery-code"])
    #expect(terminal.expect("Recovery code for '\(tool.vault)': "))
    terminal.type(code + "\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    #expect(!terminal.transcript.contains(code))
    let slip = try tool.terminal(["keys", "test", tool.vault, "--slot", "recovery"])
    #expect(slip.expect("Recovery code for slot 'recovery'"))
    slip.type(code.dropLast() + (code.hasSuffix("0") ? "1" : "0") + "\r")
    #expect(slip.expect("Try again.\r\nRecovery code for slot 'recovery'"))
    #expect(slip.transcript.lowercased().contains("group 8 of 8"), "\(slip.transcript)")
    // The end of input instead of a second try.
    slip.type("\u{04}")
    #expect(slip.wait() == 77)
  }

  @Test("a slot that only a file opens is not asked for")
  func keyFileIsNotAsked() throws {
    let file = try tool.write((0..<40).map { $0 &* 5 }, to: "file.key")
    _ = try tool.keys("add", "machine", "--new-key-file", file, "--new-kind", "key-file")
    let terminal = try tool.terminal(["classes", tool.vault, "--slot", "machine"])
    #expect(terminal.wait() == 64)
    #expect(terminal.transcript.contains("Use --key-file PATH."))
  }
}
