import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

@testable import ObjectVaultFile
@testable import ObjectVaultMaintenance

@Suite("The keyring of a copy", .cheapSlots)
struct CopiedKeyringTests {
  private let vault: SlottedVault
  private let copy: String
  private let owner = SlottedVault.owner

  init() throws {
    vault = try SlottedVault()
    copy = vault.folder.file("copy.vault")
  }

  @Test("A keyring that is left next to the path of a backup is not used and not changed")
  func leftKeyring() throws {
    try vault.file.backup(to: copy)
    #expect(unlink(copy) == 0)
    try vault.keyring.removeSlot("deputy", unlockedBy: owner)
    let left = try bytes(copy + ".keyring")
    let backups: [() throws -> Void] = [
      { try vault.file.backup(to: copy) },
      { try vault.file.backup(to: copy, key: .keyring(owner)) },
      { try backUpOpenVault() },
      { try backUpOpenVault(.keyring(owner)) },
    ]
    for backup in backups {
      let error = thrown { try backup() }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains("copy.vault.keyring' already exists") == true)
      #expect(try bytes(copy + ".keyring") == left && bytes(copy + ".keyring~") == left)
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
  }

  @Test("A backup replaces the keyring that an interrupted backup left")
  func interruptedBackup() throws {
    for key in [nil, VaultKey.keyring(owner)] {
      let path = vault.folder.file(key == nil ? "first.vault" : "second.vault")
      try note(path).announce()
      try vault.file.backup(to: path, key: key)
      #expect(vault.opening(.keyring(owner), path) == nil)
    }
  }

  @Test("The keyring of a file that was moved before it was recorded is retired, not overwritten")
  func movedBackup() throws {
    let moved = vault.folder.file("moved.vault")
    let retired = VaultKey.keyring(owner, at: copy + ".keyring.retired")
    let creations: [() throws -> Void] = [
      { try vault.file.backup(to: copy) },
      { try vault.file.backup(to: copy, key: .keyring(owner)) },
      { try backUpOpenVault() },
      { _ = try vault.file.salvage(to: copy, key: .keyring(owner)) },
      { try vault.file.restore(to: copy) },
    ]
    for create in creations {
      try vault.file.backup(to: copy)
      try KeyringFile(besideVault: copy).forgetRecord(openedBy: owner)
      try FileManager.default.moveItem(atPath: copy, toPath: moved)
      try create()
      #expect(vault.opening(.keyring(owner), copy) == nil)
      #expect(vault.opening(retired, moved) == nil)
      for path in [moved, copy, copy + ".keyring", copy + ".keyring~"] {
        try FileManager.default.removeItem(atPath: path)
      }
      for suffix in ["", "~"] { unlink(copy + ".keyring.retired" + suffix) }
    }
  }

  @Test("A restored vault retains the unrecorded key of a file that was moved away")
  func restoredAfterMove() throws {
    try vault.file.backup(to: copy)
    try vault.keyringFile.forgetRecord(openedBy: owner, after: [.current])
    let moved = vault.folder.file("moved.vault")
    try FileManager.default.moveItem(atPath: vault.path, toPath: moved)
    try DatabaseFile(at: copy, key: .keyring(owner)).restore(to: vault.path)
    #expect(vault.opening(.keyring(owner)) == nil)
    #expect(vault.opening(.keyring(owner, at: vault.path + ".keyring"), moved) == nil)
  }

  @Test("The number of changes of a keyring that nothing authenticates is not continued")
  func plantedGeneration() throws {
    let raw = VaultKey.raw(51...82)
    let encrypted = vault.folder.file("raw.vault")
    try vault.file.backup(to: encrypted, key: raw)
    for path in [copy, encrypted] {
      try note(path).announce()
      let file = KeyringFile(besideVault: path)
      let text = String(decoding: try bytes(file.path), as: UTF8.self)
      let generation = try file.read().keyring.generation
      let planted = text.replacing(
        "\"generation\" : \(generation)",
        with: "\"generation\" : \(Keyring.maximumGeneration - 3)")
      #expect(planted != text)
      for place in [file.path, file.sparePath] { try write(Data(planted.utf8), to: place) }
    }
    try vault.file.backup(to: copy)
    try DatabaseFile(at: encrypted, key: raw).rekey(to: .keyring(owner))
    for path in [copy, encrypted] {
      #expect(try KeyringFile(besideVault: path).read().keyring.generation < 100)
      #expect(vault.opening(.keyring(owner), path) == nil)
    }
  }

