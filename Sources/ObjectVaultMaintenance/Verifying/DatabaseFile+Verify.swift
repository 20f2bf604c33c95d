extension DatabaseFile {
  /// Verifies the whole file: page authentication, structure, references, full-text indexes,
  /// keyring and leftover files.
  ///
  /// Nothing is written, and other processes may continue to use the file. A copy of one full-text
  /// index at a time is held in memory. Pages are read without the engine, so that all damaged
  /// pages are found, even if page 1 is among them: any page can prove the key. The report names
  /// the owner of each damaged page. A page that was replaced by an older version of itself
  /// authenticates like the newest version. A whole file that was replaced by an older copy is
  /// detected by the number of commits; see ``Vault/commitCount()``.
  ///
  /// - Parameters:
  ///   - expectedCounter: The number of commits that the caller knows of. The report states whether
  ///     the file has fewer.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The report, which contains all problems of the file.
  /// - Throws: ``VaultError``: the errors of opening the file, except `.damaged` and `.truncated`
  ///   if there are pages left to check.
  public func verify(
    expectingCommitCount expectedCounter: Int? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    try whileExamined(progress) { examined, _ in
      try Verification(
        path: path, examined: examined, expectedCounter: expectedCounter, progress: progress
      ).run()
    }
  }
}
