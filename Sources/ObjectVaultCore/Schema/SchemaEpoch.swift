import ObjectVaultDriver
import ObjectVaultEngine
import Synchronization

/// An identifier for the schema of the file as a writing connection last read it.
///
/// Classes are compared with the file once per epoch. A change of the schema by any connection of
/// any process begins a new epoch before the next object is written: each transaction, which
/// prevents other connections from changing the schema, reads the schema version before its first
/// write, and again after it compiled a writing statement.
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
  fileprivate func isKnown(on engine: Connection) -> Bool {
    isCurrent && compiledWrites == engine.compiledWriteCount
  }

  fileprivate mutating func note(_ version: Int64, on engine: Connection) {
    if self.version != version {
      self.version = version
      number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
      isUncommitted = true
    }
    compiledWrites = engine.compiledWriteCount
    isCurrent = true
  }
}

extension VaultConnection {
  /// Returns the epoch of the schema.
  ///
  /// Must be called inside a transaction.
  func currentSchemaEpoch() throws -> Int {
    if !schemaEpoch.isKnown(on: engine) {
      let version = try with("PRAGMA schema_version") { statement in
        try statement.step() ? statement.row.integer(at: 0) : -1
      }
      schemaEpoch.note(version, on: engine)
    }
    return schemaEpoch.number
  }
}

extension TableState {
  /// Compares the class with the file if the schema changed since the last comparison.
  ///
  /// Must be called inside a transaction, before an object is written.
  ///
  /// - Throws: `.newerSchema` if the file has a newer version of the class, `.schemaMismatch` if
  ///   its table stores other values.
  func checkSchema(on connection: VaultConnection) throws {
    let epoch = try connection.currentSchemaEpoch()
    if epoch == checkedEpoch.load(ordering: .relaxed) { return }
    do {
      try compareWithFile(on: connection)
    } catch {
      noteMisfit()
      throw error
    }
    checkedEpoch.store(epoch, ordering: .relaxed)
  }

  private func compareWithFile(on connection: VaultConnection) throws {
    let schema = Schema(on: connection)
    let columns = try schema.columns(of: description.table)
    // If the table is missing, the statement itself reports it.
    if columns.isEmpty { return }
    let stored = try SystemTables(connection).description(ofTable: description.table)
    if let stored { try description.checkVersion(inFile: stored.version) }
    guard fits(try schema.names(of: description.table)) else { throw changed }
    try TableComparison(description: description, columns: columns, isForWriting: true).check()
    guard let stored else { return }
    let differences = description.properties.compactMap { property -> String? in
      guard let other = stored.properties.first(where: { $0.column == property.column }),
        other.type != property.type
      else { return nil }
      return
        "property '\(property.name)' has type \(other.type.rawValue) in the file, but "
        + "\(property.type.rawValue) in the class"
    }
    if !differences.isEmpty { throw TableComparison.mismatch(description, differences) }
  }
}

extension ClassDescription {
  /// Checks that the file is not newer than the class.
  ///
  /// - Throws: `.newerSchema` if the file was written by a newer version of the class.
  func checkVersion(inFile stored: Int) throws(VaultError) {
    guard stored > version else { return }
    throw VaultError(
      .newerSchema,
      "Class '\(name)' has version \(stored) in the file, but version \(version) in this program, "
        + "which must not write to it. Use the newer program, or open the vault for reading only.")
  }
}
