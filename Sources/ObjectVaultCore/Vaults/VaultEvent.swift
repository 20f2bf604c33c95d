/// Something that happened to a vault as a whole.
public enum VaultEvent: Sendable, Hashable {
  /// The file was removed; every handle made before is invalid.
  case removed
  /// The handle was closed, or its last reference went.
  case closed
  /// The table of the class of this name was removed; every store of it made before is invalid.
  case storeRemoved(String)
}

/// Who wants to hear of the events of one vault handle.
final class EventCenter: Sendable {
  private struct State {
    var handlers: [Int: @Sendable (VaultEvent) -> Void] = [:]
    var next = 0
  }
  private let state = Locked(State())

  func add(_ handler: @escaping @Sendable (VaultEvent) -> Void) -> Int {
    state.withLock {
      $0.next += 1
      $0.handlers[$0.next] = handler
      return $0.next
    }
  }

  func remove(_ id: Int) {
    // Released outside the lock: what the handler holds may end a registration of its own.
    let gone = state.withLock { $0.handlers.removeValue(forKey: id) }
    withExtendedLifetime(gone) {}
  }

  /// Tells everybody, outside every lock.
  func post(_ event: VaultEvent) {
    let handlers = state.withLock { state in
      state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(event) }
  }
}

/// A registration for events; it ends when it is cancelled or its last reference goes.
public final class EventRegistration: Sendable {
  private let center: EventCenter
  private let id: Int

  init(center: EventCenter, id: Int) {
    self.center = center
    self.id = id
  }

  /// Ends the registration.
  public func cancel() { center.remove(id) }

  deinit { center.remove(id) }
}
