import ObjectVaultDriver
import ObjectVaultKeys
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
public import ObjectVaultStores

/// A copy of all objects of one database into another, for example from a vault to a server.
///
/// Objects keep their object IDs, their order, the times of their insertion and the values of
/// removed properties, and a number that was generated for an object is generated for no other one.
/// Sealed values are copied as they are stored, so the sealing keys are not needed. The source is
/// read in one snapshot and is not changed.
///
/// The target may have other classes. If a transfer was interrupted, run it again: objects of the
/// source that the target already has are compared with it, and the transfer continues after them.
///
/// ```swift
/// let report = try ObjectTransfer(from: vault, to: shared).run()
/// for result in report.classes { print(result.name, result.count) }
/// ```
public struct ObjectTransfer {
  /// The state of a transfer.
  public struct Progress: Sendable, Hashable {
    /// The name of the class.
    public let className: String
    /// The number of its objects that the target has.
    public let done: Int64
    /// The number of its objects in the source.
    public let total: Int64
  }

  /// The result of a transfer.
  public struct Report: Sendable, Hashable {
    /// The result for one class.
    public struct ClassResult: Sendable, Hashable {
      /// The name of the class.
      public let name: String
      /// The number of its objects, which the target has now.
      public let count: Int64
      /// The number of objects that the target already had.
      public let present: Int64
    }

    /// The classes in the order of their transfer.
    public let classes: [ClassResult]
  }

  private let source: any Database
  private let target: any Database
  /// Whether tables that no class describes are left out.
  private let leavesOtherTables: Bool

  /// Creates a transfer; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - source: The database to read.
  ///   - target: The database to write.
  public init(from source: any Database, to target: any Database) {
    self.init(from: source, to: target, leavingOtherTables: false)
  }

  /// Creates a transfer that can leave out tables that no class describes.
  package init(
    from source: any Database, to target: any Database, leavingOtherTables: Bool
  ) {
    self.source = source
    self.target = target
    leavesOtherTables = leavingOtherTables
  }

  /// Transfers the objects.
  ///
  /// Objects are stored in transactions of up to 1,000 or about 4 MiB, those of classes that refer to
  /// each other or to themselves in one. At the end of each class, digests of its objects in both
  /// databases are compared.
  ///
  /// - Parameter progress: Receives the state after each transaction. An error that it throws ends
  ///   the transfer.
  /// - Returns: The result.
  /// - Throws: ``VaultError``: `.invalidClass` if the target cannot store a class or stores it
  ///   in another form, has another version of the ``VaultSchema``, or the source has tables or
  ///   columns that no class describes; `.invalidArgument` if the target has other objects of a
  ///   class; `.conflict` if another program stored or changed objects of a class meanwhile;
  ///   `.wrongKey` if the target has other sealing keys or erasable keys; `.damaged` if a recorded
  ///   schema version is no possible one, or a text is not UTF-8; the errors of reading and writing,
  ///   and those of `progress`. The target keeps the objects that were stored before.
  @available(*, noasync, message: "It blocks its thread. Run it on a thread of its own.")
  @discardableResult
  public func run(progress: (Progress) throws -> Void = { _ in }) throws -> Report {
    let (read, written) = (try source.opened(), try target.opened())
    guard read !== written else {
      throw VaultError(.invalidArgument, "The source and the target are the same database.")
    }
    return try read.describingErrors {
      try read.readScope {
        try read.read { session in
          if let sql = session.connection.catalog.requireAllRows { try session.execute(sql) }
        }
        let classes = try describedClasses()
        let (facts, left) = try read.read { session in
          (
            try TransferredFacts(of: read, on: session),
            try classes.map { try LeftColumns(of: $0, on: session) }
          )
        }
        try prepare(written, for: classes, left, facts)
        var results: [Report.ClassResult] = []
        for group in TransferOrder(classes).groups {
          results += try GroupTransfer(group, from: read, to: written).run(progress)
        }
        return Report(classes: results)
      }
    }
  }

  private func describedClasses() throws -> [ClassDescription] {
    let (described, foreign) = try source.knownClasses()
    if leavesOtherTables { return described }
    if let table = try (foreign.map(\.table) + source.otherTables().map(\.name)).first {
      throw VaultError(
        .invalidClass,
        "No class describes table '\(table)' of '\(source.handle.location)', so it cannot be "
          + "transferred. Remove the table, or transfer a copy without it.")
    }
    return described
  }

  /// Checks that the target stores none of the classes in another form, which it would lose.
  private func checkPresent(
    _ classes: [ClassDescription], in written: any OpenDatabase
  ) throws {
    try written.read { session in
      for one in classes {
        guard let table = try otherTable(than: one, on: session) else { continue }
        throw VaultError(
          .invalidClass,
          "'\(target.handle.location)' has another table '\(table)' than class '\(one.name)' of "
            + "'\(source.handle.location)'. Transfer to a new database, or first use both with the same "
            + "version of the program.")
      }
    }
  }

  /// Returns a table of the target that the installation of a class would change, or that has its
  /// name; `nil` if there is none.
  private func otherTable(
    than description: ClassDescription, on session: Session
  ) throws -> String? {
    let (schema, system) = (Schema(on: session), SystemTables(session))
    if let table = try schema.tableName(like: description.table) {
      let isSame =
        try table == description.table && system.description(ofTable: table) == description
      return isSame ? nil : table
    }
    // The class would rename the table of a former name.
    return try description.renamedFrom.first { former in
      try schema.hasTable(former) && system.description(ofTable: former) != nil
    }
  }

  /// Creates the tables of the classes in the target, and records the keys and the schema version.
  private func prepare(
    _ written: any OpenDatabase, for classes: [ClassDescription], _ left: [LeftColumns],
    _ facts: TransferredFacts
  ) throws {
    try checkPresent(classes, in: written)
    try written.read { try facts.check(TransferredFacts(of: written, on: $0)) }
    let declarations = classes.map { ClassDeclaration($0, with: classes) }
    try ClassDeclaration.validate(declarations)
    try SchemaInstallation(database: target, opened: written, declarations: declarations).install()
    try written.describingErrors { try written.add(left) }
    // Without classes, nothing is transferred.
    if classes.isEmpty { return }
    try written.describingErrors {
      try written.transaction { session in
        // Another program may have stored its first object meanwhile.
        let present = try TransferredFacts(of: written, on: session)
        try facts.check(present)
        try facts.record(in: present, on: session)
      }
    }
  }
}
