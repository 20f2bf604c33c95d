import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultModel
import ObjectVaultSession

extension Session {
  /// Allows dangling references while `body` runs, and checks at the end that there are none.
  func deferringReferences<R>(_ isDeferring: Bool, _ body: () throws -> R) throws -> R {
    guard isDeferring, !defersReferences else { return try body() }
    references.areDeferred = true
    let result: R
    do {
      defer { references.areDeferred = false }
      result = try body()
    }
    try checkReferences()
    return result
  }

  /// Checks at the end of an operation, inside a transaction, that no reference is dangling.
  ///
  /// - Throws: `.danglingReference`; the operation must then be rolled back.
  func checkReferences() throws {
    guard !defersReferences, engine.deferredForeignKeyViolations != 0 else { return }
    throw VaultError.dangling(try firstDangling())
  }

  /// Returns the foreign key of the first row with a dangling reference.
  private func firstDangling() throws -> ForeignKey? {
    let found: (table: String, target: String)? = try with("PRAGMA foreign_key_check") {
      try $0.step() ? ($0.row.text(at: 0) ?? "", $0.row.text(at: 2) ?? "") : nil
    }
    guard let found else { return nil }
    return try referenceGraph().outgoing[found.table]?.first {
      $0.target.asciiLowercased == found.target.asciiLowercased
    }
  }
}

extension StoreAccess {
  /// Returns the error for an object with a dangling reference, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - positions: The positions of the properties to check, or `nil` for all of them.
  ///   - session: The connection to use.
  ///   - bind: A function that binds the values of the object.
  /// - Returns: The error for the first dangling reference.
  /// - Throws: The errors of `bind` and of the check itself.
  func dangling(
    only positions: [Int]? = nil, on session: Session, _ bind: (Binder) throws -> Void
  ) throws -> VaultError? {
    guard !state.foreignKeys.isEmpty else { return nil }
    let columns = state.description.rowColumns
    return try session.with(state.sql.references) { statement in
      try bind(statement.binder)
      guard try statement.step() else { return nil }
      for (place, key) in state.foreignKeys.enumerated() {
        if let positions,
          !key.columns.contains(where: { column in
            positions.contains { columns[$0] == column }
          })
        {
          continue
        }
        if statement.row.integer(at: place) == 0 { return VaultError.dangling(key) }
      }
      return nil
    }
  }
}

extension ObjectStore {
  /// Returns the error for a dangling reference of an object, to replace an error already caught.
  func dangling(of object: T, on session: Session) -> VaultError? {
    try? access.dangling(on: session) { try object.encode(into: $0) }
  }

  /// Removes other objects that conflict with a unique property of an object; inside a transaction.
  func clearWay(of object: T, on session: Session) throws {
    let columns = state.description.rowColumns
    let conditions = try Schema(on: session).uniqueIndexes(of: state.description.table)
      .compactMap { index -> String? in
        let places = index.compactMap(columns.firstIndex(of:))
        guard places.count == index.count else { return nil }
        return places.map { "\(state.sql.qualifiedColumns[$0]) = \(state.sql.compared($0))" }
          .joined(separator: " AND ")
      }
    guard !conditions.isEmpty else { return }
    let isOther = state.objectIDPositions.map { "\(state.sql.qualifiedColumns[$0]) IS ?\($0 + 1)" }
      .joined(separator: " AND ")
    let scope = try session.referenceGraph().scope(
      of: state.description.table, on: session)
    try Removal.with(scope, on: session) { removal in
      let count = try removal.add(
        "SELECT \(removal.seedColumns) FROM \(state.sql.table) "
          + "WHERE (\(conditions.joined(separator: " OR "))) AND NOT (\(isOther))"
          + (partition?.clause(from: columns.count + 1) ?? "")
      ) { statement in
        let binder = statement.binder
        try object.encode(into: binder)
        if case .generated = state.description.objectID, let id = object.storedObjectID {
          try id.bindObjectID(to: binder, at: state.description.properties.count)
        }
        partition?.bind(to: binder)
      }
      guard count > 0 else { return }
      _ = try removal.run()
    }
  }
}

extension Schema {
  /// Returns the columns of each unique index, except for the primary key and partial indexes.
  func uniqueIndexes(of table: String) throws -> [[String]] {
    let names = try session.with("PRAGMA index_list(\(SQL.quoted(table)))") { statement in
      var names: [String] = []
      while try statement.step() {
        let row = statement.row
        guard row.integer(at: 2) != 0, row.text(at: 3) != "pk", row.integer(at: 4) == 0 else {
          continue
        }
        names.append(row.text(at: 1) ?? "")
      }
      return names
    }
    return try names.map { name in
      try session.with("PRAGMA index_info(\(SQL.quoted(name)))") { statement in
        var columns: [String] = []
        while try statement.step() { columns.append(statement.row.text(at: 2) ?? "") }
        return columns
      }
    }
  }
}

extension VaultError {
  /// Returns the error for a dangling reference.
  static func dangling(_ key: ForeignKey?) -> VaultError {
    guard let key else {
      return VaultError(
        .danglingReference,
        "An object refers to an object that is not stored. Store that object first, or make both "
          + "changes in `transaction(deferringReferences: true)`.")
    }
    var error = VaultError(
      .danglingReference,
      "An object of class '\(key.className)' refers by '\(key.name)' to an object of table "
        + "'\(key.target)' that is not stored. Store that object first, or make both changes in "
        + "`transaction(deferringReferences: true)`.")
    error.className = key.className
    error.propertyNames = [key.name]
    return error
  }
}
