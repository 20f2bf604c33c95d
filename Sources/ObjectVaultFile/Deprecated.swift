// Former names, which stay for one release.

/// The public encryption parameters of a file.
@available(*, deprecated, renamed: "CipherInfo")
public typealias CipherFacts = CipherInfo

extension VaultConfiguration {
  /// The cache for decrypted pages on the writer connection, in MiB.
  @available(*, deprecated, renamed: "writerCache")
  public var writerCacheSize: Int {
    get { writerCache.bytes >> 20 }
    set { writerCache = .mebibytes(newValue) }
  }

  /// The cache for decrypted pages on each reader connection, in MiB.
  @available(*, deprecated, renamed: "readerCache")
  public var readerCacheSize: Int {
    get { readerCache.bytes >> 20 }
    set { readerCache = .mebibytes(newValue) }
  }

  /// Whether concurrent writes share a commit.
  @available(*, deprecated, renamed: "commitGrouping")
  public var groupsCommits: Bool {
    get { commitGrouping == .on }
    set { commitGrouping = newValue ? .on : .off }
  }

  /// Whether the vault records the queries of its stores.
  @available(*, deprecated, renamed: "queryStatistics")
  public var notesQueries: Bool {
    get { queryStatistics == .on }
    set { queryStatistics = newValue ? .on : .off }
  }
}

extension Vault {
  /// The encryption parameters of the file.
  @available(*, deprecated, renamed: "cipherInfo()")
  public var cipherFacts: CipherInfo { get throws { try cipherInfo() } }

  /// Returns the number of committed transactions.
  @available(*, deprecated, renamed: "commitCount()")
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func freshness() throws -> Int { try commitCount() }
}
