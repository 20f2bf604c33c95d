import ObjectVaultSession

/// An asynchronous sequence of query results: the current one and one after every change.
///
/// ```swift
/// for try await list in students.query.observe() { … }
/// ```
///
/// The first element arrives immediately. Each further element follows a commit that changed the
/// result, by any handle or process; equal results are skipped. The result is read when the next
/// element is requested, on a thread of the vault's executor and without holding a lock. A slow
/// consumer receives only the latest result, never a backlog.
///
/// The sequence ends when the iterating task is cancelled or the vault is closed. It throws the
/// ``VaultError`` of a failed read, `.invalidated` if the store or the vault was removed. After the
/// first element, a read that fails with `.busy`, `.connectionLost` or `.conflict` is repeated
/// instead. Every iteration is a separate observation.
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
  let observed: Observed<Element>

  /// Returns a new iterator, which reads nothing until its first element is requested.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(run: ObservationRun(observed))
  }

  /// One iteration, for one task.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let run: ObservationRun<Element>

    /// Waits for the next result without blocking the caller's thread.
    ///
    /// - Parameter actor: The actor that the call is isolated to.
    /// - Returns: The next result, or `nil` after the task was cancelled or the vault was closed.
    /// - Throws: The error of a failed read, which ends the iteration.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(any Error) -> Element? { try await run.next() }
  }
}

@available(*, unavailable)
extension ObservationSequence.AsyncIterator: Sendable {}

extension ObservationRun where Element: Sendable {
  /// Returns the next result, or `nil` at the end.
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
      let executor = try await database.openedOffThread().sessions.executors.observing
      return try await executor.run { self.look() }
    } catch {
      return .over(fail(error))
    }
  }

  /// Waits until there is work to do or the task is cancelled.
  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { done in observer.wait { done.resume() } }
    } onCancel: {
      observer.wake()
    }
  }

  /// Ends the iteration; later requests return `nil`.
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
