import Foundation

/// One of the two valid states after a fault.
package enum FaultOutcome: String, Sendable, Hashable {
  /// The state as if the operation had never begun.
  case before
  /// The state as if the operation had not been disturbed.
  case after
}

/// An operation of the library on files that must be atomic.
///
/// It is prepared and performed by separate processes in a separate folder. The testing process
/// only inspects the result.
package protocol FaultedOperation: Sendable {
  /// The name on the command line of `vaultchild` and in reports.
  var name: String { get }

  /// Creates the files that the operation needs.
  ///
  /// It can kill the process, to leave the files of a crash.
  func prepare(in folder: String) throws

  /// Performs the operation.
  func perform(in folder: String) throws

  /// The part of an error message that reports an operation as done except for its last step.
  var confession: String? { get }

  /// The outcome of the undisturbed operation.
  var undisturbed: FaultOutcome { get }

  /// Whether another process has the file open during the operation.
  var hasBystander: Bool { get }

  /// Performs the work of the other process, whose outcome `Bystander.outcome` returns later.
  ///
  /// - Parameters:
  ///   - folder: The folder of the operation.
  ///   - beginning: A closure to call after the file is open. It returns when the process must
  ///     write.
  /// - Returns: The outcome of the write.
  /// - Throws: The errors of opening and reading the file.
  func standBy(in folder: String, _ beginning: () throws -> Void) throws -> String

  /// Determines the state of the folder.
  ///
  /// It opens every file for writing, as the next user would.
  ///
  /// - Parameters:
  ///   - folder: The folder of the operation.
  ///   - isThorough: Whether to check the files with other programs, too.
  /// - Returns: The state of the folder.
  /// - Throws: ``FaultViolation`` if the folder is in neither or both states, or has leftover
  ///   files.
  func inspect(_ folder: String, isThorough: Bool) throws -> FaultOutcome

  /// Checks that a failed operation changed nothing.
  ///
  /// - Parameters:
  ///   - folder: The folder of the operation.
  ///   - template: The folder with the initial files.
  ///   - mayLackRoom: Whether the disk was full, so that a change could not be undone.
  /// - Throws: ``FaultViolation`` if the operation changed something.
  func checkUntouched(_ folder: String, since template: String, mayLackRoom: Bool) throws
}

/// An invalid state after a fault.
package struct FaultViolation: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// All operations that are tested with faults.
package let faultedOperations: [any FaultedOperation] =
  rekeys + worksOnFiles + worksOnCopies + worksOnDataKeys + worksOnHeaders + worksOnSlots
  + worksOnClasses + [GroupUnderFaults()]

private let rekeys: [any FaultedOperation] = [
  RekeyUnderFaults(journal: .wal, isOpenVault: false),
  RekeyUnderFaults(journal: .delete, isOpenVault: false),
  RekeyUnderFaults(journal: .wal, isOpenVault: true),
  RekeyBesideHandle(journal: .foreign),
  RekeyBesideHandle(journal: .wal),
]

/// Returns the operation with a name.
package func faultedOperation(named name: String) -> (any FaultedOperation)? {
  faultedOperations.first { $0.name == name }
}

extension FaultedOperation {
  package var undisturbed: FaultOutcome { .after }
  package var confession: String? { nil }
  package var hasBystander: Bool { false }
  package func standBy(in folder: String, _ beginning: () throws -> Void) throws -> String { "" }
}
