/// The options of a connection.
///
/// Every setting is read back after it was set.
package struct ConnectionOptions: Sendable {
  /// The time to wait for another connection's lock, in milliseconds.
  package var busyTimeout: Int32 = 5_000
  /// The maximum size of the page cache, in KiB.
  package var cacheKiB = 2_048
  /// The synchronization of commits with the disk.
  package var synchronous = Synchronous.normal
  /// Whether deleted content is overwritten with zeros.
  package var secureDelete = true
  /// Whether foreign keys are enforced.
  package var foreignKeys = true
  /// The number of pages in the write-ahead log after which a commit runs a checkpoint; 0 disables
  /// it.
  package var walAutocheckpoint: Int32 = 1_000
  /// The size in bytes to which a journal or a restarted write-ahead log is truncated; -1 leaves
  /// it.
  package var journalSizeLimit = -1
  /// Whether the connection has exclusive access to the file from its first read until it is
  /// closed.
  package var isExclusive = false
  /// Whether the connection only holds a read lock until it is closed.
  ///
  /// Opening it rolls back the transaction of a terminated program. It reads no definition of the
  /// file, so it is safe for a file of unknown origin. Further options have no effect on it.
  package var onlyLocks = false
  /// Whether the file may be malicious.
  ///
  /// Its cells are checked when they are read, and the engine's limits are lowered.
  package var isGuarded = false
  /// Whether SQL writes nothing into the file.
  ///
  /// The engine's defensive mode then protects the internals of tables. Requires ``isGuarded``.
  package var isDefensive = false
  /// The maximum size in bytes of a text or a blob, or `nil` for the engine's own limit.
  package var valueSizeLimit: Int?
  /// The maximum size of a new file in bytes, or `nil` for the engine's own limit.
  package var fileSizeLimit: Int?
  /// The capacity of the statement cache.
  package var statementCacheCapacity = 96
  /// Receives the text of every statement that starts to run, without parameter values.
  package var trace: (@Sendable (String) -> Void)?

  package init() {}

  /// The synchronization of commits with the disk.
  package enum Synchronous: Int, Sendable {
    case off = 0
    /// In write-ahead mode, the file is never corrupted, but a power failure can lose the last
    /// commits.
    case normal = 1
    /// No commit is lost.
    case full = 2
  }
}

extension Connection {
  /// The access mode of a connection.
  package enum Mode: Sendable {
    /// The file must exist and is not written.
    case readOnly
    /// The file must exist, have content, and be writable.
    case readWrite
    /// If the file is missing, it is created with access for its owner only.
    case create
  }
}
