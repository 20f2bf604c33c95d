/// The progress of work on a whole file.
///
/// ```swift
/// try vault.rekey(to: newKey) { progress in
///   print(progress.phase, progress.done, progress.total)
/// }
/// ```
public struct RekeyProgress: Sendable, Hashable {
  /// A phase of the work.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Plays the write-ahead log into the file and locks out all other connections.
    case preparing
    /// Copies pages under the new key.
    case copying
    /// Authenticates every page of the copy.
    case verifying
    /// Checks the structure and compares the contents of both files.
    case comparing
    /// Replaces the file by the copy.
    case replacing
  }

  /// The current phase.
  public var phase: Phase
  /// The completed work of the phase: pages, or steps while preparing and replacing.
  ///
  /// While comparing, it counts the pages read from either file. Cached pages do not count until
  /// the end.
  public var done: Int
  /// The total work of the phase; 0 if not known yet.
  public var total: Int
  /// The page size in bytes; 0 if not known yet.
  public var pageSize: Int
}

extension RekeyProgress {
  /// The first report, before keys are read and stretched.
  static let beginning = RekeyProgress(phase: .preparing, done: 0, total: 0, pageSize: 0)
}
