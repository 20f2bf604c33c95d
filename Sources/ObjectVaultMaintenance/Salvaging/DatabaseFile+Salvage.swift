import ObjectVaultFile
public import ObjectVaultKeys

extension DatabaseFile {
  /// Writes a new file with everything that can be read from a damaged one.
  ///
  /// The new file contains every row that is not on a damaged page, under its rowid, in the file's
  /// own tables with their indexes. Rows are also found if the pages that refer to them are lost,
  /// because all pages are read. A value that is partly lost becomes nil, and the report names its
  /// row. The report also names a row that a constraint rejects because of that. If page 1 is lost,
  /// and with it the list of tables, the classes of a vault are restored from their descriptions.
  /// Rejected rows, and rows of unknown tables, are stored in tables `lost_1`, `lost_2` and so on.
  ///
  /// The damaged file is not changed. The new file is verified like a rekeyed file before it gets
  /// its name.
  ///
  /// - Parameters:
  ///   - path: The path of the new file. No file may exist there.
  ///   - newKey: The key of the new file, or `nil` for the key of the damaged file. In the latter
  ///     case, the salvaged copy of a vault with a keyring gets its own keyring with the same
  ///     slots, `PATH.keyring`.
  ///   - omitsSealingKeys: Whether `newKey` does not get the sealing keys of the file's keyring.
  ///     Values that are sealed under them can then be read only with those keys in the
  ///     configuration. By default, a new keyring gets them, and a key without a keyring is rejected
  ///     if there are such values.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: A report of the recovered and lost contents.
  /// - Throws: ``VaultError``: the errors of opening the file, except `.damaged` and `.truncated`
  ///   if there are pages left to read; `.invalidArgument` if a file exists at the path or the new
  ///   key would leave sealed values without their keys, `.diskFull` and other errors of writing. No
  ///   file is left at the path then.
  public func salvage(
    to path: String, key newKey: VaultKey? = nil,
    omittingSealingKeys omitsSealingKeys: Bool = false,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> SalvageReport {
    let path = try Vault.canonical(path)
    return try whileExamined(progress) { examined, resolved in
      var salvage = FileSalvage(
        source: self, examined: examined, resolved: resolved, path: path, newKey: newKey,
        omitsSealingKeys: omitsSealingKeys, progress: progress)
      return try salvage.run()
    }
  }
}
