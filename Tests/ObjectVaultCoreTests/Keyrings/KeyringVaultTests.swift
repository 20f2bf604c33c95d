import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import ObjectVaultSession
import Testing
import TestSupport

@testable import ObjectVaultFile
@testable import ObjectVaultMaintenance
@testable import ObjectVaultStores

@Suite("A vault with a keyring", .cheapSlots)
struct KeyringVaultTests {
  private let folder: TemporaryFolder
  private let path: String
  // Slots of raw keys need no derivation, so that the tests are quick.
  private let owner = SlotKey.raw(1...32)
  private let deputy = SlotKey.raw(101...132)
  private let nobody = SlotKey.raw(201...232)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  private func made(_ count: Int = 200) throws -> Vault {
    let vault = try Vault(at: path, key: .keyring(owner))
    try vault.store(of: Person.self).insert(
      contentsOf: (0..<count).map { Person(name: "marker \($0)", age: $0) })
    return vault
  }

  private func keyring() throws -> VaultKeyring { try VaultKeyring(ofVaultAt: path) }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func opening(_ key: VaultKey, _ path: String? = nil) -> VaultError.Code? {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    return code {
      let vault = try Vault(at: path ?? self.path, key: key, configuration: configuration)
      #expect(try vault.store(of: Person.self).count() == 200)
    }
  }

  private func states(_ file: String? = nil) throws -> [KeyringEpoch.State] {
    try KeyringFile(besideVault: file ?? path).read().keyring.epochs.map(\.state)
  }

  private func presentSalt() throws -> FileSalt {
    try #require(FileSalt(bytes(path).prefix(FileSalt.count)))
  }

  @Test("removes what a killed program left unfinished when it is opened")
  func unfinished() throws {
    try made().close()
    for file in ["school.vault.keyring.new", "school.vault.keyring~.new"] {
      try write(Data("{".utf8), to: folder.file(file))
    }
    #expect(opening(.keyring(owner)) == nil)
    #expect(try files() == ["school.vault", "school.vault.keyring", "school.vault.keyring~"])
  }

  @Test("is made with one, which has mode 0600 and a spare copy, and opens by its slot alone")
  func creation() throws {
    try made().close()
    #expect(try files() == ["school.vault", "school.vault.keyring", "school.vault.keyring~"])
    for file in ["school.vault.keyring", "school.vault.keyring~"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(file))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    let slots = try keyring().slots()
    #expect(slots.map(\.name) == ["main"] && slots.map(\.kind) == [.raw])
    #expect(try states() == [.current])
    #expect(opening(.keyring(owner)) == nil)
    #expect(opening(.keyring(deputy)) == .wrongKey)
    #expect(opening(.keyring(owner.named("nobody"))) == .noSuchSlot)
    #expect(opening(.raw(1...32)) == .wrongKey)
  }

