public import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// The type-erased core of `ObjectStore`: a class's table in a vault, or a partition of it.
///
/// Code that is generic over the object type is compiled with the application, where the type is
/// known. All other code is here and compiled once.
@usableFromInline
struct StoreAccess: Sendable {
  @usableFromInline let link: DatabaseLink
  @usableFromInline let table: Table
  /// The partition that the store is limited to; `nil` for all objects of the class.
  private(set) var partition: Partition?
  /// Whether fetched objects are loaded with their owned objects.
  private(set) var loadsOwned = true
  /// Whether the store reads the class's objects without a limit and with their owned objects.
  @usableFromInline private(set) var isWhole = true

  init(database: any Database, table: Table) {
    link = DatabaseLink(database)
    self.table = table
  }

  @usableFromInline var database: any Database { link.database }

  /// Returns this access limited to a partition.
  func limited(to partition: Partition) -> StoreAccess {
    var access = self
    access.partition = partition
    access.isWhole = false
    return access
  }

  /// Returns this access without owned objects.
  func withoutOwned() -> StoreAccess {
    var access = self
    access.loadsOwned = false
    if table.hasOwned { access.isWhole = false }
    return access
  }

  /// Whether fetched objects must be loaded with owned objects.
  @usableFromInline var mustLoadOwned: Bool { loadsOwned && table.hasOwned }

  /// Whether the store is limited to a partition.
  @usableFromInline var isLimited: Bool { partition != nil }

  /// The parameter position of a generated object ID; -1 for classes that bind it to properties.
  @inlinable var generatedPosition: Int { table.generatedPosition }

  /// The parameter position of an object ID with one part; -1 for others.
  @usableFromInline var objectIDPosition: Int { table.objectIDPosition }

  /// The error for an object without an object ID.
  @usableFromInline var noObjectID: VaultError {
    VaultError(
      .noObjectID,
      "The object of class '\(table.description.name)' has no object ID, so it is not stored. "
        + "Insert it first, or use a fetched object.")
  }

  /// The error for an object ID that matches no stored object.
  var noSuchObject: VaultError {
    VaultError(
      .noSuchObject,
      "No object of class '\(table.description.name)' is stored under that object ID. Insert it, "
        + "or use `save`, which inserts or updates.")
  }

  // MARK: Connections

  @inline(__always)
  func read<R>(_ body: (Session) throws -> R) throws -> R {
    let thread = ThreadState.current
    if table.isValid {
      do {
        if let session = link.handle.scopeSession(thread) {
          return try session.borrowed(body)
        }
        if thread.readsOutsideScopes, let result = try link.handle.readAlone(thread, body) {
          return result
        }
      } catch {
        return try explain(error)
      }
    }
    return try readAnywhere(body)
  }

  /// Throws the public form of an error of a fast read, as a regular read does.
  ///
  /// Errors of the application are thrown unchanged.
  private func explain<R>(_ error: any Error) throws -> R {
    guard error is DriverError || error is VaultError else {
      throw (try? database.opened())?.describe(error) ?? error
    }
    return try noticingRemoval { try $0.describingErrors { throw error } }
  }

  private func readAnywhere<R>(_ body: (Session) throws -> R) throws -> R {
    try noticingRemoval { try $0.read(body) }
  }

  /// Calls `body` inside this thread's transaction, or inside one of its own.
  ///
  /// - Parameters:
  ///   - isOneStatement: Whether `body` runs only one statement that writes, and nothing after it
  ///     that belongs to the transaction.
  ///   - body: The writes.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of the transaction.
  func write<R>(isOneStatement: Bool = false, _ body: (Session) throws -> R) throws -> R {
    // Nested statements of this statement are rolled back and counted together with it.
    if table.sharesBlobs { return try transaction(body) }
    if let error = table.searchUnavailable { throw error }
    return try noticingRemoval { opened in
      let isAlone = !opened.sessions.isInTransaction && !opened.options.groupsCommits
      return try opened.write { session in
        guard isAlone, table.isChecked(on: session) else {
          try table.checkSchema(on: session)
          return try body(session)
        }
        if isOneStatement { session.connection.isWholeTransaction = true }
        defer { if isOneStatement { session.connection.isWholeTransaction = false } }
        // An error rolls the write back if the class does not fit.
        let result = Result { try body(session) }
        if !table.isChecked(on: session) {
          try table.checkSchema(on: session)
        } else if case .success = result, !session.connection.noticesSchemaChanges {
          try table.checkSchema(on: session)
        }
        return try result.get()
      }
    }
  }

  func transaction<R>(_ body: (Session) throws -> R) throws -> R {
    if let error = table.searchUnavailable { throw error }
    return try noticingRemoval { opened in
      try opened.transaction { session in
        try table.checkSchema(on: session)
        return try body(session)
      }
    }
  }

  /// Calls `body` with the file, after checking that the file and the table still exist.
  private func noticingRemoval<R>(_ body: (any OpenDatabase) throws -> R) throws -> R {
    let opened = try database.opened()
    try table.checkValid()
    do {
      return try body(opened)
    } catch let error as VaultError where error.code == .engineRefused {
      throw try meaning(of: error, in: opened)
    } catch var error as VaultError where error.isOfConstraint && error.className == nil {
      error.className = table.description.name
      throw error
    }
  }

  /// Returns the cause of a rejected statement.
  ///
  /// Another process may have removed the table, or a changed class may have removed columns from
  /// it. All other rejections return `error`.
  func meaning(of error: VaultError, in opened: any OpenDatabase) throws -> VaultError {
    // A table removed in a transaction can come back, and a read scope sees an earlier state.
    var isCommitted = !opened.sessions.isInScope
    func names(of description: ClassDescription) throws -> Set<String>? {
      try opened.readSchema(after: error) { session in
        if !session.connection.isInTransaction { isCommitted = true }
        return try Schema(on: session).names(of: description.table)
      }
    }
    guard let found = try names(of: table.description) else { return error }
    if found.isEmpty {
      if isCommitted, !opened.sessions.isInTransaction { table.invalidate() }
      return table.removed
    }
    guard table.fits(found) else { return table.changed }
    for other in associatedClasses(in: opened)
    where try names(of: other)?.isSuperset(of: other.rowColumns) == false {
      table.forgetGraph()
      return table.changed(other)
    }
    return error
  }

  /// Returns the classes reachable through the class's associations that this process has cached.
  ///
  /// They come from conditions and from stores, including those of owned objects.
  private func associatedClasses(in opened: any OpenDatabase) -> [ClassDescription] {
    var classes = [table.description]
    var seen: Set<String> = [table.description.table.asciiLowercased]
    var position = 0
    while position < classes.count {
      for name in classes[position].associatedTables
      where seen.insert(name.asciiLowercased).inserted {
        classes += table.keptClass(ofTable: name).map { [$0] } ?? []
        classes += opened.knownClasses(ofTable: name)
      }
      position += 1
    }
    return Array(classes.dropFirst())
  }

  // MARK: Statements

  /// The statements of the store, limited to its objects.
  var sql: TableStatements { partition?.sql ?? table.sql }

  /// Calls `body` with the statement of a slot on this connection, or with that of the partition.
  @inline(__always)
  func with<R>(
    _ slot: Table.Slot, on session: Session, _ body: (Statement) throws -> R
  ) throws -> R {
    if let partition {
      return try session.with(partition.sql.text(of: slot), body)
    }
    return try table.with(slot, on: session, body)
  }
}
