/// What version the objects of a whole vault have in this program, and how it becomes that from older
/// ones. It is looked at when the vault is opened for writing.
///
/// Most changes need none of this: each class is brought to its form when its store is asked for.
///
/// ```swift
/// configuration.schema = VaultSchema(version: 3, classes: [Student.self, Classroom.self])
///   .creating { context in try insertDefaults(in: context.vault) }
///   .step(from: 2) { context in try context.execute("UPDATE \"Student\" SET \"age\" = \"years\"") }
/// ```
public struct VaultSchema: Sendable {
  /// The version, from 1.
  public let version: Int
  /// Whether `user_version`, which is the application's, has the version too. A vault that has no
  /// version yet takes it from there then.
  public let mirrorsUserVersion: Bool
  let classes: [ClassDeclaration]
  private(set) var steps: [Int: @Sendable (MigrationContext) throws -> Void] = [:]
  private(set) var creation: (@Sendable (MigrationContext) throws -> Void)?

  /// Describes a schema.
  ///
  /// - Parameters:
  ///   - version: The version, from 1. A vault whose version is greater is read, but not written to.
  ///   - classes: The classes whose tables are made, or brought to the classes' form, in the same
  ///     transaction, after the steps. Those of others wait for their stores.
  ///   - mirrorsUserVersion: Whether `user_version` has the version too.
  public init(
    version: Int, classes: [any StoredObject.Type] = [], mirrorsUserVersion: Bool = false
  ) {
    self.version = version
    self.mirrorsUserVersion = mirrorsUserVersion
    self.classes = classes.map { ClassDeclaration($0) }
  }

  /// The schema with something to be done once in a new vault, after its tables were made.
  public func creating(
    _ body: @escaping @Sendable (MigrationContext) throws -> Void
  ) -> VaultSchema {
    var schema = self
    schema.creation = body
    return schema
  }

  /// The schema with a step that makes the next version of a vault of this one. A version without a
  /// step needs none.
  ///
  /// Foreign keys are off during the steps; at the end none may lead nowhere.
  public func step(
    from version: Int, _ body: @escaping @Sendable (MigrationContext) throws -> Void
  ) -> VaultSchema {
    var schema = self
    schema.steps[version] = body
    return schema
  }

  /// - Throws: `.invalidArgument` for a version below 1, and for steps that lead nowhere.
  func validate() throws(VaultError) {
    guard version >= 1 else {
      throw VaultError(
        .invalidArgument, "The schema's version is \(version). Count versions from 1.")
    }
    if let step = steps.keys.sorted().first(where: { !(1..<version).contains($0) }) {
      throw VaultError(
        .invalidArgument,
        "The schema has version \(version) and a step from version \(step). Steps begin at 1 and end "
          + "before the version.")
    }
  }
}
