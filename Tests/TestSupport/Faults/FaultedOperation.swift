import Foundation

/// Which of two states a fault left.
package enum FaultOutcome: String, Sendable, Hashable {
  /// The operation might never have begun.
  case before
  /// The operation might never have been disturbed.
  case after
}

/// Something that the library does to files and that must be done wholly or not at all.
///
/// It is prepared and performed by processes of their own, in a folder of its own, and only looked
/// at by the one that tests it.
package protocol FaultedOperation: Sendable {
  /// What it is called on the command line of `vaultchild` and in reports.
  var name: String { get }

  /// Makes what the operation begins with. It may end the process, to leave what a crash leaves.
  func prepare(in folder: String) throws

  /// Does the operation.
  func perform(in folder: String) throws

  /// What an error says that tells of an operation that is done but for its last step.
  var confession: String? { get }

  /// What becomes of it when nothing disturbs it.
  var undisturbed: FaultOutcome { get }

  /// Whether another process has the file open meanwhile.
  var hasBystander: Bool { get }

  /// What the other process does first; it tells in the end by `Bystander.outcome` what came of
  /// its writing.
  ///
  /// - Parameter beginning: Called when it has the file open; returns when it is to write.
  /// - Returns: What came of it.
  func standBy(in folder: String, _ beginning: () throws -> Void) throws -> String

  /// Looks which of the two states the folder is in, opening everything for writing as the next
  /// user would.
  ///
  /// - Parameter isThorough: Whether other programs are asked too.
  /// - Throws: ``FaultViolation`` where it is neither, or both, or something was left behind.
  func inspect(_ folder: String, isThorough: Bool) throws -> FaultOutcome

  /// Checks that an operation that failed touched nothing.
  ///
  /// - Parameters:
  ///   - template: What the operation began with.
  ///   - mayLackRoom: Whether the disk was full, so that there was no room to take a change back.
  /// - Throws: ``FaultViolation`` where it did.
  func checkUntouched(_ folder: String, since template: String, mayLackRoom: Bool) throws
}

/// Something that must never be so after a fault.
package struct FaultViolation: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Every operation that meets faults.
package let faultedOperations: [any FaultedOperation] =
  rekeys + worksOnFiles + worksOnCopies + worksOnDataKeys + worksOnSlots
  + worksOnClasses + [GroupUnderFaults()]

private let rekeys: [any FaultedOperation] = [
  RekeyUnderFaults(journal: .wal, isOpenVault: false),
  RekeyUnderFaults(journal: .delete, isOpenVault: false),
  RekeyUnderFaults(journal: .wal, isOpenVault: true),
  RekeyBesideHandle(journal: .foreign),
  RekeyBesideHandle(journal: .wal),
]

/// The operation of that name.
package func faultedOperation(named name: String) -> (any FaultedOperation)? {
  faultedOperations.first { $0.name == name }
}

extension FaultedOperation {
  package var undisturbed: FaultOutcome { .after }
  package var confession: String? { nil }
  package var hasBystander: Bool { false }
  package func standBy(in folder: String, _ beginning: () throws -> Void) throws -> String { "" }
}
