import ObjectVaultCondition

extension Vault {
  /// The store of a class; makes its table and indexes where the file has none yet, and those of
  /// every class that can be reached by its references and owned properties.
  ///
  /// - Throws: ``VaultError``: `.invalidClass` where a class cannot be stored, `.schemaMismatch`
  ///   where the file's table cannot keep its objects, and whatever opening the file can throw.
  public func store<T: StoredObject>(of type: T.Type) throws -> ObjectStore<T> {
    ObjectStore(vault: self, state: try state(of: ClassDeclaration(T.self)))
  }

  /// The store of a class, without blocking the caller's thread.
  ///
  /// - Throws: as ``store(of:)-(T.Type)``.
  public func store<T: StoredObject>(of type: T.Type) async throws -> ObjectStore<T> {
    let declaration = ClassDeclaration(T.self)
    let state = try await onLane(.write) { try self.state(of: declaration) }
    return ObjectStore(vault: self, state: state)
  }

  /// The store of a class described at run time; makes its table and indexes where the file has
  /// none yet.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - companions: Classes whose tables are made with its own: those that it refers to, where the
  ///     file does not have them yet.
  /// - Throws: as ``store(of:)-(T.Type)``; also ``VaultError`` `.invalidClass` where the file's table
  ///   is that of a class of another name.
  public func store(
    of description: ClassDescription, with companions: [ClassDescription] = []
  ) throws -> ObjectStore<DynamicObject> {
    ObjectStore(
      vault: self, state: try state(of: ClassDeclaration(description, with: companions)))
  }

  /// The store of a class that the file describes, or of a table that another program made, in
  /// which nothing is changed but the objects.
  ///
  /// - Parameter name: The name of the class or of its table.
  /// - Throws: ``VaultError`` `.noSuchClass` where the file has neither.
  public func store(named name: String) throws -> ObjectStore<DynamicObject> {
    let (described, foreign) = try knownClasses()
    func isMeant(_ description: ClassDescription) -> Bool {
      description.name == name || description.table == name
    }
    if let found = described.first(where: isMeant) {
      return ObjectStore(
        vault: self, state: try state(of: ClassDeclaration(found), installing: false))
    }
    guard let found = foreign.first(where: isMeant) else {
      if try file().read({ try Schema(on: $0).hasTable(name) }) {
        throw VaultError(
          .noSuchClass,
          "Table '\(name)' of '\(path)' has no primary key, so its rows have no objectID. Give it "
            + "one with the program that made it.")
      }
      let names = (described + foreign).map(\.name)
      let hint = SpellingSuggestion.closest(to: name, among: names)
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      throw VaultError(
        .noSuchClass,
        "The vault '\(path)' has no class '\(name)'. "
          + (hint.map { "Did you mean '\($0)'? " } ?? "")
          + (list.isEmpty ? "It has none yet." : "It has \(list)."))
    }
    return ObjectStore(
      vault: self, state: try state(of: ClassDeclaration(found), installing: false))
  }

  private func state(
    of declaration: ClassDeclaration, installing: Bool = true
  ) throws -> TableState {
    let file = try file()
    return try file.tableState(declaration) {
      guard installing else {
        try declaration.validate()
        return try file.read { try checkFit(of: declaration.description, on: $0) }
      }
      let declarations = [declaration] + declaration.referenced
      try ClassDeclaration.validate(declarations)
      try SchemaInstallation(vault: self, file: file, declarations: declarations).install()
    }
  }

  /// Sees that the table of a class is there and can keep its objects as it is.
  private func checkFit(
    of description: ClassDescription, on connection: VaultConnection
  ) throws {
    let columns = try Schema(on: connection).columns(of: description.table)
    if columns.isEmpty {
      throw VaultError(
        .noSuchClass,
        "The vault '\(path)' describes class '\(description.name)', and has no table "
          + "'\(description.table)' any more. Ask for the class's store to make it anew.")
    }
    try TableComparison(
      description: description, columns: columns, isForReading: try file().isReadOnly
    ).check()
  }

