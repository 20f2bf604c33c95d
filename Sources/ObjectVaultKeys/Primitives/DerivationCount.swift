internal import Synchronization

/// A count of the slow key derivations of a task: a cost that does not depend on the hardware.
package final class DerivationCount: Sendable {
  private let derivations = Atomic<Int>(0)

  /// The counter of the current task, if any.
  @TaskLocal package static var current: DerivationCount?

  package init() {}

  /// The number of keys derived from passphrases and recovery codes since the counter was created.
  package var value: Int { derivations.load(ordering: .relaxed) }

  func increment() { derivations.add(1, ordering: .relaxed) }
}
