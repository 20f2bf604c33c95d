import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension Database {
  /// Returns the store of a class.
  ///
  /// Creates missing tables and indexes of the class, and of every class reachable through its
  /// references and owned properties.
  ///
  /// - Parameter type: The class.
  /// - Returns: The store.
  /// - Throws: ``VaultError``: `.invalidClass` if a class cannot be stored, `.schemaMismatch` if
  ///   the file's table cannot store its objects, `.upgradeInTransaction` if a table must be created
  ///   or changed inside a read scope, or rebuilt inside a transaction, and the errors of opening
  ///   the file.
  @available(*, noasync, message: "Call it with 'await'.")
  public func store<T: StoredObject>(of type: T.Type) throws -> ObjectStore<T> {
    ObjectStore(database: self, table: try table(of: ClassDeclaration(T.self)))
  }

  /// Returns the store of a class without blocking the caller's thread.
  ///
  /// - Parameter type: The class.
  /// - Returns: The store.
  /// - Throws: ``VaultError`` as ``store(of:)-(T.Type)``.
  public func store<T: StoredObject>(of type: T.Type) async throws -> ObjectStore<T> {
    ObjectStore(database: self, table: try await cachedTable(of: ClassDeclaration(T.self)))
  }

  /// Returns the store of a class described at run time; creates a missing table and its indexes.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - companions: Other classes whose tables are created or upgraded together with its own: those
  ///     that it refers to and the file does not have yet, and those that change at the same time.
  /// - Returns: The store.
  /// - Throws: ``VaultError`` as ``store(of:)-(T.Type)``; also `.invalidClass` if the file's table
  ///   belongs to a class of another name.
  @available(*, noasync, message: "Call it with 'await'.")
  public func store(
    of description: ClassDescription, with companions: [ClassDescription] = []
  ) throws -> ObjectStore<DynamicObject> {
    ObjectStore(
      database: self, table: try table(of: ClassDeclaration(description, with: companions)))
  }

  /// Returns the store of a class described at run time without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - companions: The classes whose tables are created or upgraded together with its own.
  /// - Returns: The store.
  /// - Throws: ``VaultError`` as the form that blocks.
  public func store(
    of description: ClassDescription, with companions: [ClassDescription] = []
  ) async throws -> ObjectStore<DynamicObject> {
    let declaration = ClassDeclaration(description, with: companions)
    return ObjectStore(database: self, table: try await cachedTable(of: declaration))
  }

  /// Returns the store of a class that the file describes, or of a table that another program
  /// created.
  ///
  /// The store changes only objects, never the schema.
  ///
  /// - Parameter name: The name of the class, or of its table if no class has that name.
  /// - Returns: The store.
  /// - Throws: ``VaultError``: `.noSuchClass` if the file has neither; `.invalidArgument` if several
  ///   classes have the name.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func store(named name: String) throws -> ObjectStore<DynamicObject> {
    guard let found = try knownClass(named: name) else {
      if let table = try otherTables().first(where: { $0.name == name }) {
        throw VaultError(
          .noSuchClass,
          "Table '\(table.name)' of '\(handle.location)' cannot be used as a class: "
            + "\(table.reason). Change the table with the program that created it.")
      }
      let names = try classes().map(\.name)
      let hint = SpellingSuggestion.closest(to: name, among: names)
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      throw VaultError(
        .noSuchClass,
        "The vault '\(handle.location)' has no class '\(name)'. "
          + (hint.map { "Did you mean '\($0)'? " } ?? "")
          + (list.isEmpty ? "It has no classes yet." : "Its classes are \(list)."))
    }
    return try presentStore(of: found)
  }

  /// Returns the store of a class that the file has, without changing the schema.
  ///
  /// - Parameter description: One of ``classes()``.
  /// - Returns: The store.
  /// - Throws: ``VaultError`` `.noSuchClass` if its table is missing.
  package func presentStore(
    of description: ClassDescription
  ) throws -> ObjectStore<DynamicObject> {
    ObjectStore(
      database: self, table: try table(of: ClassDeclaration(description), installing: false))
  }

  /// Returns the class in the file with a name, or else the one with a table of that name.
  ///
  /// - Parameter name: The name.
  /// - Returns: The class; `nil` if there is none.
  /// - Throws: ``VaultError`` `.invalidArgument` if several classes have the name.
  package func knownClass(named name: String) throws -> ClassDescription? {
    let (described, foreign) = try knownClasses()
    let named = described.filter { $0.name == name }
    if let found = (named.isEmpty ? described : named).first(where: { $0.table == name }) {
      return found
    }
    if named.isEmpty {
      let found = foreign.filter { $0.name == name || $0.table == name }
      // The names of two tables of other programs can differ only in their Unicode form.
      return found.first { $0.table.hasSameBytes(as: name) } ?? found.first
    }
    guard named.count > 1 else { return named[0] }
    let tables = named.map { "'\($0.table)'" }.joined(separator: " and ")
    throw VaultError(
      .invalidArgument,
      "Several classes are named '\(name)', with the tables \(tables). Use the name of a table.")
  }

  /// Returns the table of a class without waiting for writes, if it is cached.
  private func cachedTable(of declaration: ClassDeclaration) async throws -> Table {
    if let table = try handle.current()?.knownTable(of: declaration) { return table }
    return try await onExecutor(.write) { try self.table(of: declaration) }
  }

  private func table(
    of declaration: ClassDeclaration, installing: Bool = true
  ) throws -> Table {
    let opened = try opened()
    let mayChange = opened.seesItsChanges
    var compared: [ClassDeclaration] = []
    let table = try opened.table(of: declaration) {
      guard installing else {
        try opened.read { try checkFit(of: declaration.description, on: $0) }
        return nil
      }
      compared = [declaration] + declaration.referenced
      try ClassDeclaration.validate(compared)
      let change = try SchemaInstallation(
        database: self, opened: opened, declarations: compared
      ).change()
      guard change == nil || mayChange else {
        throw opened.upgradeInReadScope(of: declaration.description)
      }
      return change
    }
    // Otherwise the first change of an object would read the schema of owned classes in its
    // transaction, and each request with the same companions would compare them with the file. An
    // error is thrown where the table is used.
    let owned = Set(compared.flatMap { $0.description.owned.map(\.target) })
    for other in compared.dropFirst()
    where other.type == nil || owned.contains(other.description.table) {
      _ = try? opened.table(of: other) { nil }
    }
    return table
  }

  /// Throws if the table of a class is missing or cannot store its objects as it is.
  private func checkFit(
    of description: ClassDescription, on session: Session
  ) throws {
    let columns = try Schema(on: session).columns(of: description.table)
    if columns.isEmpty {
      throw VaultError(
        .noSuchClass,
        "The vault '\(handle.location)' describes class '\(description.name)', but its table "
          + "'\(description.table)' is missing. Request the class's store to create it again.")
    }
    try TableComparison(
      description: description, columns: columns, isForReading: try opened().isReadOnly
    ).check()
  }

  /// Returns the classes in the file.
  ///
  /// Tables that other programs created are described from their columns. A class whose table
  /// another program dropped or renamed is left out.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func classes() throws -> [ClassDescription] {
    let tables = try describedTables()
    let missing = Set(tables.missing.map(\.table))
    return tables.described.filter { !missing.contains($0.table) } + tables.foreign
  }

  /// Returns the classes in the file, with described classes and other programs' tables separated.
  package func knownClasses() throws
    -> (described: [ClassDescription], foreign: [ClassDescription])
  {
    let tables = try describedTables()
    return (tables.described, tables.foreign)
  }

  /// Returns the classes that the file describes and has no table of.
  package func classesWithoutTable() throws -> [ClassDescription] { try describedTables().missing }

  /// Returns the tables of other programs that cannot be used as classes, with the reason.
  ///
  /// - Returns: The tables. The reason is a clause without a period.
  package func otherTables() throws -> [(name: String, reason: String)] {
    try describedTables().others
  }

  /// Returns the classes that the file describes, those of them that have no table, the tables of
  /// other programs as classes, and those that cannot be classes with the reason.
  private func describedTables() throws -> (
    described: [ClassDescription], missing: [ClassDescription], foreign: [ClassDescription],
    others: [(name: String, reason: String)]
  ) {
    try opened().readSnapshot { session in
      let schema = Schema(on: session)
      let tables = try schema.tables()
      let described = try SystemTables(session).descriptions()
      var foreign: [ClassDescription] = []
      var others: [(name: String, reason: String)] = []
      for table in tables where !described.contains(where: { $0.table == table }) {
        switch ClassDescription.describing(table: table, try schema.columns(of: table)) {
        case .success(let description): foreign.append(description)
        case .failure(let invalid): others.append((table, invalid.problem))
        }
      }
      return (described, described.filter { !tables.contains($0.table) }, foreign, others)
    }
  }

  /// Returns the number of rows of a table, which no store need be able to read.
  package func rowCount(ofTable name: String) throws -> Int {
    try opened().read { session in
      try session.with("SELECT count(*) FROM \(SQL.quoted(name))") { try $0.count() }
    }
  }

  /// Removes the table of a class with all its objects.
  ///
  /// Every existing store of the class, from any handle, becomes invalid. Requesting a new store
  /// creates the table again, empty.
  ///
  /// - Parameter type: The class.
  /// - Throws: ``VaultError``: `.noSuchClass` if the table is missing, `.constraint` if another
  ///   class refers to it.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func removeStore<T: StoredObject>(of type: T.Type) throws {
    try removeStore(T.classDescription)
  }

  /// Removes the table of the class with this name and all its objects.
  ///
  /// - Parameter name: The name of the class or of its table.
  /// - Throws: ``VaultError`` as ``removeStore(of:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func removeStore(named name: String) throws {
    try removeStore(try store(named: name).classDescription)
  }

  private func removeStore(_ description: ClassDescription) throws {
    let opened = try opened()
    try opened.transaction { session in
      guard try Schema(on: session).hasTable(description.table) else {
        throw VaultError(
          .noSuchClass,
          "The vault '\(handle.location)' has no table '\(description.table)' to remove. Check the class."
        )
      }
      try checkNotReferredTo(description, on: session)
      try session.execute("DROP TABLE \(SQL.quoted(description.table))")
      try GeneratedSequence(table: description.table).forget(on: session)
      try forgetTable(description.table, className: description.name, on: session)
    }
  }
}

