/// The schedule by which a writer connection checkpoints its write-ahead log.
///
/// After a fixed number of pages the log is checkpointed up to the frames that active readers need.
/// This alone does not limit its size: the engine reuses the log only when no one reads from it, and
/// overlapping readers leave no such moment. Past a limit, the log is therefore checkpointed
/// completely while new readers are held back.
package struct LogLimit {
  /// The checkpoint that is due after a commit.
  package enum Step: Equatable {
    case none
    /// Checkpoint as much of the log as active readers allow.
    case move
    /// Hold new readers back and wait up to this time for active ones.
    case restart(milliseconds: Int32)
  }

  /// The engine's own default.
  private static let pagesBetweenMoves = 1_000
  private static let (shortestWait, longestWait): (Int32, Int32) = (10, 1_000)
  /// The pause after a failed attempt, as a multiple of the attempt's duration.
  ///
  /// With 4, waiting takes at most a fifth of the time.
  private static let pauseRatio: Int64 = 4

  private let limit: Int
  private var nextMove = Self.pagesBetweenMoves
  private var nextRestart: Int
  private var earliestRestart = Int64.min
  private var milliseconds = Self.shortestWait
  private var lastPages = 0

  /// Creates a schedule.
  ///
  /// - Parameter limit: The number of pages that the log may have.
  package init(limit: Int) {
    self.limit = max(1, limit)
    nextRestart = self.limit
  }

  /// Returns the checkpoint that is due after a commit.
  ///
  /// - Parameters:
  ///   - pages: The number of pages in the log.
  ///   - now: The current time of the ``CoarseClock``.
  /// - Returns: The step to take.
  package mutating func step(pages: Int, now: @autoclosure () -> Int64) -> Step {
    if pages < lastPages { begin() }
    lastPages = pages
    if pages >= nextRestart, now() >= earliestRestart {
      return .restart(milliseconds: milliseconds)
    }
    guard pages >= nextMove else { return .none }
    nextMove = pages + Self.pagesBetweenMoves
    return .move
  }

  /// Resets the schedule after a complete checkpoint: the next commit starts the log again.
  mutating func begin() {
    nextMove = Self.pagesBetweenMoves
    nextRestart = limit
    earliestRestart = .min
    milliseconds = Self.shortestWait
    lastPages = 0
  }

  /// Records an attempt that readers blocked.
  ///
  /// - Parameters:
  ///   - began: The start of the attempt, by the ``CoarseClock``.
  ///   - ended: The end of the attempt.
  package mutating func fail(began: Int64, ended: Int64) {
    nextRestart = lastPages + max(1, limit / 4)
    earliestRestart = ended + (ended - began) * Self.pauseRatio
    milliseconds = min(milliseconds * 2, Self.longestWait)
  }
}
