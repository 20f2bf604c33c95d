import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

extension TableRebuild {
  /// Rebuilds tables.
  ///
  /// All new tables are filled before the first old one is replaced.
  ///
  /// - Parameters:
  ///   - rebuilds: The rebuild plans.
  ///   - descriptions: The classes that the upgrade is for.
  ///   - session: The connection, inside a transaction.
  /// - Throws: `.upgradeRefused` if a constraint, an index or a trigger forbids the change.
  package static func run(
    _ rebuilds: [TableRebuild], for descriptions: [ClassDescription],
    on session: Session
  ) throws {
    func refusing(_ rebuild: TableRebuild, _ body: () throws -> Void) throws {
      do {
        try body()
      } catch let error as DriverError {
        let own = descriptions.first { $0.table == rebuild.name }
        if let refused = try own.flatMap({ try rebuild.violation(of: $0, error, on: session) }) {
          throw refused
        }
        throw (own ?? descriptions[0]).refusal(error, in: rebuild.name) ?? error
      }
    }
    for rebuild in rebuilds { try refusing(rebuild) { try rebuild.copy(on: session) } }
    for rebuild in rebuilds { try rebuild.replace(on: session) }
    for rebuild in rebuilds {
      try refusing(rebuild) { try rebuild.restoreObjects(on: session) }
    }
  }
}

extension TableRebuild {
  /// Returns the error for an object that violates the constraints of its class.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - error: The failure of ``copy(on:)``.
  ///   - session: The connection.
  /// - Returns: The error, or `nil` for another failure, and if the table also has constraints that
  ///   the class does not declare.
  /// - Throws: ``DriverError`` if a query fails.
  private func violation(
    of description: ClassDescription, _ error: DriverError, on session: Session
  ) throws -> VaultError? {
    guard error.code == .constraintCheck else { return nil }
    let properties = description.properties.filter { !$0.checks.isEmpty }
    let all = text.columns.flatMap(\.constraints) + text.constraints
    guard all.count(where: { $0.kind == .check }) == properties.flatMap(\.checks).count else {
      return nil
    }
    let names = properties.map { "'\($0.name)'" }.formattedList
    let rejected = try firstRejected(on: session) ?? "stored objects"
    var refused = description.refusedUpgrade(
      "the constraints of \(properties.count == 1 ? "property" : "properties") \(names) reject "
        + rejected,
      remedy: "Correct the objects, or change the constraints.")
    refused.engineCode = error.resultCode
    refused.underlying = error
    return refused
  }
}

extension PropertyDescription {
  /// The checks of the column, one of which may be that of the length.
  fileprivate var checks: [TableText.Constraint] {
    if definition == ColumnDefinition() { return [] }
    return (definedColumn?.constraints ?? []).filter { $0.kind == .check }
  }
}

extension ClassDescription {
  /// Returns the error for a failure of the engine during a rebuild, or `nil` for other failures.
  func refusal(_ error: DriverError, in table: String) -> VaultError? {
    let problem: String
    switch error.code {
    case .constraintUnique, .constraintPrimaryKey, .constraintNotNull, .constraintCheck,
      .constraint, .mismatch:
      problem = "a constraint of table '\(table)' rejects the changed objects"
    case .constraintForeignKey:
      problem = "in table '\(table)', a reference of an object leads to an object that is missing"
    case .sqlError:
      problem =
        "a constraint, index or trigger of table '\(table)' uses a name that would no longer exist"
    default: return nil
    }
    var refused = refusedUpgrade(
      problem, remedy: "Correct the objects, or change the table with the program that created it.")
    refused.engineCode = error.resultCode
    refused.underlying = error
    return refused
  }
}
