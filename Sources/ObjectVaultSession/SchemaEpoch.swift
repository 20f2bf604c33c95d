import ObjectVaultDriver
import Synchronization

/// An identifier for the schema of the file as a writing connection last read it.
///
/// Classes are compared with the file once per epoch. A change of the schema by any connection of
/// any process begins a new epoch. A transaction prevents other connections from changing the
/// schema, so the schema version is read in it before its first write, and again after it compiled a
/// writing statement. A transaction of a single write need not read it if the engine tells that it
/// compiled the statement again (``DriverConnection/noticesSchemaChanges``); otherwise the version is
/// read after the write, before its commit. A new description of a class begins a new version of the
/// schema, also if its table remains the same.
struct SchemaEpoch {
  private static let last = Atomic<Int>(0)

  /// The number of the epoch.
  ///
  /// Unique in the process; 0 if unknown.
  private(set) var number = 0
  private var version: Int64?
  /// The number of writing statements that the connection has compiled under this schema.
  private var compiledWrites = -1
  /// Whether the version was read in the current transaction.
  private var isCurrent = false
  /// Whether the epoch began in the current transaction.
  private var isUncommitted = false

  /// Returns whether no writing statement was compiled since the version was read.
  fileprivate func isSettled(on connection: any DriverConnection) -> Bool {
    compiledWrites == connection.compiledWriteCount
  }

  /// Records that an outermost transaction begins.
  ///
  /// Others may have changed the schema before it.
  mutating func beginTransaction() {
    isCurrent = false
    isUncommitted = false
  }

  /// Records that the transaction or a part of it was rolled back.
  ///
  /// After a rollback, another schema may get the same version.
  mutating func rollBack() {
    if isUncommitted { self = SchemaEpoch() }
  }

  /// Returns whether the version was read in the current transaction, and no writing statement was
  /// compiled after it.
  fileprivate func isKnown(on connection: any DriverConnection) -> Bool {
    isCurrent && isSettled(on: connection)
  }

  fileprivate mutating func note(_ version: Int64, on connection: any DriverConnection) {
    if self.version != version {
      self.version = version
      connection.schemaChanged(to: version)
      number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
      isUncommitted = true
    }
    compiledWrites = connection.compiledWriteCount
    isCurrent = true
  }
}

extension Session {
  /// The number of the epoch if no writing statement was compiled since the schema version was
  /// read, otherwise `nil`.
  package var settledSchemaEpoch: Int? {
    schemaEpoch.isSettled(on: connection) ? schemaEpoch.number : nil
  }

  /// Returns the epoch of the schema.
  ///
  /// Must be called inside a transaction.
  package func currentSchemaEpoch() throws -> Int {
    if !schemaEpoch.isKnown(on: connection) {
      schemaEpoch.note(try schemaVersion(), on: connection)
    }
    return schemaEpoch.number
  }

  /// Returns the version of the schema; -1 if it is unknown.
  package func schemaVersion() throws -> Int64 {
    try with(connection.catalog.schemaVersion) { statement in
      try statement.step() ? statement.row.integer(at: 0) : -1
    }
  }
}
