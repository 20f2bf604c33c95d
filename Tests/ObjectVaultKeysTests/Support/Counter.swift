import Synchronization

/// A number that closures increment.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}
