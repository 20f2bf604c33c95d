import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// Queries for owned objects by the owner in one of their references.
struct OwnedLinks<Child: StoredObject> {
  private let store: ObjectStore<Child>
  /// The columns of the reference.
  private let names: [String]
  /// These columns, quoted and qualified with the table, as values that compare by their bytes.
  private let columns: [String]
  /// Whether the reference can be `nil`.
  private let isOptional: Bool
  /// The types of these columns.
  private let types: [String]
  private let order: String
  /// The column of the positions, quoted and qualified with the table; `nil` without an order.
  private let position: String?

  init(_ store: ObjectStore<Child>, _ owned: OwnedDescription) throws {
    self.store = store
    let description = store.classDescription
    guard let reference = description.reference(named: owned.reference) else {
      throw description.invalid(
        "it has no reference '\(owned.reference)' to its owners",
        remedy: "Use one of its references.")
    }
    let sql = store.table.sql
    names = description.columns(of: reference.properties)
    columns = names.map(sql.compared)
    let parts = reference.properties.map { name in
      description.properties.first { $0.name == name }
    }
    isOptional = parts.allSatisfy { $0?.isOptional ?? false }
    types = parts.map { $0?.type.columnType ?? "" }
    position = ListOrder(owned, of: description, ownedBy: reference.target)
      .map { "\(sql.table).\(SQL.quoted($0.column))" }
    let places = position.map { ["\($0) IS NULL", $0] } ?? []
    let sorts = try owned.sortedBy.map {
      try SortKey(store.value(named: $0), ascending: true).sql(of: sql.queried)
    }
    order = (places + sorts + store.table.objectIDPositions.map { sql.comparedColumns[$0] })
      .joined(separator: ", ")
  }

  private func isOwned(from parameter: Int) -> String {
    names.enumerated().map { store.table.sql.isEqual($1, to: "?\($0 + parameter)") }
      .joined(separator: " AND ")
  }

  /// Returns SQL that selects an object by ID and owner.
  ///
  /// The object ID is bound as in the other statements of its class, and the owner's ID after the
  /// class's columns.
  func selectOne(_ columns: String) -> String {
    "SELECT \(columns) FROM \(store.table.sql.table) WHERE \(store.table.sql.hasObjectID) AND "
      + isOwned(from: store.table.sql.quotedColumns.count + 1)
  }

  /// Removes the reference of an object to an owner, if the object still has it.
  ///
  /// - Parameters:
  ///   - id: The object ID.
  ///   - owner: The object ID of the owner.
  ///   - owned: The property that no longer has the object.
  ///   - session: The writer connection, inside a transaction.
  /// - Throws: `.ownership` if the reference is not optional.
  func release(
    _ id: Child.ObjectIDType, from owner: some ObjectIDValue, _ owned: OwnedDescription,
    on session: Session
  ) throws {
    let sql = store.table.sql
    let parameter = sql.quotedColumns.count
    func bind(to statement: Statement) throws {
      let binder = statement.binder
      try store.bind(id, to: binder)
      try owner.bindObjectID(to: binder, at: parameter)
    }
    guard isOptional else {
      let isOwned = try session.with(selectOne("1")) { statement in
        try bind(to: statement)
        return try statement.step()
      }
      guard isOwned else { return }
      throw VaultError(
        .ownership,
        "An object of class '\(store.classDescription.name)' is no longer among the owned objects "
          + "'\(owned.name)', but another property of an owner has it, and its reference "
          + "'\(owned.reference)' cannot be nil. Nothing was stored. Remove the object from both "
          + "properties, or make the reference optional.")
    }
    let assignments = names.map { "\(SQL.quoted($0)) = NULL" }
    let update = sql.dialect.update(sql.table, assignments, isUndone: true)
    try session.with("\(update) WHERE \(sql.hasObjectID) AND \(isOwned(from: parameter + 1))") {
      try bind(to: $0)
      try $0.run()
    }
  }

  /// Returns the IDs of an owner's objects, and their positions in an ordered list.
  ///
  /// The objects are in their order if that is stored.
  func children(
    of owner: some ObjectIDValue, on session: Session
  ) throws -> [(id: Child.ObjectIDType, position: Int64?)] {
    let key = store.table.objectIDPositions.map { store.table.sql.qualifiedColumns[$0] }
    let columns = (key + [position ?? "NULL"]).joined(separator: ", ")
    let sorts = position == nil ? "" : " ORDER BY \(order)"
    return try session.with(
      "SELECT \(columns) FROM \(store.table.sql.table) WHERE \(isOwned(from: 1))\(sorts)"
    ) { statement in
      try owner.bindObjectID(to: statement.binder, at: 0)
      var children: [(Child.ObjectIDType, Int64?)] = []
      while try statement.step() {
        let row = statement.row
        children.append(
          (
            try .readObjectID(from: row, at: 0),
            row.isNull(at: key.count) ? nil : row.integer(at: key.count)
          ))
      }
      return children
    }
  }

