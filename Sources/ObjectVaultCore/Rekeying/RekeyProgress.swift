/// How far the work on a whole file is.
public struct RekeyProgress: Sendable, Hashable {
  /// What is being done.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The write-ahead log is played into the file, and everybody else is kept out.
    case preparing
    /// Pages are copied under the new key.
    case copying
    /// Every page of the copy is authenticated.
    case verifying
    /// The structure is checked, and the contents of both files are compared.
    case comparing
    /// The copy takes the place of the file.
    case replacing
  }

  /// What is being done.
  public var phase: Phase
  /// How much of the phase is done: pages, or steps while preparing and replacing. While comparing,
  /// pages that were read from either file; a page that is cached does not count until the end.
  public var done: Int
  /// How much there is to do in the phase; 0 where that is not known yet.
  public var total: Int
  /// The size of a page in bytes; 0 where it is not known yet.
  public var pageSize: Int
}

extension RekeyProgress {
  /// The first report: keys are read and stretched.
  static let beginning = RekeyProgress(phase: .preparing, done: 0, total: 0, pageSize: 0)
}
