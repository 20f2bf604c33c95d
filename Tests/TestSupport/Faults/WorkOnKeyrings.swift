import Foundation
import ObjectVaultCore
internal import ObjectVaultEngine
import ObjectVaultKeys

/// Operations that change the data key of a vault, or move it to or from a keyring.
let worksOnDataKeys: [any FaultedOperation] = [
  rotating("rotate") { try DatabaseFile(at: $0, key: .keyring(KeyringParcels.owner)).rotate() },
  rotating("rotate-open") { path in
    let vault = try Vault(at: path, key: .keyring(KeyringParcels.owner))
    defer { vault.close() }
    _ = try vault.store(of: Parcel.self).count()
    try vault.rotate(unlockedBy: KeyringParcels.owner)
  },
  rotating("revoke", keepsDeputy: false) {
    try DatabaseFile(at: $0, key: .keyring(KeyringParcels.owner))
      .rotate(keeping: [KeyringParcels.owner.named("main")])
  },
  FaultedWork(
    name: "rekey-to-keyring",
    making: { try ParcelFile(path: $0 + "/v").make(.closed) },
    performing: {
      try DatabaseFile(at: $0 + "/v", key: ParcelFile.old)
        .rekey(to: .keyring(KeyringParcels.owner))
    },
    // A keyring without a vault does not block the next attempt.
    isTidiedByRedoing: true,
    looking: { place, _ in
      let file = ParcelFile(path: place.path("v"))
      let outcome = try theOneKey(of: file, after: .keyring(KeyringParcels.owner))
      if outcome == .after { try place.expectFiles(["v", "v.keyring", "v.keyring~"]) }
      return outcome
    }),
  FaultedWork(
    name: "rekey-from-keyring",
    making: { try KeyringParcels(path: $0 + "/v").make() },
    performing: {
      try DatabaseFile(at: $0 + "/v", key: .keyring(KeyringParcels.owner)).rekey(to: ParcelFile.new)
    },
    looking: { place, _ in
      let file = ParcelFile(path: place.path("v"))
      return try theOneKey(of: file, before: .keyring(KeyringParcels.owner))
    }),
]

/// Operations on a vault with a plaintext header, which only SQLCipher 4 writes.
let worksOnHeaders: [any FaultedOperation] =
  ((try? Engine.prove().newestCipherFormat) ?? 0) < 4
  ? []
  : [
    rotating("header-on") {
      try DatabaseFile(at: $0, key: .keyring(KeyringParcels.owner)).upgrade(header: .plaintext)
    },
    rotating("header-rotate", header: .plaintext) {
      try DatabaseFile(at: $0, key: .keyring(KeyringParcels.owner)).rotate()
    },
    rotating("header-off", header: .plaintext) {
      try DatabaseFile(at: $0, key: .keyring(KeyringParcels.owner)).upgrade(header: .encrypted)
    },
  ]

/// Operations that add, remove or change a slot.
///
/// The vault keeps its data key.
let worksOnSlots: [any FaultedOperation] = [
  changing("keyring-add") {
    try $0.addSlot("third", KeyringParcels.stranger, unlockedBy: KeyringParcels.owner)
  } isDone: {
    try $0.slots().map(\.name) == ["main", "deputy", "third"]
  },
  changing("keyring-remove", confession: "but the vault cannot record the change") {
    try $0.removeSlot("deputy", unlockedBy: KeyringParcels.owner)
  } isDone: {
    try $0.slots().map(\.name) == ["main"]
  },
  changing("keyring-rename") {
    try $0.renameSlot("deputy", to: "vice", KeyringParcels.deputy)
  } isDone: {
    try $0.slots().map(\.name) == ["main", "vice"]
  },
  changing("keyring-change", confession: "but the vault cannot record the change") {
    try $0.changeKey(
      ofSlot: "deputy", to: KeyringParcels.stranger, unlockedBy: KeyringParcels.owner)
  } isDone: { keyring in
    let opens = KeyringParcels.opens(keyring)
    guard opens(KeyringParcels.stranger) != opens(KeyringParcels.deputy) else {
      throw FaultViolation("the slot opens by both keys, or by none")
    }
    return opens(KeyringParcels.stranger)
  },
]

private func rotating(
  _ name: String, header: FileHeader = .encrypted, keepsDeputy: Bool = true,
  _ perform: @escaping @Sendable (_ path: String) throws -> Void
) -> FaultedWork {
  FaultedWork(
    name: name,
    making: { try KeyringParcels(path: $0 + "/v").make(header) },
    performing: { try perform($0 + "/v") },
    looking: { place, _ in
      let vault = KeyringParcels(path: place.path("v"))
      try vault.expectWhole()
      try place.expectFiles(["v", "v.keyring", "v.keyring~"])
      let outcome = try vault.outcomeOfRotation(from: header)
      if keepsDeputy || outcome == .after {
        let opens = KeyringParcels.opens(try vault.keyring())(KeyringParcels.deputy)
        guard opens == keepsDeputy else {
          throw FaultViolation(opens ? "the deputy is not revoked" : "the deputy is lost")
        }
      }
      return outcome
    })
}

