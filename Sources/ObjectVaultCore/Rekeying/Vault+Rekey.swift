import Foundation
import ObjectVaultEngine
public import ObjectVaultKeys

extension Vault {
  /// Encrypts the file under another key.
  ///
  /// A copy is made under the new key, in the file's own folder, which must have room for it. Every
  /// page of it is authenticated, its structure checked and its contents compared with the original;
  /// then it takes the place of the original. Until that moment the file opens with the old key, from
  /// then on with the new one; whatever happens on the way, nothing is lost. Cipher format and page
  /// size stay; the salt is new, also where the key is the same.
  ///
  /// This handle and every other one of this process go on working. Another process that has the file
  /// open keeps this from happening (`.busy`); one that opened it before and reads later is told
  /// `.replaced`.
  ///
  /// - Parameters:
  ///   - newKey: What encrypts the file from now on.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Throws: ``VaultError``: `.noKey` and `.invalidKey` for a key that cannot be one, `.busy`,
  ///   `.diskFull`, `.readOnly`, `.cannotOpen`, `.invalidArgument` inside a transaction and for a file
  ///   with several names (hard links), `.damaged` where the copy did not come out as the original.
  ///   The original is kept then, under its old key.
  public func rekey(
    to newKey: VaultKey, progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws {
    do {
      try newKey.validate()
    } catch {
      throw VaultError(error, path: path)
    }
    try file().rekey(to: newKey, progress)
  }

  /// Encrypts the file under another key, without blocking the caller's thread. When the task is
  /// cancelled the original is kept.
  ///
  /// - Throws: as ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``, and `.cancelled`.
  public func rekey(
    to newKey: VaultKey, progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws {
    let file = try await openedOnLane()
    try await file.lanes.run(.write, of: file) { try self.rekey(to: newKey, progress: progress) }
  }

  /// Encrypts a file under another key that this process has not open: a vault, or a database that
  /// another program made with SQLCipher.
  ///
  /// Nothing of this library's is written into it. See ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``
  /// for what happens.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - key: What encrypts it now.
  ///   - newKey: What encrypts it from now on.
  ///   - cipherFormat: The cipher format of the file, 1 to 4, where it must not be found out: with a
  ///     raw key formats 2 and 3 look the same, and a new passphrase is stretched differently in each.
  ///   - pageSize: The size of its pages in bytes, where it must not be found out.
  ///   - derivationRounds: The rounds of the passphrase's derivation, where `PRAGMA kdf_iter` set
  ///     others than its format has; they stay.
  ///   - busyTimeout: How long to wait for another process, in seconds.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Returns: How the file was, and is, encrypted.
  @discardableResult
  public static func rekey(
    at path: String, from key: VaultKey, to newKey: VaultKey, cipherFormat: Int? = nil,
    pageSize: Int? = nil, derivationRounds: Int? = nil, busyTimeout: Double = 5,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    let path = try canonical(path)
    let format = try cipherFormat.map(knownFormat)
    var settings = VaultConfiguration()
    settings.busyTimeout = busyTimeout
    try settings.validate()
    do {
      return try HandleRegistry.whileOpening(path) {
        try checkNotOpen(path)
        let engine = try Engine.prove()
        let newKey = try newKey.resolve()
        let key = try key.resolve()
        let (held, _) = try HeldFile.acquire(path, readOnly: false, creating: false)
        defer { held.release() }
        let opened = try OpenedFile(
          recognising: path, held: held, key: key, engine: engine, format: format,
          pageSize: pageSize, rounds: derivationRounds)
        _ = try FileRekeying(
          path: path, original: opened, newKey: newKey, newRounds: derivationRounds,
          settings: settings, progress: progress
        ).run()
        return opened.cipher
      }
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  private static func knownFormat(_ number: Int) throws(VaultError) -> CipherFormat {
    guard let format = CipherFormat(rawValue: number) else {
      throw VaultError(.invalidArgument, "Cipher formats are 1, 2, 3 and 4, not \(number).")
    }
    return format
  }

  /// - Throws: `.busy` where this process has the file open.
  private static func checkNotOpen(_ path: String) throws(VaultError) {
    guard let identity = HeldFile.Identity(path: path) else { return }
    if !HandleRegistry.files(with: identity).isEmpty {
      throw VaultError(
        .busy,
        "This process has '\(path)' open as a vault. Rekey it through that vault, or close it first."
      )
    }
  }
}
