// Former names, which stay for one release.

extension Vault {
  /// Returns the number of committed transactions.
  @available(*, deprecated, renamed: "commitCount()")
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func freshness() throws -> Int { try commitCount() }
}
