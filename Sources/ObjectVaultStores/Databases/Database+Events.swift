extension Database {
  /// Calls `handler` for every event of this handle.
  ///
  /// The handler runs on the thread that causes the event, with no lock held, until the
  /// registration is cancelled or released.
  ///
  /// ```swift
  /// let registration = vault.onEvent { event in
  ///   if event == .removed { showWelcome() }
  /// }
  /// ```
  ///
  /// - Parameter handler: The closure to call.
  /// - Returns: The registration. Retain it for as long as you want events.
  public func onEvent(_ handler: @escaping @Sendable (VaultEvent) -> Void) -> EventRegistration {
    EventRegistration(center: handle.events, id: handle.events.add(handler))
  }

  /// Returns the future events of this handle as a sequence that ends after `.closed` or
  /// `.removed`.
  ///
  /// The sequence of a handle that was closed or removed before is empty.
  public func eventStream() -> AsyncStream<VaultEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: VaultEvent.self)
    guard handle.end == nil else {
      continuation.finish()
      return stream
    }
    let registration = onEvent { event in
      continuation.yield(event)
      if event == .closed || event == .removed { continuation.finish() }
    }
    continuation.onTermination = { _ in registration.cancel() }
    // An event from before the registration would be missed.
    if let end = handle.end {
      continuation.yield(end)
      continuation.finish()
    }
    return stream
  }
}
