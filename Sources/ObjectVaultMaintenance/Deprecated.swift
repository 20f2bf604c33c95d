public import ObjectVaultFile

// Former names, which stay for one release.

extension Vault {
  /// Checks the file of the vault.
  @available(*, deprecated, renamed: "verify(expectingCommitCount:progress:)")
  public func verify(
    expectingCounter expectedCounter: Int?,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    try verify(expectingCommitCount: expectedCounter, progress: progress)
  }
}

extension DatabaseFile {
  /// Checks the file.
  @available(*, deprecated, renamed: "verify(expectingCommitCount:progress:)")
  public func verify(
    expectingCounter expectedCounter: Int?,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    try verify(expectingCommitCount: expectedCounter, progress: progress)
  }
}
