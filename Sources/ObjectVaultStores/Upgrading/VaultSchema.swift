package import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema

/// The schema version of a whole vault, and the steps that upgrade older vaults to it.
///
/// The schema is applied when the vault is opened for writing. Most changes need no vault schema:
/// the table of each class is upgraded when the store of the class is opened.
///
/// ```swift
/// configuration.schema = VaultSchema(version: 3, classes: [Student.self, Classroom.self])
///   .creating { context in try insertDefaults(in: context.database) }
///   .step(from: 2) { context in
///     try context.execute("UPDATE \"Student\" SET \"age\" = \"years\"")
///   }
/// ```
public struct VaultSchema: Sendable {
  /// The version, from 1.
  public let version: Int
  /// Whether `user_version`, which belongs to the application, holds the version too.
  ///
  /// If so, a vault that records no version yet takes it from `user_version`.
  public let mirrorsUserVersion: Bool
  let classes: [ClassDeclaration]
  private(set) var steps: [Int: @Sendable (MigrationContext) throws -> Void] = [:]
  private(set) var creation: (@Sendable (MigrationContext) throws -> Void)?
  /// The closure that was given twice, for the error.
  private var repeated: String?

  /// Creates a schema.
  ///
  /// - Parameters:
  ///   - version: The version, from 1. A vault with a greater version can be read, but not written.
  ///   - classes: The classes whose tables are created or upgraded in the same transaction, after
  ///     the steps. Tables of other classes are upgraded when their stores are opened.
  ///   - mirrorsUserVersion: Whether `user_version` holds the version too.
  public init(
    version: Int, classes: [any StoredObject.Type] = [], mirrorsUserVersion: Bool = false
  ) {
    self.version = version
    self.mirrorsUserVersion = mirrorsUserVersion
    self.classes = classes.map { ClassDeclaration($0) }
  }

  /// Returns a schema that also calls `body` once in a new vault, after its tables were created.
  ///
  /// - Parameter body: Receives the context of the upgrade.
  /// - Returns: The new schema.
  public func creating(
    _ body: @escaping @Sendable (MigrationContext) throws -> Void
  ) -> VaultSchema {
    var schema = self
    if creation != nil { schema.repeated = "two closures for a new vault" }
    schema.creation = body
    return schema
  }

  /// Returns a schema with an additional step that upgrades a vault from one version to the next.
  ///
  /// A version that needs no change needs no step. Foreign keys are off during the steps; after the
  /// last step, every foreign key must refer to an existing object.
  ///
  /// - Parameters:
  ///   - version: The version of the vault before the step.
  ///   - body: Receives the context of the upgrade.
  /// - Returns: The new schema.
  public func step(
    from version: Int, _ body: @escaping @Sendable (MigrationContext) throws -> Void
  ) -> VaultSchema {
    var schema = self
    if schema.steps.updateValue(body, forKey: version) != nil {
      schema.repeated = "two steps from version \(version)"
    }
    return schema
  }

  /// Checks the version and the steps.
  ///
  /// - Throws: `.invalidArgument` for a version below 1, for steps from versions outside
  ///   `1..<version`, and for two steps from one version.
  package func validate() throws(VaultError) {
    guard version >= 1 else {
      throw VaultError(
        .invalidArgument,
        "The schema's version is \(version), but versions begin at 1. Use 1 or more.")
    }
    if let repeated {
      throw VaultError(
        .invalidArgument,
        "The schema has \(repeated), of which only the last would run. Join them, or give each step a "
          + "version of its own.")
    }
    if let step = steps.keys.sorted().first(where: { !(1..<version).contains($0) }) {
      throw VaultError(
        .invalidArgument,
        "The schema has version \(version), but a step from version \(step). Steps begin at "
          + "version 1 and end before the schema's version.")
    }
  }
}
