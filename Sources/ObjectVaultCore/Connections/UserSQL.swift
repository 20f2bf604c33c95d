import ObjectVaultCondition
import ObjectVaultEngine

/// What statements of an application's own may be, wherever it may give some.
enum UserSQL {
  private static let refused: Set<String> = [
    "begin", "commit", "end", "rollback", "savepoint", "release", "pragma", "attach", "detach",
    "vacuum",
  ]

  /// - Throws: `.invalidArgument` for what would end the transaction or change a setting.
  static func check(_ sql: String, in place: String) throws(VaultError) {
    guard let word = SQLToken.tokens(of: sql).first?.keyword, refused.contains(word) else { return }
    throw VaultError(
      .invalidArgument,
      "\(word.uppercased()) is not for \(place): the vault itself sees to transactions and settings. "
        + "Leave it out.")
  }

  /// - Throws: `.invalidArgument` for another number of values than the statement has.
  static func bind(
    _ arguments: [any StorableValue], to statement: Statement, of place: String
  ) throws {
    guard statement.parameterCount == arguments.count else {
      throw VaultError(
        .invalidArgument,
        "A statement of \(place) has \(statement.parameterCount) parameters and was given "
          + "\(arguments.count) values. Give one for each.")
    }
    let binder = statement.binder
    for (position, argument) in arguments.enumerated() {
      try argument.storedValue.bind(to: binder, at: position)
    }
  }
}
