import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// Queries for owned objects by the owner in one of their references.
struct OwnedLinks<Child: StoredObject> {
  private let store: ObjectStore<Child>
  /// The columns of the reference, quoted and qualified with the table.
  private let columns: [String]
  /// The types of these columns.
  private let types: [String]
  private let order: String

  init(_ store: ObjectStore<Child>, _ owned: OwnedDescription) throws {
    self.store = store
    let description = store.classDescription
    guard let reference = description.reference(named: owned.reference) else {
      throw description.invalid(
        "it has no reference '\(owned.reference)' to its owners",
        remedy: "Use one of its references.")
    }
    let sql = store.state.sql
    columns = description.columns(of: reference.properties).map {
      "\(sql.table).\(SQL.quoted($0))"
    }
    types = reference.properties.map { name in
      description.properties.first { $0.name == name }?.type.columnType ?? ""
    }
    let sorts = try owned.sortedBy.map {
      try SortKey(store.value(named: $0), ascending: true).sql(of: sql.queried)
    }
    order = (sorts + store.state.objectIDPositions.map { sql.qualifiedColumns[$0] })
      .joined(separator: ", ")
  }

  private func isOwned(from parameter: Int) -> String {
    columns.enumerated().map { "\($1) = ?\($0 + parameter)" }.joined(separator: " AND ")
  }

  /// Returns SQL that selects an object by ID and owner.
  ///
  /// The object ID is bound as in the other statements of its class, and the owner's ID after the
  /// class's columns.
  func selectOne(_ columns: String) -> String {
    "SELECT \(columns) FROM \(store.state.sql.table) WHERE \(store.state.sql.hasObjectID) AND "
      + isOwned(from: store.state.sql.quotedColumns.count + 1)
  }

  /// Returns the IDs of an owner's objects.
  func children(
    of owner: some ObjectIDValue, on session: Session
  ) throws -> [Child.ObjectIDType] {
    let key = store.state.objectIDPositions.map { store.state.sql.qualifiedColumns[$0] }
      .joined(separator: ", ")
    return try session.with(
      "SELECT \(key) FROM \(store.state.sql.table) WHERE \(isOwned(from: 1))"
    ) { statement in
      try owner.bindObjectID(to: statement.binder, at: 0)
      var ids: [Child.ObjectIDType] = []
      while try statement.step() { ids.append(try .readObjectID(from: statement.row, at: 0)) }
      return ids
    }
  }

  /// Returns the objects of all given owners with one query, sorted within each owner.
  func children(
    ofAll owners: [some ObjectIDValue], on session: Session
  ) throws -> [Child] {
    let select = "SELECT \(store.state.sql.columns) FROM \(store.state.sql.table) WHERE "
    if owners.count == 1 {
      return try session.with("\(select)\(isOwned(from: 1)) ORDER BY \(order)") { statement in
        try owners[0].bindObjectID(to: statement.binder, at: 0)
        return try store.objects(statement, noting: session.reads)
      }
    }
    let parts = columns.indices.map { "k\($0)" }.joined(separator: ", ")
    let catalog = session.connection.catalog
    let list = catalog.temporary(TemporaryTables.owners(types, catalog))
    let reference =
      columns.count == 1 ? columns[0] : "(\(columns.joined(separator: ", ")))"
    try session.changingTemporaryTables {
      // The table exists until the connection closes: recreating it would recompile every
      // statement.
      try session.execute(TemporaryTables.makeOwners(types, catalog))
      try session.execute("DELETE FROM \(list)")
      try session.with(
        "INSERT INTO \(list) VALUES (\(SQL.parameters(columns.indices)))"
      ) { statement in
        for owner in owners {
          try owner.bindObjectID(to: statement.binder, at: 0)
          try statement.run()
        }
      }
    }
    defer {
      try? session.changingTemporaryTables { try session.execute("DELETE FROM \(list)") }
    }
    return try session.with(
      "\(select)\(reference) IN (SELECT \(parts) FROM \(list)) ORDER BY \(order)"
    ) { try store.objects($0, noting: session.reads) }
  }
}
