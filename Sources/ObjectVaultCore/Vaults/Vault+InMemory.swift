public import Foundation
import ObjectVaultKeys
import Synchronization

extension Vault {
  /// Makes a vault that lives in the memory of this process, and ends with its last handle and store.
  ///
  /// Nothing of it is written to a file, and **nothing of it is encrypted**: who can read the memory of the
  /// process, what the system swaps out, or an image of a crashed process, reads the objects. Use
  /// ``temporary(in:configuration:)`` where that matters, or where there is more than memory should hold.
  ///
  /// Each call makes a vault of its own. It does what a vault in a file does, with one connection: who
  /// reads waits for who writes, a transaction of another thread is never seen before its end, and a
  /// thread that writes inside a read scope of its own sees what it wrote there. A stream or cursor begun
  /// outside a transaction goes over a copy of the vault in memory, so that nothing changes under it.
  ///
  /// ```swift
  /// let vault = try Vault.inMemory()
  /// try vault.store(of: Student.self).insert(contentsOf: some)
  /// try vault.backup(to: "kept.vault", key: .passphrase("correct horse"))   // encrypted
  /// ```
  ///
  /// - Parameter configuration: How it is opened. Settings of files mean nothing here.
  /// - Throws: ``VaultError`` `.invalidArgument` for a setting out of range, and for those that a vault that
  ///   is new each time cannot have: `isReadOnly`, `creation` `.never`, `keepsPreimage`.
  ///   On the vault: `.notEncrypted` from ``cipherFacts``; `.invalidArgument` from
  ///   ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``, `rotate` and
  ///   ``verify(expectingCounter:progress:)-(_,(RekeyProgress)->Void)``, which are for files; `.noKey` from
  ///   ``backup(to:key:progress:)-(_,_,(RekeyProgress)->Void)`` without a key.
  public static func inMemory(
    configuration: VaultConfiguration = VaultConfiguration()
  ) throws -> Vault {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    return try Vault(privatelyAt: "memory:\(number)", .memory, configuration: configuration)
  }

  private static let count = Atomic<Int>(0)

  /// Makes a vault in an encrypted file that is removed when its last handle and store are gone.
  ///
  /// The file is in a folder of its own that only this user can enter, and under a random key that exists
  /// in the memory of this process alone, wiped with the vault. A process that ends without closing the vault,
  /// by a crash or by `exit`, leaves the file behind, which nobody can decrypt; the next temporary vault in
  /// the same folder removes it.
  ///
  /// - Parameters:
  ///   - folder: Where that folder is made, at the first use; the system's folder for temporary files when
  ///     none is given.
  ///   - configuration: How it is opened.
  /// - Throws: ``VaultError`` `.invalidArgument` as ``inMemory(configuration:)``. On the vault: `.noKey`
  ///   from ``backup(to:key:progress:)-(_,_,(RekeyProgress)->Void)`` without a key.
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

  /// Whether the vault is in no file; then nothing of it is encrypted.
  public var isInMemory: Bool { place.isMemory }

  /// Whether the vault's file is removed with the vault.
  public var isTemporary: Bool { place.folder != nil }
}
