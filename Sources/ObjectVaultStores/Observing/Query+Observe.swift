public import Dispatch

extension Query where T: Sendable {
  /// Returns a sequence of the objects, now and after every commit that changed them.
  ///
  /// ```swift
  /// for try await list in try students.where("age < %@", 7).observe() { … }
  /// ```
  ///
  /// A change affects the objects, their owned objects, or associated objects that the condition or
  /// the order reads. It can come from any handle of this process or from another process.
  public func observe() -> ObservationSequence<[T]> {
    ObservationSequence(observed: observedObjects)
  }

  /// Returns a sequence of the objects and their changes, now and after every commit.
  ///
  /// Each element lists the inserted, removed, moved and changed objects by objectID.
  ///
  /// - Returns: A sequence that throws `.noObjectID` if another program stored a row without an
  ///   objectID.
  public func observeChanges() -> ObservationSequence<QueryChange<T>> {
    ObservationSequence(observed: observedChanges)
  }

  /// Returns a sequence of the number of objects, now and after every commit that changed it.
  public func observeCount() -> ObservationSequence<Int> {
    ObservationSequence(observed: observedCount)
  }
}

extension Query {
  /// Calls `onChange` with the objects, now and after every commit that changed them.
  ///
  /// The calls come one after another, after the commit and without holding a lock. No read happens
  /// during a call; the next call receives the latest state.
  ///
  /// - Parameters:
  ///   - queue: The queue of the calls, which keep their order if it is a serial queue. By default,
  ///     the vault's observers share a serial queue of the vault.
  ///   - onError: Called if a read fails, as the last call. The error is `.invalidated` if the
  ///     store or the vault was removed. Closing the vault ends the observation without a call.
  ///   - onChange: Called with the objects.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  public func observe(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable ([T]) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedObjects, on: queue, onError: onError, onChange: onChange).start()
  }

  /// Calls `onChange` with the objects and their changes, now and after every commit.
  ///
  /// See ``observe(on:onError:onChange:)``.
  public func observeChanges(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (QueryChange<T>) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedChanges, on: queue, onError: onError, onChange: onChange).start()
  }

  /// Calls `onChange` with the number of objects, now and after every commit that changed it.
  ///
  /// See ``observe(on:onError:onChange:)``.
  public func observeCount(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Int) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedCount, on: queue, onError: onError, onChange: onChange).start()
  }
}
