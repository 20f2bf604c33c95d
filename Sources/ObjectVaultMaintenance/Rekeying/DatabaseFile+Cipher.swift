import ObjectVaultDriver
import ObjectVaultEngine
public import ObjectVaultFile
import ObjectVaultKeys

extension DatabaseFile {
  /// Returns the encryption of the file, without opening it with the engine or trusting its
  /// contents.
  ///
  /// The file may have settings or a format that no vault has, or no page authentication.
  ///
  /// - Returns: The cipher format, the settings and the page size.
  /// - Throws: ``VaultError``: `.wrongKey`, `.unsupportedCipherSettings` for settings that cannot
  ///   be detected, `.damaged` and `.truncated`; `.noKey` for a file without a key.
  public func cipherInfo() throws -> CipherInfo {
    do {
      guard let key else {
        throw VaultError(
          .noKey,
          "The cipher settings of '\(path)' cannot be read without its key. Provide the key.")
      }
      return try HandleRegistry.whileOpening(path) {
        try Self.checkNotOpen(path)
        let (held, _) = try HeldFile.acquire(path, readOnly: true, creating: false)
        defer { held.release() }
        var recogniser = recogniser(try Engine.prove())
        recogniser.identifiesOnly = true
        let resolved = try key.resolve(besideVault: path)
        let found = try recogniser.recognise(
          file: path, size: Int64(held.size), key: resolved,
          hasJournal: OpenedFile.hasJournal(path)
        ) { offset, count in try held.read(at: Int(offset), count: count) }
        return CipherInfo(found.scheme, pageSize: found.pageSize)
      }
    } catch {
      throw VaultError.from(error, path: path)
    }
  }
}
