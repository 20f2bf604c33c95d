#if canImport(Darwin)
  public import Foundation
#endif
public import Logging
public import ObjectVaultKeys
package import ObjectVaultSession
public import ObjectVaultStores

/// The settings for opening a vault; every setting has a default that suits most applications.
///
/// ```swift
/// var configuration = VaultConfiguration()
/// configuration.durability = .powerFailure
/// configuration.busyTimeout = .seconds(10)
/// configuration.writerCache = .mebibytes(128)
/// ```
///
/// The handles of a process on one file share the settings of the one that opened it. Those of later
/// handles have no effect, except that ``durability`` is the strictest of all. Each
/// handle has its own ``schema``, ``upgradeBackup``, ``expiry``, ``historyLimit``,
/// ``allowsRegularExpressions``, ``slowQueryThreshold`` and ``queryStatistics``.
public struct VaultConfiguration: Sendable {
  /// The behaviour for a missing or empty file.
  public enum Creation: Sendable, Hashable {
    /// The first use creates a new vault.
    ///
    /// This is the default.
    case ifMissing
    /// The first use fails with `.noSuchFile`, or with `.empty` for a file of zero bytes.
    case never
  }

  /// The cipher format of a new file.
  public enum CipherFormat: String, Sendable, Hashable, CaseIterable {
    /// The newest format that the engine writes: format 4 on SQLCipher 4, format 3 on 3.4.
    case native
    /// Format 3 with pages of 4,096 bytes, which every supported engine reads and writes.
    case portable
  }

  /// Whether concurrent writes share a commit.
  public enum CommitGrouping: Sendable, Hashable {
    /// Each write has its own commit.
    ///
    /// This is the default.
    case off
    /// Writes of a single statement share a commit if they arrive while another one is committed.
    case on
  }

  /// Whether the vault records the queries of its stores.
  public enum QueryStatistics: Sendable, Hashable {
    /// Nothing is recorded.
    ///
    /// This is the default.
    case off
    /// The vault records at most 500 statements, in memory only.
    case on
  }

  /// The point at which a commit is durable.
  public enum Durability: Sendable, Hashable {
    /// Commits survive the end of the process.
    ///
    /// A power failure may undo the latest ones but never damages the file. This is the default
    /// (`synchronous = NORMAL` with a write-ahead log).
    case processCrash
    /// Each commit is on the disk before it returns (`synchronous = FULL`).
    case powerFailure
  }

