public import Foundation
import ObjectVaultDriver
import ObjectVaultKeys
import Synchronization

extension Vault {
  /// Creates a vault in the memory of this process, which ends with its last handle and store.
  ///
  /// Nothing is written to a file, and **nothing is encrypted**: anyone who can read the memory of
  /// the process, swapped memory, or a crash image can read the objects. Use
  /// ``temporary(in:configuration:)`` if that matters, or for more data than memory should hold.
  ///
  /// Each call creates a separate vault. It supports everything that a vault in a file does, with
  /// one connection. A transaction and a read scope keep all other threads waiting, without a limit.
  /// No thread sees an unfinished transaction of another, and a thread that writes inside its own
  /// read scope sees those changes there: test the use of threads with a temporary vault. A stream or
  /// cursor that begins outside a transaction reads a copy of the vault in memory, so it does not
  /// see later changes.
  ///
  /// ```swift
  /// let vault = try Vault.inMemory()
  /// try vault.store(of: Student.self).insert(contentsOf: some)
  /// try vault.backup(to: "kept.vault", key: .passphrase("correct horse"))   // encrypted
  /// ```
  ///
  /// - Parameter configuration: The settings. Settings of files have no effect.
  /// - Returns: The vault.
  /// - Throws: ``VaultError`` `.invalidArgument` for a setting out of range, and for settings that
  ///   a new vault cannot have: `isReadOnly`, `creation` `.never`, `upgradeBackup`. On the vault:
  ///   `.notEncrypted` from ``cipherInfo()``; `.invalidArgument` from
  ///   ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``, `rotate` and
  ///   ``verify(expectingCommitCount:progress:)-(_,(RekeyProgress)->Void)``, which are for files;
  ///   `.noKey` from
  ///   ``backup(to:key:omittingSealingKeys:progress:)-(_,_,_,(RekeyProgress)->Void)`` without a key.
  public static func inMemory(
    configuration: VaultConfiguration = VaultConfiguration()
  ) throws -> Vault {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    return try Vault(privatelyAt: "memory:\(number)", .memory, configuration: configuration)
  }

  private static let count = Atomic<Int>(0)

  /// Creates a vault in an encrypted file that is removed with its last handle and store.
  ///
  /// The file is in a new folder that only this user can enter. Its random key exists only in the
  /// memory of this process and is wiped with the vault. A process that ends without closing the
  /// vault, by a crash or by `exit`, leaves the file behind, which no one can decrypt. The next
  /// temporary vault in the same folder removes it.
  ///
  /// - Parameters:
  ///   - folder: The parent of the new folder, which is created at the first use; `nil` selects the
  ///     system's folder for temporary files.
  ///   - configuration: The settings for opening the file.
  /// - Returns: The vault.
  /// - Throws: ``VaultError`` `.invalidArgument` as ``inMemory(configuration:)``. On the vault:
  ///   `.noKey` from
  ///   ``backup(to:key:omittingSealingKeys:progress:)-(_,_,_,(RekeyProgress)->Void)`` without a key.
  public static func temporary(
    in folder: URL? = nil, configuration: VaultConfiguration = VaultConfiguration()
  ) throws -> Vault {
    let parent = folder ?? FileManager.default.temporaryDirectory
    let own = try canonical(PrivateFolder.newPath(in: parent.path))
    let path = own + "/temporary.vault"
    let key: VaultKey
    do {
      key = .raw(try Secret.random(count: 32))
    } catch {
      throw VaultError(error, path: path)
    }
    return try Vault(
      privatelyAt: path, .temporary(PrivateFolder(path: own, file: path), key),
      configuration: configuration)
  }

  /// Whether the vault is in memory; nothing of it is encrypted then.
  public var isInMemory: Bool { place.isMemory }

  /// Whether the vault's file is removed with the vault.
  public var isTemporary: Bool { place.folder != nil }
}
