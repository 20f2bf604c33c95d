public import Dispatch

extension ObjectStore where T: Sendable {
  /// Returns a sequence of all objects, now and after every change; see ``Query/observe()``.
  public func observe() -> ObservationSequence<[T]> { query.observe() }

  /// Returns a sequence of all objects with their changes; see ``Query/observeChanges()``.
  public func observeChanges() -> ObservationSequence<QueryChange<T>> { query.observeChanges() }

  /// Returns a sequence of the number of objects, now and after every change of the number.
  public func observeCount() -> ObservationSequence<Int> { query.observeCount() }

  /// Returns a sequence of the object with an objectID and its owned objects.
  ///
  /// The first element is the current object, followed by one for every change; `nil` while the
  /// object does not exist.
  public func observe(id: T.ObjectIDType) -> ObservationSequence<T?> {
    ObservationSequence(observed: observedObject(id))
  }
}

extension ObjectStore {
  /// Calls `onChange` with all objects, now and after every change.
  ///
  /// See ``Query/observe(on:onError:onChange:)``.
  public func observe(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable ([T]) -> Void
  ) -> ObservationToken {
    query.observe(on: queue, onError: onError, onChange: onChange)
  }

  /// Calls `onChange` with the object with an objectID, now and after every change.
  ///
  /// See ``Query/observe(on:onError:onChange:)``.
  public func observe(
    id: T.ObjectIDType, on queue: DispatchQueue? = nil,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (T?) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedObject(id), on: queue, onError: onError, onChange: onChange).start()
  }
}