  /// The behaviour for a missing file.
  ///
  /// Default: ``Creation/ifMissing``.
  public var creation: Creation = .ifMissing
  /// Whether the file is opened for reading only.
  ///
  /// Default: `false`.
  ///
  /// A file with permissions that allow the program only to read is always opened this way: it can
  /// be queried, and writing throws `.readOnly`.
  public var isReadOnly = false
  /// Whether the file comes from an untrusted source.
  ///
  /// Default: `false`.
  ///
  /// If `true`, the definitions of its tables, indexes, views and triggers are checked before the
  /// engine reads them, and the engine's limits are lowered. Opening then costs one more read of
  /// the list of tables. ``DatabaseFile`` does this for every file.
  public var isUntrusted = false
  /// The cipher format of a new file.
  ///
  /// Default: ``CipherFormat/native``.
  public var cipherFormat: CipherFormat = .native
  /// The form of the first bytes of a new file.
  ///
  /// Default: ``FileHeader/encrypted``.
  ///
  /// ``FileHeader/plaintext`` is for a vault in a shared container of iOS (an app group). It
  /// requires a keyring key and SQLCipher 4; creating the vault otherwise throws `.invalidArgument`
  /// or `.unsupportedCipherSettings`. Existing files keep their form;
  /// ``DatabaseFile/upgrade(to:pageSize:header:progress:)`` changes it.
  public var fileHeader: FileHeader = .encrypted
  /// The oldest cipher format that an existing file may have, 1 to 4.
  ///
  /// Default: 2, the oldest format in which every page is authenticated.
  ///
  /// Pages of format 1 have no authentication codes: anyone who can write such a file can change
  /// stored values undetected. Anyone who can write a file of another format can also make it look
  /// like one of format 1. Set 1 only for files that never had another format. Opening a file of
  /// format 1 otherwise throws ``VaultError/Code/unauthenticated``. Files of format 1 that reserve
  /// room for authentication codes, as SQLCipher 4 creates them, open only through
  /// ``DatabaseFile``, with `cipherFormat: 1`.
  public var minimumCipherFormat = 2
  /// The point at which a commit is durable.
  ///
  /// Default: ``Durability/processCrash``.
  public var durability: Durability = .processCrash
  /// Whether concurrent writes share a commit.
  ///
  /// Default: ``CommitGrouping/off``.
  ///
  /// Only operations of a single statement do: an insert, an update or a removal of one object, or
  /// a removal by a condition. These have their own commits: transactions, saving an object with an
  /// ID, updates by a condition, operations on lists of objects, operations that need several
  /// statements, for example to save owned objects, and writes to a class with shared blobs.
  ///
  /// Each operation still returns only when its changes are committed, is rolled back alone if it
  /// fails alone, and sees the changes of the operations before it. A write that ends while others
  /// wait leaves the commit to them. A commit holds at most 32 writes, and the last of them begins
  /// within 5 milliseconds of the end of the first.
  ///
  /// Shared commits help if a commit is slow, with ``Durability/powerFailure``, and many threads or
  /// tasks write at the same time: they wait for the disk once instead of once each. With
  /// ``Durability/processCrash`` tasks that write gain a little and threads nothing. The risk: the
  /// writes of one commit fail together if the commit fails, or if one of them makes the engine
  /// abort the transaction. A shared commit counts as one in ``Vault/commitCount()``, and
  /// observers are notified once.
  ///
  /// Schema changes, SQL statements and operations that replace the file never share a commit.
  public var commitGrouping: CommitGrouping = .off
  package var groupLimits = GroupLimits()
  /// Whether the vault is opened for a change of its keyring, and not by the program.
  package var isOfKeyring = false
  /// The time to wait for another process that holds the file, and for a free reader connection.
  ///
  /// Default: 5 seconds. The limits are 0 and 1 day.
  public var busyTimeout: Duration = .seconds(5)
  /// The cache for decrypted pages on the writer connection.
  ///
  /// Default: 64 MiB. The limits are 1 MiB and 64 GiB.
  ///
  /// Reads within the cache decrypt nothing. A working set that does not fit takes several times
  /// as long to read.
  public var writerCache: ByteCount = .mebibytes(64)
  /// The cache for decrypted pages on each reader connection.
  ///
  /// Default: 16 MiB. The limits are 1 MiB and 64 GiB.
  public var readerCache: ByteCount = .mebibytes(16)
  /// The largest number of connections that read at the same time.
  ///
  /// Default: 4. The limits are 1 and 64.
  public var maximumReaders = 4
  /// The size at which the write-ahead log is checkpointed completely and started again.
  ///
  /// Default: 16 MiB. The limits are 1 MiB and 64 GiB.
  ///
  /// The log restarts by itself whenever no one reads for a moment. Above this size a commit holds
  /// back new readers of this process and waits for active ones. It waits for 10 milliseconds, and
  /// longer after each failed attempt, up to 1 second, but for at most a fifth of the time. A
  /// longer read scope or iteration keeps the log growing until it ends.
  /// ``Vault/checkpoint()-()->()`` checkpoints at once.
  public var writeAheadLogLimit: ByteCount = .mebibytes(16)
  /// The interval for detecting changes by other processes.
  ///
  /// Default: 0.5 seconds. The limits are 10 milliseconds and 1 day.
  ///
  /// It applies only while a query is observed; changes in this process are reported at once.
  public var observationInterval: Duration = .milliseconds(500)
  /// Whether conditions may use `MATCHES`.
  ///
  /// Default: `true`.
  ///
  /// A match takes time proportional to the length of the text, whatever the pattern.
  public var allowsRegularExpressions = true
  /// The logger for opening, creating, closing and removing.
  ///
  /// Default: no log.
  ///
  /// Keys and values are never logged.
  public var logger: Logger?

