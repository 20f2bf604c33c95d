extension DatabaseFile {
  /// Checks the whole file: each page's seal, the structure of tables and indexes, references, the
  /// indexes of words, the keyring, and what was left beside it. Nothing is written; other processes may
  /// go on meanwhile. A copy of one index of words at a time is held in memory.
  ///
  /// Pages are read without the engine, so that all bad ones are found, also where page 1 is among
  /// them: the key is proved by any page. Each is named with the class that it belongs to. A page put
  /// back to an older version of itself is sealed as well as the newest one; against a whole file put
  /// back helps the number of commits, see ``Vault/freshness()``.
  ///
  /// - Parameters:
  ///   - expectedCounter: The commits that the caller knows of; the report says whether the file has
  ///     fewer.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Throws: ``VaultError``: what opening the file throws, but for `.damaged` and `.truncated` where
  ///   pages are left to check. What is wrong with the file is in the report.
  public func verify(
    expectingCounter expectedCounter: Int? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    try whileExamined(progress) { examined, _ in
      try Verification(path, examined, expectedCounter: expectedCounter, progress: progress).run()
    }
  }
}
