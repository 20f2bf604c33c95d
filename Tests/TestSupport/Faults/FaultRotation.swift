import Foundation

/// The part of the planned faults that one test run injects.
///
/// Every commit injects the next part, so that about 20 commits inject every fault of a plan.
/// `Scripts/torture` injects all of them at once.
package struct FaultRotation: Sendable {
  /// The number of parts.
  package static let parts = 20

  /// The part of this run, in `0..<parts`.
  package let part: Int

  /// Creates the rotation of a commit.
  ///
  /// - Parameter number: The number of the commit; `Scripts/test` passes it in
  ///   `OBJECTVAULT_FAULT_PART`. The default is 0 if that is missing.
  package init(
    number: Int = ProcessInfo.processInfo.environment["OBJECTVAULT_FAULT_PART"]
      .flatMap { Int($0) } ?? 0
  ) {
    part = (number % Self.parts + Self.parts) % Self.parts
  }

  /// Returns the faults of this part.
  ///
  /// - Parameters:
  ///   - faults: The faults of the whole plan.
  ///   - operation: The name of the operation. Each operation begins at another part, so that
  ///     short plans do not meet in the same commit.
  /// - Returns: Every twentieth fault.
  package func select(_ faults: [Fault], of operation: String) -> [Fault] {
    let start = operation.utf8.reduce(part) { $0 &+ Int($1) }
    return faults.indices.filter { ($0 + start) % Self.parts == 0 }.map { faults[$0] }
  }
}
