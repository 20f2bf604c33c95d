import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A keyring that another command or a fault changed", .cheapSlots)
struct RepairedKeyringTests {
  private let tool: KeyringTool
  private let place: String

  init() throws {
    tool = try KeyringTool()
    place = tool.vault + ".keyring"
  }

  private func add(_ slot: String, _ key: String) throws {
    try VaultKeyring(ofVaultAt: tool.vault).addSlot(
      slot, KeyringTool.slotKey(key), unlockedBy: KeyringTool.slotKey("A"))
  }

  @Test(
    "--revoke removes no slot that was added while it asked",
    arguments: [["rotate"], ["remove", "bob"]])
  func slotAddedMeanwhile(command: [String]) throws {
    try add("bob", "B")
    let terminal = try tool.terminal(
      ["keys", command[0], tool.vault] + command.dropFirst()
        + ["--revoke", "--raw-key", "--key-env", "A", "--drop", "bob"])
    #expect(terminal.expect("Slots to remove: 'bob'. Continue? [y/N]"))
    try add("carol", "C")
    let before = (try tool.bytes(), try tool.bytes(place))
    terminal.type("y\r")
    #expect(terminal.wait() == 74, "\(terminal.transcript)")
    #expect(terminal.transcript.contains("Nothing was done; try again."), "\(terminal.transcript)")
    #expect(try tool.bytes() == before.0 && tool.bytes(place) == before.1)
    #expect(try tool.opens("C"))
  }

  @Test("The command that 'keys list' names finishes an interrupted revocation")
  func interruptedRevocation() throws {
    try add("bob", "B")
    let old = try tool.bytes(place)
    let child = try ChildProcess.run("killed-copying", "revoke", tool.vault, "")
    #expect(!child.exited && child.status == SIGKILL, "\(child.output)")
    let listed = try tool.keys("list", by: nil)
    #expect(listed.code == 1)
    let doctor = try tool.run(["doctor", tool.vault])
    for text in [listed.errors, doctor.output] {
      #expect(text.contains("Run 'keys rotate'"), "\(text)")
      #expect(!text.contains("remove --revoke"), "\(text)")
    }
    let rotated = try tool.keys("rotate")
    #expect(rotated.code == 0, "\(rotated.errors)")
    let clean = try tool.keys("list", by: nil)
    #expect(clean.code == 0 && clean.errors.isEmpty, "\(clean.errors)")
    #expect(try tool.opens("A"))
    for suffix in ["", "~"] { try tool.write(Array(old), to: "test.vault.keyring" + suffix) }
    #expect(try !tool.opens("B"))
  }

  @Test("A keyring that fails authentication is reported by 'keys test', and 'doctor' repairs it")
  func notAuthentic() throws {
    let sound = try tool.bytes(place)
    #expect(try tool.keys("test").errors.isEmpty)
    let text = String(decoding: sound, as: UTF8.self)
    let tampered = text.replacing("\"generation\" : 3", with: "\"generation\" : 4")
    #expect(tampered != text)
    try tool.write(Array(tampered.utf8), to: "test.vault.keyring")
    let tested = try tool.keys("test")
    #expect(tested.code == 0)
    #expect(tested.output.contains("The slot 'main' (raw key) opens."))
    #expect(tested.errors.contains("Warning: "), "\(tested.errors)")
    #expect(tested.errors.contains("The spare copy '\(place)~' was used"), "\(tested.errors)")
    let doctor = try tool.run(["doctor", tool.vault])
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("cp -p '\(place)~' '\(place)'"), "\(doctor.output)")
  }

  @Test("A backup does not use a keyring that is left next to its path")
  func leftKeyring() throws {
    let copy = tool.folder.file("copy.vault")
    let backup = ["backup", tool.vault, "--to", copy, "--raw-key", "--key-env", "A"]
    #expect(try tool.run(backup).code == 0)
    #expect(unlink(copy) == 0)
    let left = try tool.bytes(copy + ".keyring")
    let again = try tool.run(backup)
    #expect(again.code == 73, "\(again.errors)")
    #expect(again.errors.contains("copy.vault.keyring' already exists"), "\(again.errors)")
    #expect(try tool.bytes(copy + ".keyring") == left)
    #expect(try !tool.files().contains("copy.vault"))
  }
}
