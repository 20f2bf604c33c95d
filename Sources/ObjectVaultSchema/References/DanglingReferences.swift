package import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension Session {
  /// Allows dangling references while `body` runs, and checks at the end that there are none.
  package func deferringReferences<R>(_ isDeferring: Bool, _ body: () throws -> R) throws -> R {
    guard isDeferring, !defersReferences else { return try body() }
    let result = try storingAhead(true) {
      references.areDeferred = true
      defer { references.areDeferred = false }
      return try body()
    }
    try checkReferences()
    return result
  }

  /// Calls `body`, inside a transaction, which may store objects before those that they refer to.
  ///
  /// The engine of a file allows this in every transaction. Other engines check the references at
  /// the end.
  ///
  /// - Parameters:
  ///   - isNeeded: Whether an object can refer to one that `body` stores later.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or that of a dangling reference. The operation must then be
  ///   rolled back.
  package func storingAhead<R>(_ isNeeded: Bool, _ body: () throws -> R) throws -> R {
    let catalog = connection.catalog
    guard isNeeded, !defersReferences, let enforce = catalog.enforceReferences else {
      return try body()
    }
    try execute(catalog.deferReferences)
    let result = try body()
    try execute(enforce)
    return result
  }

  /// Checks at the end of an operation, inside a transaction, that no reference is dangling.
  ///
  /// - Throws: `.danglingReference`; the operation must then be rolled back.
  package func checkReferences() throws {
    guard !defersReferences, connection.deferredForeignKeyViolations != 0 else { return }
    let found: (table: String, target: String)? = try with("PRAGMA foreign_key_check") {
      try $0.step() ? ($0.row.text(at: 0) ?? "", $0.row.text(at: 2) ?? "") : nil
    }
    // The engine also reports a reference that was deferred in one way and removed in another.
    guard let found else { return }
    throw VaultError.dangling(
      try referenceGraph().outgoing[found.table]?.first {
        $0.target.asciiLowercased == found.target.asciiLowercased
      })
  }
}

extension VaultError {
  /// Returns the error for a dangling reference.
  package static func dangling(_ key: ForeignKey?) -> VaultError {
    guard let key else {
      return VaultError(
        .danglingReference,
        "An object refers to an object that is not stored. Store that object first, or make both "
          + "changes in `transaction(deferringReferences: true)`.")
    }
    return dangling(key.name, ofClass: key.className, toTable: key.target)
  }

  /// Returns the error for a dangling reference of a class to a table.
  package static func dangling(
    _ reference: String, ofClass className: String, toTable target: String
  ) -> VaultError {
    var error = VaultError(
      .danglingReference,
      "An object of class '\(className)' refers by '\(reference)' to an object of table "
        + "'\(target)' that is not stored. Store that object first, or make both changes in "
        + "`transaction(deferringReferences: true)`.")
    error.className = className
    error.propertyNames = [reference]
    return error
  }
}
