import Foundation
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("The file of a keyring")
struct KeyringFileTests {
  private let folder: TemporaryFolder
  private let file: KeyringFile

  init() throws {
    folder = try TemporaryFolder()
    file = KeyringFile(besideVault: folder.path("school.vault"))
  }

  private func made() throws -> OpenKeyring {
    try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
  }

  @Test("is two equal files that only the owner may read")
  func twoFiles() throws {
    let keyring = try made()
    try file.store(keyring.keyring, replacing: nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).sorted()
        == ["school.vault.keyring", "school.vault.keyring~"])
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: file.path))
        == Data(contentsOf: URL(fileURLWithPath: file.sparePath)))
    for path in [file.path, file.sparePath] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
    let read = try file.open(with: raw(1))
    #expect(read.keyring.keyring == keyring.keyring)
    #expect(read.spareReason == nil)
  }

  @Test(
    "that cannot be read or does not authenticate is stood in for by the spare copy, and says so")
  func spareCopy() throws {
    let keyring = try made()
    try file.store(keyring.keyring, replacing: nil)
    let json = try String(contentsOfFile: file.path, encoding: .utf8)
    let tampered = json.replacingOccurrences(of: "\"generation\" : 1", with: "\"generation\" : 2")
    #expect(tampered != json)
    for damage in ["", "{", String(json.prefix(100)), tampered] {
      try damage.write(toFile: file.path, atomically: false, encoding: .utf8)
      let read = try file.open(with: raw(1))
      #expect(read.keyring.keyring == keyring.keyring)
      #expect(read.spareReason != nil)
    }
    try FileManager.default.removeItem(atPath: file.path)
    #expect(try file.open(with: raw(1)).spareReason != nil)
    // It is not overwritten by a new keyring.
    #expect(file.exists)
    #expect(keyCode { try file.store(made().keyring, replacing: nil) } == .keyringChanged)
    try FileManager.default.removeItem(atPath: file.sparePath)
    #expect(keyCode { _ = try file.open(with: raw(1)) } == .keyringMissing)
  }

  @Test(
    "of a newer version is not stood in for by an older copy",
    arguments: ["4", "4294967296", "18446744073709551616", "1e30"])
  func newer(version: String) throws {
    try file.store(made().keyring, replacing: nil)
    let json = try String(contentsOfFile: file.path, encoding: .utf8)
    let newer = json.replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : \(version)")
    #expect(newer != json)
    try newer.write(toFile: file.path, atomically: false, encoding: .utf8)
    #expect(keyCode { _ = try file.read() } == .keyringNewer)
  }

  @Test("is not stored over one that changed in the meantime, nor over one that is there")
  func lostUpdate() throws {
    var mine = try made()
    try file.store(mine.keyring, replacing: nil)
    #expect(keyCode { try file.store(made().keyring, replacing: nil) } == .keyringChanged)
    var other = mine
    try other.addSlot("other", opening: raw(2))
    try file.store(other.keyring, replacing: mine.keyring.generation)
    let before = mine.keyring.generation
    try mine.addSlot("mine", opening: raw(3))
    #expect(keyCode { try file.store(mine.keyring, replacing: before) } == .keyringChanged)
    #expect(try file.read().keyring == other.keyring)
  }

  @Test("in a folder that is not there is an error that says so")
  func missingFolder() throws {
    let lost = KeyringFile(at: folder.path("nowhere/x.keyring"))
    #expect(keyCode { try lost.store(made().keyring, replacing: nil) } == .keyringUnwritable)
    #expect(keyCode { _ = try lost.read() } == .keyringMissing)
  }

  @Test(
    "with anything but a keyring in it is malformed, and costs neither a trap nor a derivation",
    arguments: [
      "null", "[]", "{}", "{\"objectvault\":\"keyring\"}", "\u{0}",
      "{\"objectvault\":\"vault\",\"version\":1}",
      "{\"objectvault\":\"keyring\",\"version\":-1}", "{\"objectvault\":\"keyring\",\"version\":1}",
    ])
  func malformed(text: String) {
    #expect(keyCode { _ = try Keyring(json: Array(text.utf8)) } == .keyringMalformed)
  }

  @Test("with numbers out of bounds is malformed")
  func outOfBounds() throws {
    let keyring = try OpenKeyring.make(
      for: Array(1...16), opening: .passphrase(Secret(utf8: "x")), named: "words", cost: .minimum)
    let json = String(decoding: try keyring.keyring.json(), as: UTF8.self)
    #expect(json.contains("\"n\" : 65536"))
    for (old, new) in [
      ("\"n\" : 65536", "\"n\" : 2097152"), ("\"n\" : 65536", "\"n\" : 1024"),
      ("\"n\" : 65536", "\"n\" : 65537"), ("\"r\" : 8", "\"r\" : 33"), ("\"p\" : 1", "\"p\" : 5"),
      ("\"p\" : 1", "\"p\" : 18446744073709551616"), ("\"kind\" : 1", "\"kind\" : 9"),
      ("\"kind\" : 1", "\"kind\" : 4"),
    ] {
      let changed = json.replacingOccurrences(of: old, with: new)
      #expect(changed != json)
      #expect(keyCode { _ = try Keyring(json: Array(changed.utf8)) } == .keyringMalformed, "\(new)")
    }
    let long = json + String(repeating: " ", count: Keyring.maximumFileCount)
    #expect(keyCode { _ = try Keyring(json: Array(long.utf8)) } == .keyringMalformed)
  }

  @Test("cut off or changed at any byte never traps, and never opens as something else")
  func everyByte() throws {
    let keyring = try made().keyring
    let json = try keyring.json()
    for index in json.indices.dropLast() {
      #expect(throws: KeyError.self) {
        _ = try Keyring(json: Array(json[..<index])).slots.count < 0
      }
      var changed = json
      changed[index] ^= 0x15
      guard var read = try? Keyring(json: changed) else { continue }
      read.restoreDates(of: keyring)
      if read == keyring { continue }
      #expect(throws: KeyError.self) { _ = try read.opened(with: raw(1)) }
    }
  }

  @Test("at the end of a link stays where it is: the link and its target are followed")
  func link() throws {
    let target = try TemporaryFolder()
    let keyring = try made()
    try KeyringFile(at: target.path("kept")).store(keyring.keyring, replacing: nil)
    let path = folder.path("school.vault.keyring")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: target.path("kept"))
    let linked = KeyringFile(besideVault: folder.path("school.vault"))
    var changed = keyring
    try changed.addSlot("second", opening: raw(2))
    try linked.store(changed.keyring, replacing: keyring.keyring.generation)
    // What the link leads to has no slot that was removed, and nothing else is made.
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target.path("kept"))
    #expect(try KeyringFile(at: target.path("kept")).read().keyring == changed.keyring)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("."))
        == ["school.vault.keyring"])
    linked.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".")) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path(".")) == [])
  }

  @Test("is not waited for without end while another program holds a lock on the folder")
  func lockedFolder() throws {
    let keyring = try made()
    let impatient = KeyringFile(
      at: folder.path("school.vault.keyring"), lockTimeout: .milliseconds(20))
    let descriptor = open(folder.path("."), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(keyCode { try impatient.store(keyring.keyring, replacing: nil) } == .keyringChanged)
    #expect(!impatient.exists)
    // A process that another test started meanwhile may have inherited the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
    try impatient.store(keyring.keyring, replacing: nil)
    #expect(impatient.exists)
  }
}
