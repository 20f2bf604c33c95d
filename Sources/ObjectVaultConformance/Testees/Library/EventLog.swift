import Foundation
import ObjectVaultCore

/// What the handles of one name announced since that was last asked for.
final class EventLog: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [VaultEvent] = []
  /// Kept beside the handles: what goes with the last reference to one is announced too.
  private var registrations: [EventRegistration] = []

  /// Listens to a handle from now on.
  func listen(to vault: Vault) {
    let registration = vault.onEvent { [weak self] event in
      guard let self else { return }
      lock.withLock { self.events.append(event) }
    }
    lock.withLock { registrations.append(registration) }
  }

  /// The words for the events since the last call.
  func take() -> [String] {
    let taken = lock.withLock {
      defer { events = [] }
      return events
    }
    return taken.map { event in
      switch event {
      case .removed: "removed"
      case .closed: "closed"
      case .storeRemoved(let name): "storeRemoved \(name)"
      }
    }
  }
}
