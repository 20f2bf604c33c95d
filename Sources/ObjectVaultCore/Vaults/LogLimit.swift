import ObjectVaultEngine

/// When a writing connection moves its write-ahead log into the file.
///
/// Every so many pages the log is moved as far as readers let it. That alone does not end its growth: the
/// engine starts the log again only in a moment in which no one reads from it, and readers that overlap
/// leave none. Past a limit the log is therefore moved to its end while new readers are held back.
struct LogLimit {
  /// What is due after a commit.
  enum Step: Equatable {
    case none
    /// Move the log as far as readers let it.
    case move
    /// Hold new readers back and wait so long for the others.
    case restart(milliseconds: Int32)
  }

  /// As the engine does by itself.
  private static let pagesBetweenMoves = 1_000
  private static let (shortestWait, longestWait): (Int32, Int32) = (10, 1_000)
  /// How many times longer than an attempt the next one is put off, so that waiting takes a fifth of the
  /// time at most.
  private static let pauseRatio: Int64 = 4

  private let limit: Int
  private var nextMove = Self.pagesBetweenMoves
  private var nextRestart: Int
  private var earliestRestart = Int64.min
  private var milliseconds = Self.shortestWait
  private var lastPages = 0

  /// - Parameter limit: How many pages the log may have.
  init(limit: Int) {
    self.limit = max(1, limit)
    nextRestart = self.limit
  }

  /// - Parameters:
  ///   - pages: How many pages the log has.
  ///   - now: The time by the ``CoarseClock``.
  mutating func step(pages: Int, now: @autoclosure () -> Int64) -> Step {
    if pages < lastPages { begin() }
    lastPages = pages
    if pages >= nextRestart, now() >= earliestRestart {
      return .restart(milliseconds: milliseconds)
    }
    guard pages >= nextMove else { return .none }
    nextMove = pages + Self.pagesBetweenMoves
    return .move
  }

  /// The log was moved to its end, and starts again with the next commit.
  mutating func begin() {
    nextMove = Self.pagesBetweenMoves
    nextRestart = limit
    earliestRestart = .min
    milliseconds = Self.shortestWait
    lastPages = 0
  }

  /// Readers stayed in the way.
  ///
  /// - Parameters:
  ///   - began: When the attempt began, by the ``CoarseClock``.
  ///   - ended: When it ended.
  mutating func fail(began: Int64, ended: Int64) {
    nextRestart = lastPages + max(1, limit / 4)
    earliestRestart = ended + (ended - began) * Self.pauseRatio
    milliseconds = min(milliseconds * 2, Self.longestWait)
  }
}