  /// The classes in the file: those that describe themselves, and, as far as their columns tell,
  /// the tables that other programs made.
  public func classes() throws -> [ClassDescription] {
    let (described, foreign) = try knownClasses()
    return described + foreign
  }

  /// The classes in the file: those that describe themselves apart from other programs' tables.
  package func knownClasses() throws
    -> (described: [ClassDescription], foreign: [ClassDescription])
  {
    try file().read { connection in
      let described = try SystemTables(connection).descriptions()
      let schema = Schema(on: connection)
      let foreign = try schema.tables().filter { table in
        !described.contains { $0.table == table }
      }
      return (
        described,
        try foreign.compactMap { try ClassDescription(table: $0, columns: schema.columns(of: $0)) }
      )
    }
  }

  /// Returns the tables that cannot be used as classes, because another program made them without a
  /// primary key, with their numbers of rows.
  package func tablesWithoutKey() throws -> [(name: String, rows: Int)] {
    try file().read { connection in
      let described = try SystemTables(connection).descriptions()
      let schema = Schema(on: connection)
      let tables = try schema.tables().filter { table in
        try !described.contains { $0.table == table }
          && schema.columns(of: table).primaryKey.isEmpty
      }
      return try tables.map { table in
        let rows = try connection.with("SELECT count(*) FROM \(SQL.quoted(table))") { statement in
          try statement.step() ? Int(statement.row.integer(at: 0)) : 0
        }
        return (table, rows)
      }
    }
  }

  /// Removes the table of a class with all its objects. Every store of it made before, by any
  /// handle, is invalid from then on; asking for a new one makes the table again, empty.
  ///
  /// - Throws: ``VaultError``: `.noSuchClass` where there is no such table, `.constraint` where
  ///   another class refers to it.
  public func removeStore<T: StoredObject>(of type: T.Type) throws {
    try removeStore(T.classDescription)
  }

  /// Removes the table of the class of this name with all its objects.
  ///
  /// - Parameter name: The name of the class or of its table.
  /// - Throws: as ``removeStore(of:)``.
  public func removeStore(named name: String) throws {
    try removeStore(try store(named: name).classDescription)
  }

  private func removeStore(_ description: ClassDescription) throws {
    let file = try file()
    try file.transaction { connection in
      guard try Schema(on: connection).hasTable(description.table) else {
        throw VaultError(
          .noSuchClass, "The vault '\(path)' has no table '\(description.table)' to remove.")
      }
      try checkNotReferredTo(description, on: connection)
      try connection.execute("DROP TABLE \(SQL.quoted(description.table))")
      try forgetTable(description.table, className: description.name, on: connection)
    }
  }
}

extension Vault {
  /// A table that others refer to cannot go: nothing could be written to those any more.
  func checkNotReferredTo(
    _ description: ClassDescription, on connection: VaultConnection
  ) throws {
    let keys = try connection.referenceGraph().incoming[description.table] ?? []
    guard let key = keys.first(where: { $0.table != description.table }) else {
      // Its own rows refer to one another, and the engine follows them to a certain depth only.
      if !keys.isEmpty {
        let scope = try connection.referenceGraph().scope(of: description.table, on: connection)
        try Removal.with(scope, on: connection) { removal in
          let table = SQL.quoted(description.table)
          try removal.add("SELECT \(removal.seedColumns) FROM \(table)") { _ in }
          _ = try removal.run()
        }
      }
      return
    }
    throw VaultError(
      .constraint,
      "The table '\(description.table)' cannot be removed while class '\(key.className)' refers to it "
        + "by '\(key.name)'. Remove that class first, or the objects only.")
  }
}

extension ClassDescription {
  /// Describes a table that another program made, as far as its columns tell; `nil` for one
  /// without columns or without an objectID to be had.
  init?(table: String, columns: [Schema.Column]) {
    let key = columns.primaryKey
    guard !columns.isEmpty, !key.isEmpty else { return nil }
    self.init(
      table,
      properties: columns.map { column in
        PropertyDescription(
          column.name, type: Self.type(ofAffinity: column.affinity),
          isOptional: !column.isNotNull && column.primaryKeyPlace == 0)
      },
      objectID: key.map(\.name))
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
