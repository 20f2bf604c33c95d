import Dispatch

/// An observation by calls; it ends when it is cancelled or its last reference goes.
public final class ObservationToken: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  /// Ends the observation. A call that has begun on another thread is not waited for; none begins
  /// afterwards on the queue that this is called on.
  public func cancel() { end() }

  deinit { end() }
}

/// Calls somebody with what is observed: one call at a time, the next result read after it.
final class ObservationCalls<Element>: @unchecked Sendable {
  private let run: ObservationRun<Element>
  private let queue: DispatchQueue?
  private let onError: @Sendable (any Error) -> Void
  private let onChange: @Sendable (Element) -> Void
  private let isCancelled = Locked(false)

  init(
    _ observed: Observed<Element>, on queue: DispatchQueue?,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Element) -> Void
  ) {
    run = ObservationRun(observed)
    self.queue = queue
    self.onError = onError
    self.onChange = onChange
  }

  /// Begins, and goes on until the token ends it.
  func start() -> ObservationToken {
    goOn()
    return ObservationToken { self.cancel() }
  }

  private func cancel() {
    isCancelled.withLock { $0 = true }
    run.observer.end(.finished)
  }

  private func goOn() {
    switch run.observer.nextTurn() {
    case .look:
      do {
        let file = try run.vault.file()
        let queue = queue ?? file.observers.calling
        file.lanes.observing.start { self.look(callingOn: queue) }
      } catch {
        _ = run.fail(error)
        goOn()
      }
    case .wait:
      // The token keeps what waits; without it nothing is to come.
      run.observer.wait { [weak self] in self?.goOn() }
    case .over(let end):
      run.leave()
      guard case .failed(let error) = end else { return }
      call(on: queue ?? .global()) { self.onError(error) }
    }
  }

  private func look(callingOn queue: DispatchQueue) {
    switch run.look() {
    case .value(let element):
      // The only reference goes with the call.
      nonisolated(unsafe) let element = element
      call(on: queue) {
        self.onChange(element)
        self.goOn()
      }
    case .same, .over:
      goOn()
    }
  }

  private func call(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    queue.async {
      if self.isCancelled.withLock({ $0 }) { return self.stop() }
      body()
    }
  }

  private func stop() { run.leave() }
}
