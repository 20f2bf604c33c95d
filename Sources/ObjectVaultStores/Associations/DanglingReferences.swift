import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

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
    let dialect = state.sql.dialect
    let conditions = try Schema(on: session).uniqueIndexes(of: state.description.table)
      .compactMap { index -> String? in
        let places = index.compactMap(columns.firstIndex(of:))
        guard places.count == index.count else { return nil }
        return try places.map {
          "\(state.sql.qualifiedColumns[$0]) = \(try state.sql.compared($0))"
        }
        .joined(separator: " AND ")
      }
    guard !conditions.isEmpty else { return }
    let isOther = state.objectIDPositions.map {
      dialect.equality(
        SQLOperand(state.sql.qualifiedColumns[$0], nil), SQLOperand(dialect.parameter($0 + 1), nil),
        negated: false)
    }.joined(separator: " AND ")
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
