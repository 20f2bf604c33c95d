public import Dispatch

extension ObjectStore where T: Sendable {
  /// Every object, now and after every change; see ``Query/observe()``.
  public func observe() -> ObservationSequence<[T]> { query.observe() }

  /// Every object, now and after every change, with what changed; see ``Query/observeChanges()``.
  public func observeChanges() -> ObservationSequence<QueryChange<T>> { query.observeChanges() }

  /// How many objects there are, now and after every change of that.
  public func observeCount() -> ObservationSequence<Int> { query.observeCount() }

  /// The object stored under an objectID, with those that belong to it, now and after every change;
  /// `nil` while nothing is stored under it.
  public func observe(id: T.ObjectIDType) -> ObservationSequence<T?> {
    ObservationSequence(observed: observedObject(id))
  }
}

extension ObjectStore {
  /// Calls `onChange` with every object, now and after every change; see
  /// ``Query/observe(on:onError:onChange:)``.
  public func observe(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable ([T]) -> Void
  ) -> ObservationToken {
    query.observe(on: queue, onError: onError, onChange: onChange)
  }

  /// Calls `onChange` with the object stored under an objectID, now and after every change; see
  /// ``Query/observe(on:onError:onChange:)``.
  public func observe(
    id: T.ObjectIDType, on queue: DispatchQueue? = nil,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (T?) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedObject(id), on: queue, onError: onError, onChange: onChange).start()
  }
}