  @Test("A salvage replaces the keyring that an interrupted salvage left, and no other keyring")
  func interruptedSalvage() throws {
    try note(copy).announce()
    _ = try vault.file.salvage(to: copy)
    for key in [owner, SlottedVault.deputy] { #expect(vault.opening(.keyring(key), copy) == nil) }
    #expect(unlink(copy) == 0)
    let left = try bytes(copy + ".keyring")
    let error = thrown { _ = try vault.file.salvage(to: copy) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("copy.vault.keyring' already exists") == true)
    #expect(try bytes(copy + ".keyring") == left && bytes(copy + ".keyring~") == left)
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  @Test("A copy does not get the keyring of its original", arguments: [true, false])
  func sharedKeyring(isLink: Bool) throws {
    let place = vault.path + ".keyring"
    let key: VaultKey? = isLink ? nil : .keyring(owner, at: place)
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: copy + ".keyring", withDestinationPath: place)
    }
    let before = try bytes(place)
    let copies: [() throws -> Void] = [
      { try vault.file.backup(to: copy, key: key) },
      { try vault.file.restore(to: copy, key: key) },
      { try backUpOpenVault(key) },
    ]
    for make in copies {
      let error = thrown { try make() }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains("A copy needs its own.") == true)
      #expect(try bytes(place) == before && bytes(place + "~") == before)
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
    #expect(vault.opening(.keyring(owner)) == nil)
  }

  @Test("A second backup to the same path leaves the keyring of the first one")
  func twoBackups() async throws {
    let announced = DispatchSemaphore(value: 0)
    let mayPlace = DispatchSemaphore(value: 0)
    let placed = DispatchSemaphore(value: 0)
    let mayConfirm = DispatchSemaphore(value: 0)
    let limit = DispatchTimeInterval.seconds(60)
    let open = try Vault(at: vault.path, key: .keyring(owner))
    let first = WorkOnThread {
      try open.file().withOpened { opened in
        var backup = try rewriting(opened)
        backup.beforeReplacing = { _ in
          announced.signal()
          _ = mayPlace.wait(timeout: .now() + limit)
        }
        backup.afterReplacing = {
          placed.signal()
          _ = mayConfirm.wait(timeout: .now() + limit)
        }
        try backup.run()
      }
    }
    let second = WorkOnThread {
      _ = announced.wait(timeout: .now() + limit)
      defer { mayConfirm.signal() }
      return thrown {
        try open.file().withOpened { opened in
          var backup = try rewriting(opened)
          // The path is free, and the keyring of the first backup has a pending data key.
          backup.afterOpening = { _ in
            mayPlace.signal()
            _ = placed.wait(timeout: .now() + limit)
          }
          try backup.run()
        }
      }?.code
    }
    #expect(try await second.result() == .invalidArgument)
    try await first.result()
    open.close()
    #expect(vault.opening(.keyring(owner), copy) == nil)
    #expect(try KeyringFile(besideVault: copy).read().keyring.epochs.map(\.state) == [.current])
  }

  @Test("A data key that is withdrawn or confirmed leaves a keyring that was stored since")
  func otherKeyring() throws {
    let first = try note(copy)
    try first.announce()
    try note(copy).announce()
    let stored = try bytes(copy + ".keyring")
    #expect(throws: (any Error).self) { try first.confirm() }
    #expect(try bytes(copy + ".keyring") == stored)
    first.withdraw()
    #expect(try bytes(copy + ".keyring") == stored && bytes(copy + ".keyring~") == stored)
  }

  private func backUpOpenVault(_ key: VaultKey? = nil) throws {
    let open = try Vault(at: vault.path, key: .keyring(owner))
    defer { open.close() }
    try open.open()
    try open.backup(to: copy, key: key)
  }

  private func note(_ path: String) throws -> KeyringNote {
    try KeyringNote(
      copying: UnlockedKeyring(vault.keyringFile, key: owner),
      to: KeyringFile(besideVault: path), inPlaceOf: nil, scheme: CipherScheme(.format3),
      pageSize: 4096)
  }

  private func rewriting(_ opened: OpenedFile) throws -> FileRewriting {
    FileRewriting(
      source: opened.source(vault.path, isWritable: false),
      newKey: NewFileKey(try note(copy)), place: .free(copy), settings: VaultConfiguration(),
      progress: { _ in })
  }
}
