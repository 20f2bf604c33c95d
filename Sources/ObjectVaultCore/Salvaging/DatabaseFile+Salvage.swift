public import ObjectVaultKeys

extension DatabaseFile {
  /// Makes a new file of what can be read of a damaged one: every row that does not stand on a bad
  /// page, under its rowid, in the file's own tables with their indexes.
  ///
  /// Rows are found also where the pages that lead to them are lost, by reading all pages. A value of
  /// which a part is lost comes back as nil, and its row is named; a row that a constraint then refuses
  /// is named too. Where page 1 is lost, and with it the list of tables, the classes of a vault are
  /// made from their descriptions; other rows come back in tables `lost_1` and so on.
  ///
  /// The damaged file is not changed. The new one is checked like a rekeyed file before it gets its
  /// name.
  ///
  /// - Parameters:
  ///   - path: Where the new file is to be; nothing may be there.
  ///   - newKey: What encrypts the new file; what encrypts the damaged one unless given. What is
  ///     salvaged of a vault with a keyring then gets one of its own, with the same slots:
  ///     `PATH.keyring`.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Returns: What came back and what is lost.
  /// - Throws: ``VaultError``: what opening the file throws, but for `.damaged` and `.truncated` where
  ///   pages are left to read; `.invalidArgument` where something is at the path, `.diskFull` and its
  ///   like. Nothing is left at the path then.
  public func salvage(
    to path: String, key newKey: VaultKey? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> SalvageReport {
    let path = try Vault.canonical(path)
    return try whileExamined(progress) { examined, resolved in
      var salvage = FileSalvage(
        source: self, examined: examined, resolved: resolved, path: path, newKey: newKey,
        progress: progress)
      return try salvage.run()
    }
  }
}
