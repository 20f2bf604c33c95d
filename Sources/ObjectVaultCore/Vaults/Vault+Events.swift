extension Vault {
  /// Calls `handler` for every event of this handle, on the thread that causes it and outside
  /// every lock, until the registration is cancelled or released.
  public func onEvent(_ handler: @escaping @Sendable (VaultEvent) -> Void) -> EventRegistration {
    EventRegistration(center: events, id: events.add(handler))
  }

  /// The events of this handle from now on. The sequence ends after `.closed` or `.removed`.
  public func eventStream() -> AsyncStream<VaultEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: VaultEvent.self)
    let registration = onEvent { event in
      continuation.yield(event)
      if event == .closed || event == .removed { continuation.finish() }
    }
    continuation.onTermination = { _ in registration.cancel() }
    return stream
  }
}