extension Database {
  /// Throws if other tables refer to the table: nothing could be written to those after its
  /// removal.
  func checkNotReferredTo(
    _ description: ClassDescription, on session: Session
  ) throws {
    let keys = try session.referenceGraph().incoming[description.table] ?? []
    guard let key = keys.first(where: { $0.table != description.table }) else {
      // Remove its rows first: they refer to one another, and the engine follows such references
      // only to a limited depth.
      if !keys.isEmpty {
        let scope = try session.referenceGraph().scope(of: description.table)
        try Removal.with(scope, on: session) { removal in
          let table = SQL.quoted(description.table)
          try removal.add("SELECT \(removal.seedColumns) FROM \(table)") { _ in }
          try removal.run()
        }
      }
      return
    }
    throw VaultError(
      .constraint,
      "The table '\(description.table)' cannot be removed while class '\(key.className)' refers to "
        + "it by '\(key.name)'. Remove that class first, or remove only the objects.")
  }
}

extension ClassDescription {
  /// Returns the description of a table that another program created, from its columns, or the
  /// reason that the table cannot be used as a class.
  fileprivate static func describing(
    table: String, _ columns: [Schema.Column]
  ) -> Result<ClassDescription, InvalidClass> {
    let key = columns.primaryKey
    guard !key.isEmpty else {
      return .failure(
        InvalidClass(problem: "it has no primary key, so its rows have no object ID"))
    }
    let description = ClassDescription(
      table,
      properties: columns.map { column in
        PropertyDescription(
          column.name, type: Self.type(ofAffinity: column.affinity),
          isOptional: !column.isNotNull && column.primaryKeyPlace == 0)
      },
      objectID: key.map(\.name))
    do throws(VaultError) {
      try description.validate()
      return .success(description)
    } catch {
      return .failure(
        error.underlying as? InvalidClass ?? InvalidClass(problem: "its columns cannot be stored"))
    }
  }

  private static func type(ofAffinity affinity: String) -> PropertyType {
    switch affinity {
    case "INTEGER": .int
    case "REAL", "NUMERIC": .double
    case "BLOB": .data
    default: .string
    }
  }
}

// Selected only if no other overload matches, so that the compiler reports a solution for the class
// instead of a list of candidates.
extension Database {
  /// Unavailable, because the type does not define how it is stored.
  @available(
    *, unavailable,
    message: "this type cannot be stored; mark it '@Stored', or conform it to 'StoredObject'"
  )
  @available(*, noasync, message: "Call it with 'await'.")
  @_disfavoredOverload
  public func store<T>(of type: T.Type) throws -> ObjectStore<DynamicObject> {
    throw VaultError(.invalidClass, "Objects of type \(T.self) cannot be stored.")
  }
}