  /// Stores the positions of objects in their ordered list; inside a transaction.
  func setPositions(
    _ positions: [(id: Child.ObjectIDType, position: Int64)], on session: Session
  ) throws {
    guard let position, !positions.isEmpty else { return }
    let (sql, parameter) = (store.table.sql, store.table.sql.quotedColumns.count)
    let column = position.dropFirst(sql.table.count + 1)
    let update = sql.dialect.update(
      sql.table, ["\(column) = \(sql.dialect.parameter(parameter + 1))"], isUndone: false)
    try session.with("\(update) WHERE \(sql.hasObjectID)") { statement in
      for (id, position) in positions {
        let binder = statement.binder
        try store.bind(id, to: binder)
        binder.bind(integer: position, at: parameter)
        try statement.run()
      }
    }
  }

  /// Returns the objects of all given owners with one query, and the owner of each.
  ///
  /// The objects of an owner are in their order, and most often next to each other.
  func children<OwnerID: ObjectIDValue>(
    ofAll owners: [OwnerID], on session: Session
  ) throws -> (objects: [Child], owners: [OwnerID]) {
    let references = columns.joined(separator: ", ")
    let sql = store.table.sql
    let select = "SELECT \(sql.columns), \(references) FROM \(sql.table) WHERE "
    if owners.count == 1 {
      return try session.with("\(select)\(isOwned(from: 1)) ORDER BY \(order)") { statement in
        try owners[0].bindObjectID(to: statement.binder, at: 0)
        return try read(statement, of: owners.count, noting: session.reads)
      }
    }
    let catalog = session.connection.catalog
    guard catalog.fillsTemporaryTablesWhileReading else {
      if let some: (objects: [Child], owners: [OwnerID]) = try children(
        ofIntegers: owners, select, on: session)
      {
        return some
      }
      var all: (objects: [Child], owners: [OwnerID]) = ([], [])
      for start in stride(from: 0, to: owners.count, by: Self.ownersAtOnce) {
        let end = min(start + Self.ownersAtOnce, owners.count)
        let some = try children(ofListed: owners[start..<end], select, on: session)
        all.objects += some.objects
        all.owners += some.owners
      }
      return all
    }
    let parts = columns.indices.map { "k\($0)" }.joined(separator: ", ")
    let list = catalog.temporary(TemporaryTables.owners(types, catalog))
    let reference = columns.count == 1 ? references : "(\(references))"
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
      "\(select)\(reference) IN (SELECT \(parts) FROM \(list)) ORDER BY \(references), \(order)"
    ) { try read($0, of: owners.count, noting: session.reads) }
  }

  /// Reads the rows of a statement that returns the owner's object ID after the object's columns.
  private func read<OwnerID: ObjectIDValue>(
    _ statement: Statement, of ownerCount: Int, noting reads: ObservedReads?
  ) throws -> (objects: [Child], owners: [OwnerID]) {
    var objects: [Child] = []
    var owners: [OwnerID] = []
    objects.reserveCapacity(ownerCount)
    owners.reserveCapacity(ownerCount)
    let width = store.table.sql.readColumns.count
    guard try statement.step() else { return ([], []) }
    let row = statement.row(layout: store.table.layout)
    repeat {
      reads?.note(row)
      objects.append(try store.object(row))
      owners.append(try OwnerID.readObjectID(from: row, at: width))
    } while try statement.step()
    return (objects, owners)
  }

  /// Returns the objects of owners whose IDs are integers, with one query; `nil` for other owners,
  /// and for an engine without lists of integers.
  private func children<OwnerID: ObjectIDValue>(
    ofIntegers owners: [OwnerID], _ select: String, on session: Session
  ) throws -> (objects: [Child], owners: [OwnerID])? {
    guard columns.count == 1,
      let isOwned = store.table.sql.dialect.membership(columns[0], inIntegersOf: 1)
    else { return nil }
    var numbers: [String] = []
    for owner in owners {
      let values = try BoundValue.values(1) { try owner.bindObjectID(to: $0, at: 0) }
      guard case .integer(let number) = values[0] else { return nil }
      numbers.append(String(number))
    }
    return try session.with(
      "\(select)\(isOwned) ORDER BY \(columns[0]), \(order)"
    ) { statement in
      statement.binder.bind(text: "{\(numbers.joined(separator: ","))}", at: 0)
      return try read(statement, of: owners.count, noting: session.reads)
    }
  }

  private static var ownersAtOnce: Int { 1024 }

  /// Returns the objects of owners that are parameters of the query.
  private func children<OwnerID: ObjectIDValue>(
    ofListed owners: ArraySlice<OwnerID>, _ select: String, on session: Session
  ) throws -> (objects: [Child], owners: [OwnerID]) {
    guard let last = owners.last else { return ([], []) }
    // The number of parameters is a power of 2, so that there are few statements.
    var count = 1
    while count < owners.count { count *= 2 }
    let rows = (0..<count).map { row in
      let parts = columns.indices.map { "?\(row * columns.count + $0 + 1)" }
      return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: ", ")))"
    }
    let references = columns.joined(separator: ", ")
    let reference = columns.count == 1 ? references : "(\(references))"
    return try session.with(
      "\(select)\(reference) IN (\(rows.joined(separator: ", "))) ORDER BY \(references), \(order)"
    ) { statement in
      let binder = statement.binder
      for row in 0..<count {
        let owner = row < owners.count ? owners[owners.startIndex + row] : last
        try owner.bindObjectID(to: binder, at: row * columns.count)
      }
      return try read(statement, of: owners.count, noting: session.reads)
    }
  }
}
