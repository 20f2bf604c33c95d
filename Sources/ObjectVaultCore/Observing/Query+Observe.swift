public import Dispatch

extension Query where T: Sendable {
  /// The objects as they are now and after every commit that changed them:
  ///
  /// ```swift
  /// for try await list in students.where("age < %@", 7).observe() { … }
  /// ```
  ///
  /// A change is one of the objects, of those that belong to them, or of what the condition and the
  /// order ask for behind associations; by any handle of this process or by another process.
  public func observe() -> ObservationSequence<[T]> {
    ObservationSequence(observed: observedObjects)
  }

  /// The objects as they are now and after every change, with how they differ from those before:
  /// inserted, removed, moved and changed ones by their objectIDs.
  ///
  /// - Returns: A sequence that throws `.noObjectID` where another program stored a row without one.
  public func observeChanges() -> ObservationSequence<QueryChange<T>> {
    ObservationSequence(observed: observedChanges)
  }

  /// How many objects there are now and after every commit that changed the number.
  public func observeCount() -> ObservationSequence<Int> {
    ObservationSequence(observed: observedCount)
  }
}

extension Query {
  /// Calls `onChange` with the objects as they are now and after every commit that changed them.
  ///
  /// The calls come one after another, outside every lock and after the commit. While one lasts,
  /// nothing is read: the next has the last state.
  ///
  /// - Parameters:
  ///   - queue: Where the calls come, in order, if it is a serial queue; by default one of the vault's
  ///     own, which its observers share.
  ///   - onError: Called when reading fails; nothing comes after it. `.invalidated` where the store or
  ///     the vault was removed. Closing the vault ends the observation without a call.
  ///   - onChange: Called with the objects.
  /// - Returns: What ends the observation when it is cancelled or released.
  public func observe(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable ([T]) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedObjects, on: queue, onError: onError, onChange: onChange).start()
  }

  /// Calls `onChange` with the objects as they are now and after every change, with how they differ
  /// from those before; see ``observe(on:onError:onChange:)``.
  public func observeChanges(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (QueryChange<T>) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedChanges, on: queue, onError: onError, onChange: onChange).start()
  }

  /// Calls `onChange` with how many objects there are now and after every commit that changed the
  /// number; see ``observe(on:onError:onChange:)``.
  public func observeCount(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Int) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedCount, on: queue, onError: onError, onChange: onChange).start()
  }
}
