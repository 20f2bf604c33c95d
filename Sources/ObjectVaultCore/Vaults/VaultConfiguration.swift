public import Logging

/// How a vault is opened; every setting has a default that suits most applications.
public struct VaultConfiguration: Sendable {
  /// What happens where there is no file, or an empty one.
  public enum Creation: Sendable, Hashable {
    /// The first use makes a new vault. The default.
    case ifMissing
    /// The first use fails with `.noSuchFile`, or `.empty` for a file of no bytes.
    case never
  }

  /// The cipher format of a new file.
  public enum CipherFormat: String, Sendable, Hashable, CaseIterable {
    /// The newest that the engine writes: format 4 on SQLCipher 4, format 3 on 3.4.
    case native
    /// Format 3 with pages of 4,096 bytes, which every supported engine reads and writes.
    case portable
  }

  /// When a commit is on the disk.
  public enum Durability: Sendable, Hashable {
    /// Commits survive the end of the process; a power failure may undo the latest ones but never
    /// damages the file. The default (`synchronous = NORMAL` with a write-ahead log).
    case processCrash
    /// Each commit is on the disk before it returns (`synchronous = FULL`).
    case powerFailure
  }

  /// What happens where there is no file. Default: ``Creation/ifMissing``.
  public var creation: Creation = .ifMissing
  /// Whether the file is opened for reading only. Default: `false`.
  ///
  /// A file whose rights let the program only read it is opened so whatever stands here: it can be asked,
  /// and what would write throws `.readOnly`.
  public var isReadOnly = false
  /// Whether the file may have been made by someone else to do harm. Default: `false`.
  ///
  /// The definitions of its tables, indexes, views and triggers are checked before the engine reads
  /// them, and the engine's limits are lowered. Opening then costs the time to read the list of tables
  /// once more. ``DatabaseFile`` does so with every file.
  public var isUntrusted = false
  /// The cipher format of a new file. Default: ``CipherFormat/native``.
  public var cipherFormat: CipherFormat = .native
  /// The oldest cipher format that an existing file may have, 1 to 4. Default: 2, the oldest format
  /// in which every page is authenticated.
  ///
  /// Pages of format 1 carry no authentication codes: whoever can write such a file can change stored
  /// values unseen. Anyone who can write a file of another format can also make it look like one of
  /// format 1. Set 1 only for files that never were in another format. Opening a file of format 1
  /// otherwise throws ``VaultError/Code/unauthenticated``. Files of format 1 that leave room for
  /// authentication codes, as SQLCipher 4 makes them, open only through ``DatabaseFile``, with
  /// `cipherFormat: 1`.
  public var minimumCipherFormat = 2
  /// When a commit is on the disk. Default: ``Durability/processCrash``.
  public var durability: Durability = .processCrash
  /// Whether writes that wait for one another share a commit. Default: `false`.
  ///
  /// Only operations of one statement do: an insert, an update or a removal of one object or by one
  /// condition. Transactions and operations of several statements have commits of their own.
  ///
  /// Each still returns only when what it wrote is committed, is undone alone if it fails alone, and sees
  /// what those before it did. A write that ends while others wait leaves the commit to them: of at most 32
  /// writes, the last of which begins within 5 milliseconds of the first.
  ///
  /// It pays where a commit is dear, with ``Durability/powerFailure``, and many threads or tasks write at the
  /// same time: the disk is waited for once instead of once for each. With ``Durability/processCrash`` tasks
  /// that write gain a little and threads nothing. The risk: writes of one commit fail together where
  /// the commit fails, or one of them has the engine give the transaction up.
  /// A commit counts as one in ``Vault/freshness()-()->Int``, and observers are told once.
  ///
  /// What changes tables, statements of SQL and what replaces the file never share a commit.
  public var groupsCommits = false
  package var groupLimits = GroupLimits()
  /// How long to wait for another process that holds the file, in seconds. Default: 5.
  public var busyTimeout: Double = 5
  /// Memory for decrypted pages on the writing connection, in MiB. Default: 64.
  ///
  /// A working set that fits costs no decryption; one that does not costs three to nine times as
  /// much to read.
  public var writerCacheSize = 64
  /// Memory for decrypted pages on each reading connection, in MiB. Default: 16.
  public var readerCacheSize = 16
  /// How many connections may read at the same time. Default: 4.
  public var maximumReaders = 4
  /// The size in MiB past which the write-ahead log is moved into the file and started again. Default: 16.
  ///
  /// The log starts again by itself when no one reads for a moment. Past this size a commit holds new readers
  /// of this process back and waits for those in progress: for 10 milliseconds, and longer at each attempt
  /// that fails, up to 1 second, but for no more than a fifth of the time. A read scope or an iteration that
  /// lasts longer keeps the log growing until it ends. ``Vault/checkpoint()-()->()`` does it at once.
  public var writeAheadLogLimit = 16
  /// How often to look whether another process changed the file, in seconds. Default: 0.5.
  ///
  /// Only while somebody observes a query of it; changes made in this process are told at once.
  public var observationInterval: Double = 0.5
  /// Whether `MATCHES` may be used in conditions. Default: `true`.
  ///
  /// A match takes time in proportion to the length of the text, whatever the pattern.
  public var allowsRegularExpressions = true
  /// Where the vault reports what it does: opening, creating, closing, removing. Neither keys nor
  /// values are ever logged. Default: no log.
  public var logger: Logger?

  /// From how many seconds on a query is reported to ``logger``, as a warning: its class, its statement
  /// with `?` for every value, and how long the engine took. Default: none is.
  public var slowQueryThreshold: Double?

  /// Whether the vault notes what its stores are asked, for ``Vault/advisedIndexes()``. Default: `false`.
  ///
  /// Of each statement it keeps the text, in which every value is a `?`, how often it ran and how long it
  /// took: for at most 500 statements, in memory alone.
  public var notesQueries = false

  /// The version of the vault's schema, and how it becomes that from older ones. Default: none; each
  /// class is brought to its form when its store is asked for.
  public var schema: VaultSchema?
  /// Whether an upgrade that changes stored classes first copies the vault as it was, under its own key.
  /// Default: `false`.
  ///
  /// The copy is `PATH.before-upgrade`, or `PATH.before-upgrade-2` and so on where that name is taken;
  /// the application removes what it needs no longer. An upgrade without room for it is refused, and one
  /// that fails leaves none.
  public var keepsPreimage = false

  /// What is told of the vault's connections as they open and close, and may set them up. Default: none.
  public var hooks = ConnectionHooks()
  /// What is told the text of every statement that the vault runs, never with a value. Default: none, which
  /// costs nothing.
  public var statementLog: StatementLog?

  /// The defaults.
  public init() {}
}
