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
        let own = descriptions.first { $0.table == rebuild.name } ?? descriptions[0]
        throw own.refusal(error, in: rebuild.name) ?? error
      }
    }
    for rebuild in rebuilds { try refusing(rebuild) { try rebuild.copy(on: session) } }
    for rebuild in rebuilds { try rebuild.replace(on: session) }
    for rebuild in rebuilds {
      try refusing(rebuild) { try rebuild.restoreObjects(on: session) }
    }
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
