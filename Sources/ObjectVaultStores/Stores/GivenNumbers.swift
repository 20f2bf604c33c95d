import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import Synchronization

/// The generated numbers that this process assigned to objects of one table.
///
/// After a rollback the engine generates the same numbers again. An object of the application may
/// still have one of them, and saving it would overwrite another object.
final class GivenNumbers: Sendable {
  private let highest = Atomic<Int64>(.min)
  private let mayBeTakenBack = Atomic<Bool>(false)
  /// The last transaction that assigned a number, or in which the file recorded all of them.
  private let lastTransaction = Atomic<Int>(0)

  /// Whether the file may not have recorded all assigned numbers.
  @inline(__always)
  var mustBeSkipped: Bool { mayBeTakenBack.load(ordering: .relaxed) }

  /// The highest assigned number; `nil` if there is none.
  var last: Int64? {
    let number = highest.load(ordering: .relaxed)
    return number == .min ? nil : number
  }

  /// Records an assigned number.
  ///
  /// The caller holds the writer lock.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - transaction: The ``Session/transaction`` in progress.
  @inline(__always)
  func note(_ number: Int64, in transaction: Int) {
    if number > highest.load(ordering: .relaxed) { highest.store(number, ordering: .relaxed) }
    lastTransaction.store(transaction, ordering: .relaxed)
  }

  /// Records that a transaction, or a savepoint in one, was rolled back.
  func noteRollback(in transaction: Int) {
    if lastTransaction.load(ordering: .relaxed) == transaction {
      mayBeTakenBack.store(true, ordering: .relaxed)
    }
  }

  /// Records that the file has recorded all assigned numbers, which a rollback may take back.
  func noteRecorded(in transaction: Int) {
    mayBeTakenBack.store(false, ordering: .relaxed)
    lastTransaction.store(transaction, ordering: .relaxed)
  }
}

extension StoreAccess {
  /// Returns the number for the next object if the engine would generate an assigned number again;
  /// `nil` if it generates a new one.
  func numberAfterGiven(on session: Session) throws -> Int64? {
    let numbers = table.givenNumbers
    guard let given = numbers.last, given < .max else { return nil }
    let id = table.sql.quotedColumns[table.objectIDPositions[0]]
    let stored =
      try session.with("SELECT max(\(id)) FROM \(table.sql.table)") { try $0.integer() } ?? .min
    if try max(stored, (table.sequence.recorded(on: session) ?? .min)) < given { return given + 1 }
    numbers.noteRecorded(in: session.transaction)
    return nil
  }
}
