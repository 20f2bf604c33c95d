import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

/// A closed vault with 200 objects and a keyring with the slots "main" and "deputy".
///
/// The slots are opened by raw keys, which need no derivation.
struct SlottedVault: Sendable {
  let folder: TemporaryFolder
  let path: String
  static let owner = SlotKey.raw(1...32)
  static let deputy = SlotKey.raw(101...132)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
    let vault = try Vault(at: path, key: .keyring(Self.owner))
    try vault.store(of: Person.self).insert(
      contentsOf: (0..<200).map { Person(name: "marker \($0)", age: $0) })
    vault.close()
    try keyring.addSlot("deputy", Self.deputy, unlockedBy: Self.owner)
  }

  var keyring: VaultKeyring { get throws { try VaultKeyring(ofVaultAt: path) } }

  /// The files of the keyring.
  var keyringFile: KeyringFile { KeyringFile(besideVault: path) }

  /// The vault as a file that the owner's slot opens.
  var file: DatabaseFile { get throws { try DatabaseFile(at: path, key: .keyring(Self.owner)) } }

  /// Changes one number of the keyring, so that it fails authentication.
  func tamperGeneration(by difference: Int) throws {
    let generation = Int(try keyringFile.read().keyring.generation)
    let text = String(decoding: try bytes(path + ".keyring"), as: UTF8.self)
    let tampered = text.replacing(
      "\"generation\" : \(generation)", with: "\"generation\" : \(generation + difference)")
    #expect(tampered != text)
    try write(Data(tampered.utf8), to: path + ".keyring")
  }

  /// Returns the code of the error of opening a vault with a key, or `nil` if it opens.
  func opening(_ key: VaultKey, _ path: String? = nil) -> VaultError.Code? {
    thrown {
      var configuration = VaultConfiguration()
      configuration.creation = .never
      let vault = try Vault(at: path ?? self.path, key: key, configuration: configuration)
      #expect(try vault.store(of: Person.self).count() == 200)
      vault.close()
    }?.code
  }
}

extension KeyringFile {
  /// Makes the data key of a file pending, as if its creation or the replacement of another file by
  /// it had not been recorded.
  ///
  /// - Parameters:
  ///   - key: A key of the keyring.
  ///   - others: The states of the epochs of other files, which come before.
  /// - Throws: The errors of the key and of storing the keyring.
  func forgetRecord(openedBy key: SlotKey, after others: [KeyringEpoch.State] = []) throws {
    let unlocked = try UnlockedKeyring(self, key: key)
    _ = try unlocked.storing { keyring throws(KeyError) in
      let epoch = unlocked.keyring.keyring.epochs[0]
      keyring = try keyring.forCopy()
      for state in others {
        _ = try keyring.addEpoch(
          salt: .random(), format: epoch.format, pageSize: epoch.pageSize, state: state)
      }
      try keyring.addEpoch(
        wrapping: unlocked.dataKey(of: epoch.salt), salt: epoch.salt, format: epoch.format,
        pageSize: epoch.pageSize, header: epoch.header, state: .pending)
    }
  }
}
