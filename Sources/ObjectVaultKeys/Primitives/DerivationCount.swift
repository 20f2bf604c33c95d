internal import Synchronization

/// Counts the slow derivations of a task: what an operation costs, on any machine.
package final class DerivationCount: Sendable {
  private let derivations = Atomic<Int>(0)

  /// The count of the task that is running, where somebody counts.
  @TaskLocal package static var current: DerivationCount?

  package init() {}

  /// How many keys were stretched from passphrases and recovery codes since it was made.
  package var value: Int { derivations.load(ordering: .relaxed) }

  func increment() { derivations.add(1, ordering: .relaxed) }
}
