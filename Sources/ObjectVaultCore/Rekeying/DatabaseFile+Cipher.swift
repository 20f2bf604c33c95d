import ObjectVaultEngine
import ObjectVaultKeys

extension DatabaseFile {
  /// Returns how the file is encrypted, also if it has settings or a format that no vault has, or no
  /// page authentication. The file is not opened with the engine, and nothing in it is trusted.
  ///
  /// - Throws: ``VaultError``: `.wrongKey`, `.unsupportedCipherSettings` for settings that cannot be found
  ///   out, `.damaged` and `.truncated`; `.noKey` for a file without a key.
  public func cipherFacts() throws -> CipherFacts {
    do {
      guard let key else {
        throw VaultError(.noKey, "Give the key of '\(path)' to see how it is encrypted.")
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
        return CipherFacts(found.scheme, pageSize: found.pageSize)
      }
    } catch {
      throw VaultError.from(error, path: path)
    }
  }
}