  @Test("opens by each slot that was added, and not by one that was removed, renamed or changed")
  func slots() throws {
    try made().close()
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    #expect(opening(.keyring(deputy)) == nil)
    #expect(try keyring().test(deputy).name == "deputy")
    let code = try keyring().addRecoveryCode(unlockedBy: deputy)
    let typed = code.withUnsafeBytes { String(decoding: $0, as: UTF8.self).lowercased() }
    #expect(try keyring().test(.recoveryCode(typed)).name == "recovery")
    try keyring().renameSlot("deputy", to: "vice", deputy)
    #expect(opening(.keyring(deputy.named("deputy"))) == .noSuchSlot)
    #expect(opening(.keyring(deputy.named("vice"))) == nil)
    try keyring().changeKey(ofSlot: "vice", to: nobody, unlockedBy: owner)
    #expect(opening(.keyring(deputy)) == .wrongKey)
    #expect(opening(.keyring(nobody)) == nil)
    try keyring().removeSlot("vice", unlockedBy: owner)
    #expect(opening(.keyring(nobody)) == .wrongKey)
    #expect(try keyring().slots().map(\.name) == ["main", "recovery"])
    try keyring().removeSlot("main", unlockedBy: .recoveryCode(typed))
    #expect(
      TestSupport.code {
        try keyring().removeSlot("recovery", unlockedBy: .recoveryCode(typed))
      } == .invalidArgument)
    #expect(opening(.keyring(.recoveryCode(typed))) == nil)
  }

  @Test("changes no page of the file when a slot is added or renamed, and no data key when changed")
  func pages() throws {
    try made().close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    try keyring().renameSlot("deputy", to: "vice", deputy)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    try keyring().changeKey(to: nobody, unlockedBy: owner)
    // The salt goes with the data key. The vault records that no older keyring opens it.
    let after = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(after.prefix(16) == before.prefix(16))
    #expect(try files().count == 3)
  }

  @Test("is given another passphrase at the cost of two derivations, and opened at that of one")
  func derivations() throws {
    func count(_ body: () throws -> Void) rethrows -> Int {
      let count = DerivationCount()
      try DerivationCount.$current.withValue(count, operation: body)
      return count.value
    }
    let first = SlotKey.passphrase("first words")
    let creation = try count {
      let vault = try Vault(at: path, key: .keyring(first))
      try vault.store(of: Person.self).insert(Person(name: "marker"))
      vault.close()
    }
    #expect(creation == 1)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let second = SlotKey.passphrase("second words")
    #expect(try count { try keyring().changeKey(to: second, unlockedBy: first) } == 2)
    #expect(
      try count { try keyring().addSlot("deputy", .passphrase("others"), unlockedBy: second) } == 2)
    // The slot is named, so that the other one is not tried.
    #expect(
      try count {
        try keyring().changeKey(
          ofSlot: "deputy", to: first, unlockedBy: .passphrase("others", slot: "deputy"))
      } == 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16) == before.prefix(16))
    let opening = try count {
      let vault = try Vault(at: path, key: .keyring(first.named("deputy")))
      #expect(try vault.store(of: Person.self).count() == 1)
    }
    #expect(opening == 1)
  }

  @Test(
    "with a definition that no CREATE statement leaves is rejected by every change of its keys",
    arguments: [
      "CREATE TABLE good AS SELECT 1 AS a", "CREATE TABLE good(a); DROP TABLE other",
      "ATTACH 'x' AS y",
    ])
  func hostileDefinition(definition: String) throws {
    try made().close()
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let (opened, writer) = try OpenedFile.open(
      path, key: .keyring(owner), settings: VaultConfiguration())
    let engine = try #require(writer).engine
    try engine.execute("CREATE TABLE good(a)")
    try engine.setPragma("writable_schema", to: "1", expecting: "1")
    let literal = definition.replacing("'", with: "''")
    try engine.execute("UPDATE sqlite_master SET sql = '\(literal)' WHERE name = 'good'")
    try engine.close()
    opened.close()
    let before = try contents(of: folder)
    for change in [
      { try keyring().changeKey(to: nobody, unlockedBy: owner) },
      { try keyring().removeSlot("deputy", unlockedBy: owner) },
    ] {
      #expect(code(of: change) == .engineRefused)
      #expect(try contents(of: folder) == before)
    }
  }

  @Test("says what is wrong with its keyring: missing, another vault's, older, altered, newer")
  func wrongKeyrings() throws {
    try made().close()
    let place = path + ".keyring"
    let first = try Data(contentsOf: URL(fileURLWithPath: place))
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let second = try Data(contentsOf: URL(fileURLWithPath: place))
    func put(_ data: Data?) throws {
      for file in [place, place + "~"] {
        try? FileManager.default.removeItem(atPath: file)
        try data?.write(to: URL(fileURLWithPath: file))
      }
    }
    // Without a removal an older one is as good.
    try put(first)
    #expect(opening(.keyring(owner)) == nil)
    try put(second)
    try keyring().removeSlot("deputy", unlockedBy: owner)
    let third = try Data(contentsOf: URL(fileURLWithPath: place))
    try put(second)
    #expect(opening(.keyring(owner)) == .keyringRolledBack)
    #expect(opening(.keyring(deputy)) == .keyringRolledBack)
    let report = try DatabaseFile(at: path, key: .keyring(deputy)).verify()
    #expect(report.keyring == .rolledBack && !report.isSound)
    try put(third)
    #expect(try DatabaseFile(at: path, key: .keyring(owner)).verify().isSound)
    try put(nil)
    #expect(opening(.keyring(owner)) == .keyringMissing)
    try put(Data("{".utf8))
    #expect(opening(.keyring(owner)) == .keyringMalformed)
    let text = String(decoding: third, as: UTF8.self)
    try put(Data(text.replacing("\"version\" : 1", with: "\"version\" : 4").utf8))
    #expect(opening(.keyring(owner)) == .newerFormat)
    try put(Data(text.replacing("\"current\"", with: "\"retired\"").utf8))
    #expect(opening(.keyring(owner)) == .keyringTampered)
    let other = folder.file("other.vault")
    try Vault(at: other, key: .keyring(owner)).open()
    try put(Data(contentsOf: URL(fileURLWithPath: other + ".keyring")))
    #expect(opening(.keyring(owner)) == .keyringMismatch)
    try put(third)
    #expect(opening(.keyring(owner)) == nil)
  }

  /// Stores a state of the keyring again, as a person who can write the files can.
  private func putBack(_ state: Data) throws {
    for file in [path + ".keyring", path + ".keyring~"] { try write(state, to: file) }
  }

  /// Returns a vault from whose keyring a slot was removed, and the states before and after that.
  private func withRemovedSlot() throws -> (vault: Vault, before: Data, after: Data) {
    let vault = try made()
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let before = try bytes(path + ".keyring")
    try keyring().removeSlot("deputy", unlockedBy: owner)
    return (vault, before, try bytes(path + ".keyring"))
  }

  @Test("No change of an older keyring makes it acceptable", arguments: [false, true])
  func changesOfOlderKeyring(isOpen: Bool) throws {
    let (vault, older, latest) = try withRemovedSlot()
    if !isOpen { vault.close() }
    try putBack(older)
    let changes: [() throws -> Void] = [
      { try keyring().addSlot("third", nobody, unlockedBy: owner) },
      { _ = try keyring().addRecoveryCode(unlockedBy: deputy) },
      { try keyring().renameSlot("deputy", to: "vice", deputy) },
      { try keyring().raiseCost(ofSlotOpenedBy: owner) },
      { try keyring().changeKey(to: nobody, unlockedBy: deputy) },
      { try keyring().removeSlot("main", unlockedBy: deputy) },
    ]
    for change in changes {
      #expect(code(of: change) == .keyringRolledBack)
      #expect(try bytes(path + ".keyring") == older && bytes(path + ".keyring~") == older)
    }
    // Another handle of the process needs a key of the latest keyring, too.
    #expect(opening(.keyring(deputy)) == .keyringRolledBack)
    try putBack(latest)
    try keyring().addSlot("third", nobody, unlockedBy: owner)
    #expect(opening(.keyring(nobody)) == nil)
    vault.close()
  }

  @Test("An open vault is not rewritten or copied with an older keyring")
  func rewritingWithOlderKeyring() throws {
    let (vault, older, latest) = try withRemovedSlot()
    try putBack(older)
    try vault.checkpoint()
    let files = Set(try files())
    let before = try bytes(path)
    let operations: [() throws -> Void] = [
      { try vault.rotate(unlockedBy: owner) },
      { try vault.rotate(unlockedBy: deputy, keeping: [deputy.named("deputy")]) },
      { try vault.compact() },
      { try vault.rekey(to: .keyring(deputy)) },
      { try vault.backup(to: folder.file("copy.vault")) },
      { try UpgradeBackup.keep.create(vault.file(), vault.configuration).discard() },
    ]
    for operation in operations {
      #expect(code(of: operation) == .keyringRolledBack)
      #expect(try bytes(path) == before && files.isSuperset(of: self.files()))
      #expect(try bytes(path + ".keyring") == older)
    }
    // A generation that the vault recorded never decreases.
    try vault.file().noteKeyring(generation: 1)
    vault.close()
    #expect(opening(.keyring(deputy)) == .keyringRolledBack)
    try putBack(latest)
    #expect(opening(.keyring(owner)) == nil)
  }

  @Test("A salvaged copy opens with the older keyring that was the only one left")
  func salvageWithOlderKeyring() throws {
    let (vault, older, _) = try withRemovedSlot()
    for name in ["third", "fourth", "fifth"] {
      try keyring().addSlot(name, nobody, unlockedBy: owner)
      try keyring().removeSlot(name, unlockedBy: owner)
    }
    vault.close()
    try putBack(older)
    let copy = folder.file("copy.vault")
    _ = try DatabaseFile(at: path, key: .keyring(owner)).salvage(to: copy)
    #expect(opening(.keyring(owner), copy) == nil)
    #expect(try bytes(path + ".keyring") == older)
  }

  @Test("An older keyring is not changed by an opening that rejects it")
  func openingWithOlderKeyring() throws {
    try made().close()
    try KeyringFile(besideVault: path).forgetRecord(openedBy: owner)
    let older = try bytes(path + ".keyring")
    #expect(try states() == [.pending])
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    #expect(try states() == [.current])
    try keyring().removeSlot("deputy", unlockedBy: owner)
    try putBack(older)
    for _ in 0..<4 { #expect(opening(.keyring(owner)) == .keyringRolledBack) }
    #expect(try bytes(path + ".keyring") == older)
  }

  @Test("A vault that is replaced by a backup does not get an older keyring back")
  func restoringWithOlderKeyring() throws {
    try made().close()
    let copy = folder.file("copy.vault")
    try DatabaseFile(at: path, key: .keyring(owner)).backup(to: copy)
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let older = try bytes(path + ".keyring")
    try keyring().removeSlot("deputy", unlockedBy: owner)
    let latest = try bytes(path + ".keyring")
    try putBack(older)
    func restore() throws {
      try DatabaseFile(at: copy, key: .keyring(owner)).restore(to: path, replacing: true)
    }
    let present = try bytes(path)
    #expect(code(of: restore) == .keyringRolledBack)
    #expect(try bytes(path) == present && bytes(path + ".keyring") == older)
    try putBack(latest)
    try restore()
    #expect(opening(.keyring(owner)) == nil)
    #expect(opening(.keyring(deputy)) == .wrongKey)
    // A vault that cannot be read does not prevent its restoration.
    try write(Data(repeating: 7, count: 40_960), to: path)
    try restore()
    #expect(opening(.keyring(owner)) == nil)
  }

  @Test("A slot is not removed or changed inside a transaction")
  func changeInTransaction() throws {
    let vault = try made()
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let file = URL(fileURLWithPath: path + ".keyring")
    let before = try Data(contentsOf: file)
    let changes: [() throws -> Void] = [
      { try keyring().removeSlot("deputy", unlockedBy: owner) },
      { try keyring().changeKey(to: nobody, unlockedBy: owner) },
    ]
    try vault.transaction {
      for change in changes {
        let found = code(of: change)
        #expect(found == .invalidArgument)
      }
    }
    #expect(try Data(contentsOf: file) == before)
    vault.close()
    #expect(opening(.keyring(deputy)) == nil)
  }

  @Test(
    "is read from its spare copy where it is damaged, which is reported, and mended by a change")
  func spareCopy() throws {
    try made().close()
    #expect(try keyring().damage == nil)
    let file = URL(fileURLWithPath: path + ".keyring")
    let sound = try Data(contentsOf: file)
    let text = String(decoding: sound, as: UTF8.self)
    let tampered = Data(text.replacing("\"current\"", with: "\"retired\"").utf8)
    for damaged in [tampered, Data(), nil] {
      try FileManager.default.removeItem(at: file)
      try damaged?.write(to: file)
      let report = try DatabaseFile(at: path, key: .keyring(owner)).verify()
      #expect(report.keyring == .damaged && !report.isSound)
      let vault = try Vault(at: path, key: .keyring(owner))
      #expect(try vault.verify().keyring == .damaged)
      try sound.write(to: file)
      #expect(try vault.verify().isSound)
      vault.close()
    }
    try Data("cut off".utf8).write(to: URL(fileURLWithPath: path + ".keyring"))
    #expect(try keyring().damage != nil)
    #expect(opening(.keyring(owner)) == nil)
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    #expect(try keyring().damage == nil)
    #expect(opening(.keyring(deputy)) == nil)
  }

  @Test(
    "belongs, with its keyring, to whom it belonged, whoever changes a slot",
    .enabled(if: geteuid() == 0))
  func ownerIsKept() throws {
    try made().close()
    let files = [path, path + ".keyring", path + ".keyring~"]
    for file in files { #expect(chown(file, 4321, 4322) == 0) }
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    try DatabaseFile(at: path, key: .keyring(deputy)).rotate()
    for file in files {
      var status = stat()
      #expect(stat(file, &status) == 0)
      #expect(status.st_uid == 4321 && status.st_gid == 4322, "\(file)")
    }
  }

  @Test("tells a damaged salt, which the keyring knows, from a wrong key")
  func salt() throws {
    try made().close()
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.write(contentsOf: Data(repeating: 0, count: 4))
    try handle.close()
    #expect(opening(.keyring(owner)) == .damaged)
  }

  @Test("rotates its data key: the same slots open it, an older keyring does not")
  func rotation() throws {
    let vault = try made()
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let older = try Data(contentsOf: URL(fileURLWithPath: path + ".keyring"))
    let salt = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16)
    try vault.rotate(unlockedBy: deputy)
    #expect(try vault.store(of: Person.self).count() == 200)
    vault.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16) != salt)
    #expect(try states() == [.retired, .current])
    #expect(opening(.keyring(owner)) == nil)
    #expect(opening(.keyring(deputy)) == nil)
    try DatabaseFile(at: path, key: .keyring(owner)).rotate()
    #expect(try states() == [.retired, .retired, .current])
    #expect(opening(.keyring(deputy)) == nil)
    for file in [path + ".keyring", path + ".keyring~"] {
      try older.write(to: URL(fileURLWithPath: file))
    }
    #expect(opening(.keyring(owner)) == .keyringMismatch)
  }

  @Test("revokes a slot for good, by a new master key and a new data key")
  func revocation() throws {
    try made().close()
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let file = try DatabaseFile(at: path, key: .keyring(owner))
    #expect(code { try file.rotate(keeping: [owner]) } == .invalidArgument)
    #expect(code { try file.rotate(keeping: [nobody.named("main")]) } == .wrongKey)
    #expect(code { try file.rotate(keeping: []) } == .invalidArgument)
    #expect(opening(.keyring(deputy)) == nil)
    try file.rotate(keeping: [owner.named("main")])
    #expect(try keyring().slots().map(\.name) == ["main"])
    #expect(opening(.keyring(deputy)) == .wrongKey)
    #expect(opening(.keyring(owner)) == nil)
  }

  @Test("keeps its keyring as it was where a rotation is ended")
  func endedRotation() throws {
    struct Ended: Error {}
    try made().close()
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for phase in RekeyProgress.Phase.allCases {
      for kept in [nil, [owner.named("main")]] {
        #expect(throws: Ended.self) {
          try DatabaseFile(at: path, key: .keyring(owner)).rotate(keeping: kept) {
            if $0.phase == phase, $0.done == 0 || phase != .replacing { throw Ended() }
          }
        }
        #expect(try states() == [.current])
        #expect(try keyring().slots().map(\.name) == ["main", "deputy"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try files().count == 3)
      }
    }
    #expect(opening(.keyring(deputy)) == nil)
  }

  @Test("is told by its salt which of two data keys it has, when a rotation ended in the middle")
  func interrupted() throws {
    try made().close()
    // Before the new file has its place: the key is pending, the file the old one.
    let unlocked = try UnlockedKeyring(KeyringFile(besideVault: path), key: owner)
    let note = try KeyringNote(
      rotating: unlocked, ofFileWith: presentSalt(), scheme: CipherScheme(.format3), pageSize: 4096)
    try note.announce()
    #expect(try states() == [.current, .pending])
    #expect(opening(.keyring(owner)) == nil)
    // After that: the key that was pending opens the file, and the next opening writes that down.
    var pending: Data?
    try DatabaseFile(at: path, key: .keyring(owner)).rotate {
      if $0.phase == .replacing, $0.done == 0 {
        pending = try Data(contentsOf: URL(fileURLWithPath: path + ".keyring"))
      }
    }
    // Who ends there has not written the generation into the file.
    let vault = try Vault(at: path, key: .keyring(owner))
    try vault.file().join {
      try $0.execute("DELETE FROM objectvault_info WHERE \"key\" = 'keyring_generation'")
    }
    vault.close()
    for file in [path + ".keyring", path + ".keyring~"] {
      try #require(pending).write(to: URL(fileURLWithPath: file))
    }
    // The rotation dropped the key of the unfinished file.
    #expect(try states() == [.current, .pending])
    #expect(opening(.keyring(owner)) == nil)
    #expect(try states() == [.retired, .current])
    #expect(opening(.keyring(owner)) == nil)
  }

  @Test("opens after any number of interrupted rotations", arguments: [true, false])
  func manyInterrupted(isRecorded: Bool) throws {
    try made().close()
    if !isRecorded { try KeyringFile(besideVault: path).forgetRecord(openedBy: owner) }
    let present: KeyringEpoch.State = isRecorded ? .current : .pending
    let file = KeyringFile(besideVault: path)
    let (salt, scheme) = (try presentSalt(), CipherScheme(.format3))
    for number in 0...Keyring.maximumEpochs {
      let unlocked = try UnlockedKeyring(file, key: owner)
      let isRotation = number.isMultiple(of: 2)
      let note =
        try isRotation
        ? KeyringNote(rotating: unlocked, ofFileWith: salt, scheme: scheme, pageSize: 4096)
        : KeyringNote(
          .keyring(owner), file, scheme: scheme, pageSize: 4096, vault: VaultIdentity(salt: salt))
      try note.announce()
    }
    #expect(try states() == [present, .pending])
    #expect(opening(.keyring(owner)) == nil)
  }

  @Test(
    "has the key of its file after an interrupted restore, even if that key is not recorded",
    arguments: [[], [.current]] as [[KeyringEpoch.State]])
  func interruptedRestore(others: [KeyringEpoch.State]) throws {
    try made().close()
    try KeyringFile(besideVault: path).forgetRecord(openedBy: owner, after: others)
    let file = KeyringFile(besideVault: path)
    var vault = VaultIdentity(id: UUID(bytes: try file.read().keyring.vaultID))
    vault.replacedStart = try HeldFile.start(ofFileAt: path)
    for _ in 0..<2 {
      try KeyringNote(
        .keyring(owner), file, scheme: CipherScheme(.format3), pageSize: 4096, vault: vault
      ).announce()
    }
    #expect(try states() == others + [.pending, .pending])
    #expect(opening(.keyring(owner)) == nil)
  }

  @Test("comes out of a vault under a passphrase or a raw key, and becomes one again")
  func conversion() throws {
    let raw = VaultKey.raw(51...82)
    let vault = try Vault(at: path, key: raw)
    try vault.store(of: Person.self).insert(
      contentsOf: (0..<200).map { Person(name: "marker \($0)", age: $0) })
    try vault.rekey(to: .keyring(owner))
    #expect(try vault.store(of: Person.self).count() == 200)
    #expect(try vault.openKeyring()?.slots().count == 1)
    vault.close()
    #expect(opening(raw) == .wrongKey)
    #expect(opening(.keyring(owner)) == nil)
    try DatabaseFile(at: path, key: .keyring(owner)).rekey(to: raw)
    #expect(opening(raw) == nil)
    #expect(try files() == ["school.vault", "school.vault.keyring.retired"])
    // The first one may be needed for older copies, and so may the second.
    try DatabaseFile(at: path, key: raw).rekey(to: .keyring(deputy))
    try DatabaseFile(at: path, key: .keyring(deputy)).rekey(to: raw)
    #expect(
      try files() == [
        "school.vault", "school.vault.keyring.retired", "school.vault.keyring.retired-2",
      ])
    #expect(opening(raw) == nil)
    // What another vault left there is not used.
    let other = folder.file("other.vault")
    try Vault(at: other, key: .keyring(owner)).open()
    try FileManager.default.copyItem(atPath: other + ".keyring", toPath: path + ".keyring")
    #expect(
      code { try DatabaseFile(at: path, key: raw).rekey(to: .keyring(owner)) }
        == .keyringMismatch)
    #expect(opening(raw) == nil)
  }

  @Test("is retired by the next opening if the rekeying process was killed before it could do so")
  func unfinishedRetirement() throws {
    try made().close()
    let raw = VaultKey.raw(51...82)
    try DatabaseFile(at: path, key: .keyring(owner)).rekey(to: raw)
    let retired = path + ".keyring.retired"
    let content = try Data(contentsOf: URL(fileURLWithPath: retired))
    for names in [[".keyring", ".keyring~"], [".keyring~"]] {
      unlink(retired)
      for name in names { try content.write(to: URL(fileURLWithPath: path + name)) }
      #expect(opening(raw) == nil)
      #expect(try files() == ["school.vault", "school.vault.keyring.retired"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: retired)) == content)
      #expect(try DatabaseFile(at: path, key: raw).verify().isSound)
    }
    // The keyring of another vault stays.
    let other = folder.file("other.vault")
    try Vault(at: other, key: .keyring(owner)).open()
    try FileManager.default.copyItem(atPath: other + ".keyring", toPath: path + ".keyring")
    #expect(opening(raw) == nil)
    #expect(FileManager.default.fileExists(atPath: path + ".keyring"))
  }

  @Test("takes a new keyring though it knows later generations of the one that it had before")
  func newKeyringAfterLaterGenerations() throws {
    try made().close()
    for _ in 0..<5 { try DatabaseFile(at: path, key: .keyring(owner)).rotate() }
    let raw = VaultKey.raw(51...82)
    let plain = folder.file("plain.db")
    try DatabaseFile(at: path, key: .keyring(owner)).decrypt(to: plain)
    try DatabaseFile(at: path, key: .keyring(owner)).rekey(to: raw)
    try DatabaseFile(at: path, key: raw).rekey(to: .keyring(deputy))
    #expect(opening(.keyring(deputy)) == nil)
    try DatabaseFile(at: plain, key: nil).encrypt(with: .keyring(deputy))
    #expect(opening(.keyring(deputy), plain) == nil)
    let vault = try Vault(at: path, key: .keyring(deputy))
    try vault.rekey(to: raw)
    try vault.rekey(to: .keyring(owner))
    vault.close()
    #expect(opening(.keyring(owner)) == nil)
    let copy = folder.file("copy.vault")
    try DatabaseFile(at: path, key: .keyring(owner)).backup(to: copy, key: .keyring(deputy))
    #expect(opening(.keyring(deputy), copy) == nil)
  }

  @Test("is not put beside an older keyring of its own, which could not open it")
  func olderKeyring() throws {
    try made().close()
    let file = KeyringFile(besideVault: path)
    let old = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let copy = folder.file("copy.vault")
    for _ in 0..<3 { try DatabaseFile(at: path, key: .keyring(owner)).rotate() }
    try DatabaseFile(at: path, key: .keyring(owner)).backup(to: copy)
    for place in [file.path, file.sparePath] { try old.write(to: URL(fileURLWithPath: place)) }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(
      code {
        try DatabaseFile(at: copy, key: .keyring(owner)).restore(to: path, replacing: true)
      } == .keyringRolledBack)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    file.remove()
    try DatabaseFile(at: copy, key: .keyring(owner)).restore(to: path, replacing: true)
    #expect(opening(.keyring(owner)) == nil)
  }

  @Test(
    "is not made where a keyring lies that belongs to another vault, but where one was left over")
  func leftOver() throws {
    try made().close()
    try FileManager.default.removeItem(atPath: path)
    #expect(code { try Vault(at: path, key: .keyring(owner)).open() } == .keyringMismatch)
    #expect(!FileManager.default.fileExists(atPath: path))
    KeyringFile(besideVault: path).remove()
    let note = try KeyringNote(
      .keyring(nobody), KeyringFile(besideVault: path), scheme: CipherScheme(.format3),
      pageSize: 4096, vault: .new)
    try note.announce()
    #expect(try states() == [.pending])
    try made().close()
    #expect(opening(.keyring(owner)) == nil)
  }

  @Test("is backed up with a keyring of its own, whose slots open the copy, and restored from it")
  func backup() throws {
    let vault = try made()
    try keyring().addSlot("deputy", deputy, unlockedBy: owner)
    let copy = folder.file("copy.vault")
    try vault.backup(to: copy)
    #expect(opening(.keyring(deputy), copy) == nil)
    #expect(try states(copy) == [.current])
    #expect(code { try vault.backup(to: copy) } == .invalidArgument)
    vault.close()
    // Neither keyring opens the other file.
    let own = try Data(contentsOf: URL(fileURLWithPath: path + ".keyring"))
    try FileManager.default.removeItem(atPath: path + ".keyring~")
    try Data(contentsOf: URL(fileURLWithPath: copy + ".keyring"))
      .write(to: URL(fileURLWithPath: path + ".keyring"))
    #expect(opening(.keyring(owner)) == .keyringMismatch)
    try own.write(to: URL(fileURLWithPath: path + ".keyring"))

    try keyring().removeSlot("deputy", unlockedBy: owner)
    let backup = try DatabaseFile(at: copy, key: .keyring(owner))
    #expect(code { try backup.restore(to: path) } == .invalidArgument)
    try backup.restore(to: path, replacing: true)
    #expect(opening(.keyring(owner)) == nil)
    #expect(opening(.keyring(deputy)) == .wrongKey)
    try backup.restore(to: folder.file("new.vault"))
    #expect(opening(.keyring(deputy), folder.file("new.vault")) == nil)
  }

  @Test("takes its keyring along when it is removed")
  func removal() throws {
    let vault = try made()
    try vault.removeFile()
    #expect(try files() == [])
  }
}
