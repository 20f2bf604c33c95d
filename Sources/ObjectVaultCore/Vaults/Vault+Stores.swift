import Logging
import ObjectVaultCondition

extension Vault {
  /// The store of a class; makes its table and indexes where the file has none yet.
  ///
  /// - Throws: ``VaultError``: `.invalidClass` where the class cannot be stored, `.schemaMismatch`
  ///   where the file's table cannot keep its objects, and whatever opening the file can throw.
  public func store<T: StoredObject>(of type: T.Type) throws -> ObjectStore<T> {
    ObjectStore(vault: self, state: try state(of: ClassDeclaration(T.self)))
  }

  /// The store of a class, without blocking the caller's thread.
  ///
  /// - Throws: as ``store(of:)-(T.Type)``.
  public func store<T: StoredObject>(of type: T.Type) async throws -> ObjectStore<T> {
    let file = try await openedOnLane()
    let declaration = ClassDeclaration(T.self)
    let state = try await file.lanes.run(.write, of: file) { try self.state(of: declaration) }
    return ObjectStore(vault: self, state: state)
  }

  /// The store of a class described at run time; makes its table and indexes where the file has
  /// none yet.
  ///
  /// - Throws: as ``store(of:)-(T.Type)``; also ``VaultError`` `.invalidClass` where the file's table
  ///   is that of a class of another name.
  public func store(of description: ClassDescription) throws -> ObjectStore<DynamicObject> {
    ObjectStore(vault: self, state: try state(of: ClassDeclaration(description)))
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
    if let found = described.first(where: isMeant) { return try store(of: found) }
    guard let found = foreign.first(where: isMeant) else {
      if try file().read({ try Schema(on: $0).hasTable(name) }) {
        throw VaultError(
          .noSuchClass,
          "Table '\(name)' of '\(path)' has no primary key, so its rows have no objectID. Give it "
            + "one with the program that made it.")
      }
      let names = (described + foreign).map { "'\($0.name)'" }.joined(separator: ", ")
      throw VaultError(
        .noSuchClass,
        "The vault '\(path)' has no class '\(name)'. "
          + (names.isEmpty ? "It has none yet." : "It has \(names)."))
    }
    return ObjectStore(
      vault: self, state: try state(of: ClassDeclaration(found), installing: false))
  }

  private func state(
    of declaration: ClassDeclaration, installing: Bool = true
  ) throws -> TableState {
    let file = try file()
    return try file.tableState(declaration) {
      try declaration.validate()
      if installing {
        try TableInstallation(file: file, declaration: declaration).install()
      }
    }
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

  /// Removes the table of a class with all its objects. Every store of it made before, by any
  /// handle, is invalid from then on; asking for a new one makes the table again, empty.
  ///
  /// - Throws: ``VaultError`` `.noSuchClass` where there is no such table.
  public func removeStore<T: StoredObject>(of type: T.Type) throws {
    try removeStore(T.classDescription)
  }

  /// Removes the table of the class of this name with all its objects.
  ///
  /// - Parameter name: The name of the class or of its table.
  /// - Throws: ``VaultError`` `.noSuchClass` where there is no such table.
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
      try connection.execute("DROP TABLE \(SQL.quoted(description.table))")
      if try Schema(on: connection).hasTable("objectvault_classes") {
        try SystemTables(connection).forget(table: description.table)
      }
      file.noteRemoval(ofTable: description.table)
      file.afterCommit { [path, logger = configuration.logger] in
        logger?.info(
          "store removed", metadata: ["path": "\(path)", "class": "\(description.name)"])
        file.post(.storeRemoved(description.name))
      }
    }
  }
}

extension ClassDescription {
  /// Describes a table that another program made, as far as its columns tell; `nil` for one
  /// without columns or without an objectID to be had.
  init?(table: String, columns: [Schema.Column]) {
    let key = columns.filter { $0.primaryKeyPlace > 0 }
      .sorted { $0.primaryKeyPlace < $1.primaryKeyPlace }
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
