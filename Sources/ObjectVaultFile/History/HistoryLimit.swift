/// A limit of the changes that a history retains.
public enum HistoryLimit: Sendable, Hashable {
  /// This number of the latest changes.
  case newest(Int)
  /// The changes that are at most this old.
  case age(Duration)
}
