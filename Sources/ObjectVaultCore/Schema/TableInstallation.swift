/// Makes a class's table where it is missing, and finds that it fits where it is not.
struct TableInstallation {
  let file: VaultFile
  let description: ClassDescription
  /// Whether a class of another name may have the table already. A Swift type may have been given
  /// another name since; a description is all that there is of its class.
  let mayRename: Bool

  init(file: VaultFile, declaration: ClassDeclaration) {
    self.file = file
    description = declaration.description
    mayRename = declaration.type != nil
  }

  /// - Throws: `.schemaMismatch` where the table in the file cannot keep the class's objects;
  ///   `.invalidClass` where it is that of another class; `.noSuchClass` where it is missing and the
  ///   file is open for reading only.
  func install() throws {
    if file.isReadOnly {
      // What is only read needs neither indexes nor a description.
      if try file.read({ try hasFittingTable(on: $0) }) { return }
      throw VaultError(
        .noSuchClass,
        "'\(file.path)' has no table '\(description.table)' for class '\(description.name)', and is "
          + "open for reading only. Open it for writing once.")
    }
    // Nothing is written, and no lock taken, where the file is as it must be.
    if try file.read({ try isComplete(on: $0) }) { return }
    let isForeign = try !file.read { try SystemTables($0).isVault() }
    try file.transaction { connection in
      // Another process may have been faster.
      if try isComplete(on: connection) { return }
      let system = SystemTables(connection)
      try system.create()
      let schema = Schema(on: connection)
      if try !schema.hasTable(description.table) {
        try connection.execute(TableDefinition(description: description).createTable)
      }
      let present = try schema.indexes(of: description.table)
      for index in TableDefinition(description: description).indexes
      where !present.contains(index.name) {
        try connection.execute(index.statement)
      }
      try system.describe(description)
    }
    if isForeign, !file.isInTransaction {
      try file.write { try SystemTables($0).enterWriteAheadLog() }
    }
  }

  private func isComplete(on connection: VaultConnection) throws -> Bool {
    guard try hasFittingTable(on: connection) else { return false }
    let present = try Schema(on: connection).indexes(of: description.table)
    guard
      TableDefinition(description: description).indexes.allSatisfy({ present.contains($0.name) })
    else { return false }
    return try SystemTables(connection).descriptions().contains(description)
  }

  /// Whether the table is there; one that cannot keep the objects is an error.
  private func hasFittingTable(on connection: VaultConnection) throws -> Bool {
    let schema = Schema(on: connection)
    guard let table = try schema.tableName(like: description.table) else { return false }
    guard table == description.table else {
      throw description.invalid(
        "the file has table '\(table)', which differs from '\(description.table)' in case only",
        remedy: "Name the table with `table:`.")
    }
    try TableComparison(description: description, columns: schema.columns(of: table)).check()
    if !mayRename,
      let owner = try SystemTables(connection).className(ofTable: table), owner != description.name
    {
      throw description.isTaken(by: owner)
    }
    return true
  }
}

extension ClassDescription {
  /// The class's table is that of another class.
  func isTaken(by owner: String) -> VaultError {
    invalid(
      "table '\(table)' is that of class '\(owner)' already",
      remedy: "Give each class a table of its own with `table:`.")
  }
}
