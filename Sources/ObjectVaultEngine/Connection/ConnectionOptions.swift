/// How a connection behaves; everything here is read back after it was set.
package struct ConnectionOptions: Sendable {
  /// How long to wait for another connection's lock, in milliseconds.
  package var busyTimeout: Int32 = 5_000
  /// The most memory the page cache may take, in KiB.
  package var cacheKiB = 2_048
  /// When commits are forced to the disk.
  package var synchronous = Synchronous.normal
  /// Whether deleted content is overwritten with zeros.
  package var secureDelete = true
  /// Whether foreign keys are enforced.
  package var foreignKeys = true
  /// After how many pages in the write-ahead log a commit checkpoints; 0 never does.
  package var walAutocheckpoint: Int32 = 1_000
  /// The size in bytes to which a journal or a write-ahead log that starts again is cut; -1 leaves it.
  package var journalSizeLimit = -1
  /// Whether nobody else may use the file while the connection is open, from its first look on.
  package var isExclusive = false
  /// Whether the file may have been made to do harm: its cells are checked when they are read, and the
  /// engine's limits are lowered.
  package var isGuarded = false
  /// Whether nothing of the file is written by SQL: the engine's defensive mode then protects what
  /// tables are made of. Needs ``isGuarded``.
  package var isDefensive = false
  /// The largest size in bytes of a text or a blob; `nil` for the engine's own limit.
  package var valueSizeLimit: Int?
  /// How large a new file may become in bytes; `nil` for the engine's own limit.
  package var fileSizeLimit: Int?
  /// How many statements are kept for the next call with the same text.
  package var statementCacheCapacity = 96
  /// Told the text of every statement that starts to run, with its parameters unfilled.
  package var trace: (@Sendable (String) -> Void)?

  package init() {}

  /// When commits are forced to the disk.
  package enum Synchronous: Int, Sendable {
    case off = 0
    /// In write-ahead mode: the file is never broken, the last commits can be lost by a power cut.
    case normal = 1
    /// No commit is lost.
    case full = 2
    case extra = 3
  }
}

extension Connection {
  /// What a connection may do with its file.
  package enum Mode: Sendable {
    /// The file must exist and is not written.
    case readOnly
    /// The file must exist, have content, and be writable.
    case readWrite
    /// The file is made, readable by its owner only, where there is none.
    case create
  }
}