  /// The duration from which ``logger`` reports a query as slow.
  ///
  /// Default: none.
  ///
  /// The warning contains the class, the statement with `?` for every value, and the engine's time.
  public var slowQueryThreshold: Duration?

  /// Whether the vault records the queries of its stores, for ``Database/advisedIndexes()``.
  ///
  /// Default: ``QueryStatistics/off``.
  ///
  /// For each statement it records the text, with `?` for every value, the number of runs and the
  /// time. It records at most 500 statements, in memory only.
  public var queryStatistics: QueryStatistics = .off

  /// The version of the vault's schema and its upgrades from older versions.
  ///
  /// Default: none.
  ///
  /// Without it, each class is upgraded when its store is requested.
  public var schema: VaultSchema?
  /// The copy that an upgrade creates before it changes stored classes.
  ///
  /// Default: none. See ``UpgradeBackup/keep``.
  public var upgradeBackup: UpgradeBackup?

  #if canImport(Darwin)
    /// The file protection of the vault, its log and its keyring.
    ///
    /// Default: none; the files get the protection of their folder.
    ///
    /// It is set when the vault is opened for writing, and for a file that replaces the vault. The
    /// shared memory next to the vault (`-shm`) contains no data and is left as it is.
    public var fileProtection: FileProtectionType?
    /// Whether the vault, its log and its keyring are excluded from backups of the device.
    ///
    /// Default: `false`. It is set when ``fileProtection`` is; `false` changes nothing.
    public var excludesFromBackup = false
  #endif

  /// The rules by which objects expire.
  ///
  /// Default: none.
  ///
  /// Expired objects are removed when a handle with this configuration opens the vault, and by
  /// ``Vault/removeExpired()``. If that fails at the opening, the vault opens anyway and the failure
  /// is logged. A vault that is opened for reading only removes nothing.
  public var expiry: [ExpiryRule] = []
  /// The rule by which the file is compacted when it is opened.
  ///
  /// Default: none. See ``CompactionRule/whenFree(_:fraction:)``.
  public var compaction: CompactionRule?

  /// The keys of sealed properties.
  ///
  /// Default: those of the keyring. A vault without a keyring needs them as soon as a class with a
  /// sealed property is used; see ``PropertyDescription/sealed(_:)``. The keys of the handle that
  /// opened the file apply to all handles of a process on it.
  public var sealingKeys: SealingKeys?
  /// The keys of properties that are sealed by a key that can be destroyed.
  ///
  /// Default: none, so that classes with such properties throw `.noKey`. The keys of the handle that
  /// opened the file apply to all handles of a process on it. See ``ErasableKeys``.
  public var erasableKeys: ErasableKeys?

  /// The author of the changes that classes record in their history.
  ///
  /// Default: none. See ``TableOptions/history`` and ``Vault/setAuthor(_:)``.
  ///
  /// All handles of a process on one file have the author of the handle that opened it.
  public var author: String?
  /// The changes that the history retains when a handle with this configuration opens the vault.
  ///
  /// Default: all. If the removal of the others fails, the vault opens anyway and the failure is
  /// logged. A vault that is opened for reading only removes nothing.
  public var historyLimit: HistoryLimit?

  /// The hooks that are called as connections open and close, and that may set them up.
  ///
  /// Default: none.
  public var hooks = ConnectionHooks()
  /// The receiver of the text of every statement that the vault runs, never with a value.
  ///
  /// Default: none, which costs nothing.
  public var statementLog: StatementLog?

  /// Creates a configuration with the defaults.
  public init() {}
}
