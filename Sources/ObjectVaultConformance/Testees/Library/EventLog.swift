import Foundation
import ObjectVaultCore

/// The events of all handles with one name since the last request for them.
final class EventLog: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [VaultEvent] = []
  /// The registrations.
  ///
  /// They are retained here because the release of a handle's last reference is an event, too.
  private var registrations: [EventRegistration] = []

  /// Starts to record the events of a handle.
  func listen(to vault: Vault) {
    let registration = vault.onEvent { [weak self] event in
      guard let self else { return }
      lock.withLock { self.events.append(event) }
    }
    lock.withLock { registrations.append(registration) }
  }

  /// Returns the descriptions of the events since the last call.
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