private func changing(
  _ name: String, confession: String? = nil,
  _ perform: @escaping @Sendable (VaultKeyring) throws -> Void,
  isDone: @escaping @Sendable (VaultKeyring) throws -> Bool
) -> FaultedWork {
  FaultedWork(
    name: name,
    making: { try KeyringParcels(path: $0 + "/v").make() },
    performing: { try perform(VaultKeyring(ofVaultAt: $0 + "/v")) },
    confession: confession,
    looking: { place, _ in
      let vault = KeyringParcels(path: place.path("v"))
      try vault.expectWhole()
      let outcome: FaultOutcome = try isDone(try vault.keyring()) ? .after : .before
      // The next change removes leftover files.
      try vault.keyring().addSlot("last", KeyringParcels.last, unlockedBy: KeyringParcels.owner)
      try vault.keyring().removeSlot("last", unlockedBy: KeyringParcels.owner)
      try vault.expectWhole()
      guard try isDone(try vault.keyring()) == (outcome == .after) else {
        throw FaultViolation("the next change changed more")
      }
      try place.expectFiles(["v", "v.keyring", "v.keyring~"])
      guard try place.bytes("v.keyring") == place.bytes("v.keyring~") else {
        throw FaultViolation("the spare copy is another one")
      }
      return outcome
    })
}

/// A vault with a keyring.
///
/// Its slots have raw keys, which need no key derivation.
struct KeyringParcels {
  static let owner = SlotKey.raw(1...32)
  static let deputy = SlotKey.raw(101...132)
  static let stranger = SlotKey.raw(201...232)
  static let last = SlotKey.raw(51...82)

  let path: String

  func keyring() throws -> VaultKeyring { try VaultKeyring(ofVaultAt: path) }

  func make(_ header: FileHeader = .encrypted) throws {
    try ParcelFile(path: path).make(.closed)
    try DatabaseFile(at: path, key: ParcelFile.old).rekey(to: .keyring(Self.owner))
    try keyring().addSlot("deputy", Self.deputy, unlockedBy: Self.owner)
    if header == .plaintext {
      try DatabaseFile(at: path, key: .keyring(Self.owner)).upgrade(header: header)
    }
  }

  /// Returns a closure that checks whether a key opens a slot.
  static func opens(_ keyring: VaultKeyring) -> (SlotKey) -> Bool {
    { (try? keyring.test($0)) != nil }
  }

  /// Throws an error if the owner cannot open the vault, or an object is missing.
  func expectWhole() throws {
    guard try ParcelFile(path: path).isWhole(.keyring(Self.owner)) else {
      throw FaultViolation("the keyring does not open the vault")
    }
  }

  /// Returns whether the file has its initial data key or a later one, according to the keyring.
  ///
  /// Exactly one data key must open the file, and it must be the current one.
  ///
  /// - Parameter header: The form of the first bytes of the initial file.
  /// - Returns: Whether the file has its initial data key.
  /// - Throws: A ``FaultViolation``, and the errors of reading the files.
  func outcomeOfRotation(from header: FileHeader = .encrypted) throws -> FaultOutcome {
    let open = try UnlockedKeyring(KeyringFile(besideVault: path), key: Self.owner).keyring
    let salt = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(FileSalt.count)
    var opening: [KeyringEpoch] = []
    for epoch in open.keyring.epochs {
      // The salt of a file with a plaintext header is not in the file.
      let salt = epoch.header == .plaintext ? epoch.salt.bytes : []
      let key = try open.dataKey(of: epoch).withUnsafeBytes { VaultKey.raw(Array($0) + salt) }
      if try ParcelFile(path: path).isOpened(by: key) { opening.append(epoch) }
    }
    guard opening.count == 1, let epoch = opening.first, epoch.state == .current,
      epoch.header == .plaintext || epoch.salt.bytes.elementsEqual(salt),
      open.keyring.epochs.filter({ $0.state == .current }).count == 1
    else {
      throw FaultViolation("\(opening.count) data keys open the file: \(open.keyring.epochs)")
    }
    // A plaintext header was switched on after the first epoch.
    let initial = open.keyring.epochs[header == .plaintext ? 1 : 0]
    return epoch.id == initial.id ? .before : .after
  }
}
