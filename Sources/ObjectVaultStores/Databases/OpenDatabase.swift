package import Foundation
package import ObjectVaultDriver
package import ObjectVaultModel
import ObjectVaultSchema
package import ObjectVaultSession
import Synchronization

/// A database that is open in this process and shared by every handle on it.
///
/// It owns the sessions, which the stores use only through the operations of this protocol: when
/// the last reference to an open database goes, its connections close, and a handle can release it
/// at any time on another thread.
package protocol OpenDatabase: SessionPoolOwner {
  /// The place of the database, for messages: the path of a file, or a unique name in memory.
  var location: String { get }
  /// Whether the database is open for reading only.
  var isReadOnly: Bool { get }
  /// Whether the database is in the memory of this process, which no other process can reach.
  var isInMemory: Bool { get }
  /// Whether the database that is open is still the one at its place.
  var isInPlace: Bool { get }
  /// The settings of the first handle.
  var options: DatabaseOptions { get }
  /// The connections, in read scopes and transactions.
  var sessions: SessionPool { get }
  /// The state that stores share.
  var state: OpenDatabaseState { get }
  /// The other open instances of the same database in this process.
  var others: [any OpenDatabase] { get }
  /// Prepares a database that just got its system tables for readers during writes.
  ///
  /// - Parameter session: The session that writes, outside a transaction.
  /// - Throws: Errors of the engine.
  func allowReadersDuringWrites(on session: Session) throws

  /// Calls `body`, which runs the transaction of an upgrade, while no other program upgrades classes
  /// or writes to the tables that are changed.
  ///
  /// - Parameters:
  ///   - tables: Returns the names of the tables.
  ///   - body: Runs the transaction, which must begin with a call of `lock`.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of both closures, and of the engine.
  func excludingOthers<R>(
    changing tables: (Session) throws -> [String],
    _ body: (_ lock: (Session) throws -> Void) throws -> R
  ) throws -> R
  /// Calls `body`, which reads the schema in which the engine rejected a statement.
  ///
  /// - Parameters:
  ///   - error: The rejection.
  ///   - body: Reads with the session that it is passed.
  /// - Returns: The result of `body`; `nil` if the transaction ended with the error, which has
  ///   another reason than a missing name, or if the schema cannot be read.
  /// - Throws: The error of `body`.
  func readSchema<R>(after error: VaultError, _ body: (Session) throws -> R) throws -> R?
  /// Returns whether a read outside of read scopes and transactions that failed with an error can
  /// run again.
  func canRead(again error: VaultError) -> Bool
  /// Whether no other program can write while a transaction of this one is in progress.
  var transactionsExcludeWriters: Bool { get }
  /// The SQL of the engine.
  var dialect: any Dialect { get }
  /// The identifier that the system tables must have; `nil` for a new random one.
  var requiredID: UUID? { get }

  /// Begins to receive notifications of commits by other processes, if the engine sends some.
  func beginToListen()

  /// Ends ``beginToListen()``.
  func endListening()

  /// Returns the keys of sealed values; `nil` if the database has none.
  ///
  /// - Throws: `VaultError` if the cryptographic library fails.
  func makeSealer() throws -> (any ValueSealer)?
}

/// The state that the stores of an open database share.
package final class OpenDatabaseState: @unchecked Sendable {
  /// The tables that stores have requested.
  let tableCache = TableCache()
  /// The columns that another program created with a collation.
  let collated = CollatedColumns()
  /// The number of the next free statement slot.
  ///
  /// Slots are numbered separately for each opening of a database, so that the slot tables do not
  /// grow when databases are reopened.
  let nextSlot = Atomic<Int>(0)
  /// The keys of sealed values, once they were compared with those that the file records.
  let sealer = Locked<(any ValueSealer)?>(nil)
  /// Whether the transaction in progress may rebuild tables.
  ///
  /// Accessed only while the writer lock is held.
  var isRebuilding = false
  let listeners = Locked<[WeakReference<EventCenter>]>([])
  fileprivate let madeObservers = MadeOnce<ObserverCenter>()

  package init() {}
}

extension OpenDatabase {
  /// Calls `body`. A transaction of a file excludes all other writers.
  package func excludingOthers<R>(
    changing tables: (Session) throws -> [String],
    _ body: (_ lock: (Session) throws -> Void) throws -> R
  ) throws -> R { try body { _ in } }

  package func readSchema<R>(
    after error: VaultError, _ body: (Session) throws -> R
  ) throws -> R? { try readSnapshot(body) }

  package func canRead(again error: VaultError) -> Bool { false }

  package var transactionsExcludeWriters: Bool { true }
}

extension OpenDatabase {
  package func beginToListen() {}

  package func endListening() {}

  /// The observers of the content, if any were ever created.
  var presentObservers: ObserverCenter? { state.madeObservers.present }

  /// The observers of the content, created on first use.
  package var observers: ObserverCenter {
    state.madeObservers.value(orMake: ObserverCenter(of: self))
  }

  /// Returns the hooks by which the stores take part in transactions.
  ///
  /// Called once, when the sessions are created.
  package func storeHooks() -> [any SessionHook] {
    state.tableCache.belong(to: self)
    return [
      TemporaryTablesHook(), ReferenceHook(), state.tableCache, ObservationHook(of: self),
    ]
  }
}
