// Former names, which stay for one release.

public import ObjectVaultFile

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

extension Vault {
  /// The keyring that holds the vault's key, or `nil` if the vault has no keyring.
  @available(*, deprecated, renamed: "openKeyring()")
  public var keyring: VaultKeyring? { get throws { try openKeyring() } }
}

extension DatabaseFile {
  /// Returns the encryption of the file.
  @available(*, deprecated, renamed: "cipherInfo()")
  public func cipherFacts() throws -> CipherInfo { try cipherInfo() }

  /// Checks the file.
  @available(*, deprecated, renamed: "verify(expectingCommitCount:progress:)")
  public func verify(
    expectingCounter expectedCounter: Int?,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    try verify(expectingCommitCount: expectedCounter, progress: progress)
  }
}
