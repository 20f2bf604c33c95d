import Foundation
import ObjectVaultCore
import ObjectVaultStores
import Synchronization
import TestSupport

/// What an observation delivered so far.
final class Deliveries<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var elements: [Element] = []
    var error: (any Error)?
    var isOver = false
  }
  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Iterates in a task.
  init(_ sequence: ObservationSequence<Element>) {
    let task = Task { [weak self] in
      do {
        for try await element in sequence { self?.add(element) }
        self?.end(nil)
      } catch {
        self?.end(error)
      }
    }
    self.task.withLock { $0 = task }
  }

  /// For an observation by calls.
  init() {}

  deinit { cancel() }

  func add(_ element: Element) { state.withLock { $0.elements.append(element) } }

  func end(_ error: (any Error)?) {
    state.withLock {
      $0.error = error
      $0.isOver = true
    }
  }

  func cancel() { task.withLock { $0?.cancel() } }

  var elements: [Element] { state.withLock { $0.elements } }
  var isOver: Bool { state.withLock { $0.isOver } }
  var errorCode: VaultError.Code? { (state.withLock { $0.error } as? VaultError)?.code }

  /// Waits until so many were delivered, and gives them.
  func first(_ count: Int) async throws -> [Element] {
    try await eventually { self.elements.count >= count || self.isOver }
    return elements
  }

  /// Waits for one of which the condition holds.
  func wait(for condition: @escaping @Sendable (Element) -> Bool) async throws {
    try await eventually { self.elements.contains(where: condition) }
  }

  /// Waits for the end.
  ///
  /// - Returns: The code of the error that it ended with.
  @discardableResult
  func end() async throws -> VaultError.Code? {
    try await eventually { self.isOver }
    return errorCode
  }
}

/// Waits until a condition holds; ten minutes are taken for ever.
func eventually(_ condition: @Sendable () throws -> Bool) async throws {
  for _ in 0..<300_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(2))
  }
  throw OnThread<Void>.Hangs()
}

extension Vault {
  /// How many observe something of the vault's file.
  var observerCount: Int { get throws { try file().observers.count } }
}
