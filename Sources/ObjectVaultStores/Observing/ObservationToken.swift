import Dispatch
import ObjectVaultDriver
import ObjectVaultSession

/// A handle of a callback observation, which ends when the token is cancelled or released.
///
/// ```swift
/// let token = students.query.observe(
///   onError: { print($0) }, onChange: { print("\($0.count) students") })
/// token.cancel()
/// ```
public final class ObservationToken: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  /// Ends the observation.
  ///
  /// The method does not wait for a callback in progress on another thread. After it returns, no
  /// callback begins on the queue it was called on.
  public func cancel() { end() }

  deinit { end() }
}

/// A callback observation: one call at a time, and the next result is read after it.
final class ObservationCalls<Element>: @unchecked Sendable {
  private let run: ObservationRun<Element>
  /// The queue of the calls; that of the vault, once it is opened, if none was given.
  private var queue: DispatchQueue?
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

  /// Starts the observation, which continues until the token ends it.
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
        let opened = try run.database.opened()
        let queue = queue ?? opened.observers.calling
        self.queue = queue
        opened.sessions.executors.observing.start { self.look(callingOn: queue) }
      } catch {
        _ = run.fail(error)
        goOn()
      }
    case .wait:
      // The token retains this object; without the token no callback is expected.
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
      // This is the only reference, and it is passed to the call.
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
