import Foundation
import ObjectVaultDriver
public import ObjectVaultMaintenance
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

extension SharedVault {
  /// Upgrades a copy of the database to the given classes and returns the result.
  ///
  /// The classes of the database are not changed. The copy is in a schema of its own, whose name
  /// is that of the configuration with `_rehearsal_` and a random number. It needs as much room as
  /// the original, and is dropped afterwards. A process that ends meanwhile leaves it. Tables that
  /// no class describes are not copied.
  ///
  /// ```swift
  /// let rehearsal = try vault.rehearseMigration(of: [Student.self])
  /// if let refusal = rehearsal.refusal { print(refusal) }
  /// ```
  ///
  /// - Parameter classes: The classes whose stores the program will open.
  /// - Returns: The result, also if the library refuses the upgrade: see
  ///   ``MigrationRehearsal/refusal``.
  /// - Throws: ``VaultError``: `.invalidArgument` inside a transaction or read scope;
  ///   `.invalidClass` if the table of a class belongs to another program and was never used for
  ///   the class; the errors of `ObjectTransfer.run(progress:)`; any error that a migration of the
  ///   application throws.
  @available(*, noasync, message: "It blocks its thread. Run it on a thread of its own.")
  public func rehearseMigration(
    of classes: [any StoredObject.Type]
  ) throws -> MigrationRehearsal {
    try rehearse(classes.map { ClassDeclaration($0) })
  }

  /// Upgrades a copy of the database to classes described at run time and returns the result.
  ///
  /// - Parameter descriptions: The classes whose stores the program will open.
  /// - Returns: The result, also if the library refuses the upgrade.
  /// - Throws: The errors of `rehearseMigration(of:)` for types.
  @available(*, noasync, message: "It blocks its thread. Run it on a thread of its own.")
  public func rehearseMigration(of descriptions: [ClassDescription]) throws -> MigrationRehearsal {
    try rehearse(descriptions.map { ClassDeclaration($0) })
  }

  private func rehearse(_ declarations: [ClassDeclaration]) throws -> MigrationRehearsal {
    if try opened().sessions.isInScope {
      throw VaultError(
        .invalidArgument,
        "A migration cannot be rehearsed inside one of the vault's own transactions or read scopes. "
          + "End them first.")
    }
    for declaration in declarations { try declaration.validate() }
    try checkDescribed(declarations + declarations.flatMap(\.referenced))
    let schema = rehearsalSchema()
    let copy = handle(onSchema: schema)
    defer {
      copy.close()
      try? opened().transaction { session in
        try session.execute("DROP SCHEMA IF EXISTS \(SQL.quoted(schema)) CASCADE")
      }
    }
    try ObjectTransfer(from: self, to: copy, leavingOtherTables: true).run()
    let (schemaBefore, before) = try (copy.schemaStatements(), copy.rehearsedContents())
    let start = ContinuousClock.now
    let refusal = try MigrationRehearsal.refusal { try copy.rehearseInstallation(of: declarations) }
    let duration = ContinuousClock.now - start
    return try MigrationRehearsal(
      schemaBefore: schemaBefore, schemaAfter: copy.schemaStatements(), before: before,
      after: copy.rehearsedContents(), refusal: refusal, duration: duration)
  }

  /// Throws if the table of a class is there, and the copy lacks it because no class describes it.
  private func checkDescribed(_ declarations: [ClassDeclaration]) throws {
    let described = Set(try knownClasses().described.map(\.table))
    let other = try opened().read { session in
      try declarations.map(\.description).first { description in
        try !described.contains(description.table)
          && Schema(on: session).hasTable(description.table)
      }
    }
    guard let other else { return }
    throw VaultError(
      .invalidClass,
      "Class '\(other.name)' cannot be rehearsed, because another program created its table "
        + "'\(other.table)', and the copy has only tables of classes. Open the store of the class first: "
        + "tables of other programs are not changed.")
  }

  /// Returns a name of a schema that no other rehearsal has.
  private func rehearsalSchema() -> String {
    PostgreSQLCatalog().named(
      configuration.schema, "_rehearsal_" + String(UInt64.random(in: .min ... .max), radix: 36))
  }

  private func schemaStatements() throws -> [String] {
    try opened().read { try Schema(on: $0).describingStatements() }
  }
}
