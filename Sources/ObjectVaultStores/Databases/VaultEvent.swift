import ObjectVaultDriver

/// An event of a vault as a whole.
public enum VaultEvent: Sendable, Hashable {
  /// The file was removed; every existing handle is invalid.
  case removed
  /// The handle was closed, or its last reference was released.
  case closed
  /// The table of the class with this name was removed; every existing store of it is invalid.
  case storeRemoved(String)
}

/// The event handlers of one vault handle.
package final class EventCenter: Sendable {
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
    // Release the handler outside the lock: its captured values may end a registration of their
    // own.
    let gone = state.withLock { $0.handlers.removeValue(forKey: id) }
    withExtendedLifetime(gone) {}
  }

  /// Calls all handlers, with no lock held.
  package func post(_ event: VaultEvent) {
    let handlers = state.withLock { state in
      state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(event) }
  }
}

/// A registration for events, which ends when it is cancelled or released.
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
