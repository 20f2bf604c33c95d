/// Results as they are now and after every change: `for try await list in query.observe()`.
///
/// The first element comes at once. Each further one comes after a commit that changed the result, by
/// any handle or process; an equal result does not come. The result is read when the next element is
/// asked for, on a thread of the vault's own and outside every lock: who is slow gets the last state
/// alone, never a backlog.
///
/// The sequence ends with the task that iterates, or when the vault is closed; it throws the
/// ``VaultError`` that reading throws, `.invalidated` where the store or the vault was removed. Every
/// iteration observes anew.
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
  let observed: Observed<Element>

  /// Begins an iteration; it reads nothing before its first element is asked for.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(run: ObservationRun(observed))
  }

  /// One iteration, for one task.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let run: ObservationRun<Element>

    /// Waits for the next result, without blocking the caller's thread.
    ///
    /// - Returns: `nil` once the task is cancelled or the vault closed.
    /// - Throws: What reading throws; the iteration is over then.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(any Error) -> Element? { try await run.next() }
  }
}

@available(*, unavailable)
extension ObservationSequence.AsyncIterator: Sendable {}

extension ObservationRun where Element: Sendable {
  /// The next result, or `nil` at the end.
  func next() async throws -> Element? {
    while true {
      switch observer.nextTurn() {
      case .over(let end):
        return try finish(end)
      case .wait:
        await wait()
        if Task.isCancelled { return try finish(.finished) }
      case .look:
        switch await outcome() {
        case .value(let element): return element
        case .same: break
        case .over(let end): return try finish(end)
        }
      }
    }
  }

  private func outcome() async -> Outcome {
    do {
      let lane = try await vault.openedOnLane().lanes.observing
      return try await lane.run { self.look() }
    } catch {
      return .over(fail(error))
    }
  }

  /// Waits until there is something to be done, or the task is cancelled.
  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { done in observer.wait { done.resume() } }
    } onCancel: {
      observer.wake()
    }
  }

  /// Ends the iteration: whatever is asked for later, nothing comes.
  private func finish(_ end: Observer.End) throws -> Element? {
    observer.end(.finished)
    leave()
    if Task.isCancelled { return nil }
    guard !isOver else { return nil }
    isOver = true
    if case .failed(let error) = end { throw error }
    return nil
  }
}
