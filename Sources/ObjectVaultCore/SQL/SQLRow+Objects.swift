import ObjectVaultCondition
import ObjectVaultEngine

extension SQLRow {
  /// The object of a class whose properties stand in the row, by the names of their columns; what else
  /// stands there is left alone.
  ///
  /// Its owned objects are not loaded: ``ObjectStore/objects(_:)-(SQLStatement)`` does.
  ///
  /// - Throws: ``VaultError``: `.notLoaded` where a column is missing, `.invalidValue` where one holds
  ///   no value of its property.
  public func object<T: StoredObject>(_ type: T.Type = T.self) throws -> T {
    let description = T.classDescription
    let places = try columns.places(of: description)
    for position in description.sharedPositions where isDigest(at: places[position]) {
      throw VaultError(
        .notLoaded,
        "Property '\(description.properties[position].name)' of class '\(description.name)' is shared, "
          + "and the row has what stands for its content. Ask a store for the objects of the statement, "
          + "which reads the contents.")
    }
    return try object(of: description, places: places) { try T(row: $0) }
  }

  /// Whether a column can have nothing but what stands for a shared content.
  fileprivate func isDigest(at place: Int) -> Bool {
    if case .text = values[place] { true } else { false }
  }

  /// - Parameter places: Where the class's columns stand in the row.
  func object<T>(
    of description: ClassDescription, places: [Int], layout: AnyObject? = nil,
    contents: SharedContents? = nil, _ make: (Row) throws -> T
  ) throws -> T {
    // What stands for a shared content is a text; its reader tells of anything else.
    for (property, place) in zip(description.properties, places) where !property.isShared {
      try checkFit(
        property.type, isOptional: property.isOptional, property.type.rawValue, at: place)
    }
    do {
      var values = places.map { self.values[$0] }
      if let contents { try contents.resolve(&values) }
      return try StoredRowReader.withRow(values, layout: layout, make)
    } catch let error as VaultError {
      // The readers count the columns of the class.
      throw error.naming(places.count) { "Column '\(columns.names[places[$0]])'" }
    }
  }
}

extension SQLColumns {
  /// Where the columns of a class stand, in the order in which its objects read them.
  ///
  /// - Throws: `.notLoaded` where one is missing.
  func places(of description: ClassDescription) throws(VaultError) -> [Int] {
    var places: [Int] = []
    for name in description.rowColumns {
      guard let place = position(of: name) else { throw missing(name, of: description) }
      places.append(place)
    }
    return places
  }

  private func missing(_ column: String, of description: ClassDescription) -> VaultError {
    let error = missing(column)
    return VaultError(
      error.code, "An object of class '\(description.name)' cannot be made. \(error.message)")
  }
}

extension ObjectStore {
  /// The objects that a statement of SQL chooses, in its order, with those that they own.
  ///
  /// The statement gives the columns of the class by their names: `SELECT *` does, and so does
  /// `SELECT s.*, …` of a join. What else it gives is left alone. The contents of shared properties are
  /// read where the statement gives what stands for them.
  ///
  /// ```swift
  /// let oldest = try students.objects(
  ///   "SELECT * FROM \(Student.self) WHERE age = (SELECT max(age) FROM \(Student.self))")
  /// ```
  ///
  /// A partition leaves out what the statement gives of others: what the columns of its properties hold
  /// in a row says which that is. A LIMIT counts them.
  ///
  /// - Throws: ``VaultError`` as ``Vault/rows(_:)-(SQLStatement)``; `.notLoaded` where a column of the
  ///   class is missing; `.invalidValue` where one holds no value of its property.
  public func objects(_ statement: SQLStatement) throws -> [T] {
    try readObjects(statement)
  }

  /// The objects that a statement of SQL chooses, each with its whole row: values that are no
  /// properties of the class are read from that by their names.
  ///
  /// ```swift
  /// for (student, row) in try students.objectsWithRows(
  ///   "SELECT s.*, t.name AS teacher FROM \(Student.self) s JOIN \(Teacher.self) t ON …")
  /// {
  ///   print(student.name, try row.value("teacher", as: String.self))
  /// }
  /// ```
  ///
  /// A name that several columns have is that of the first: name others by `AS`.
  ///
  /// - Throws: as ``objects(_:)-(SQLStatement)``.
  public func objectsWithRows(_ statement: SQLStatement) throws -> [(object: T, row: SQLRow)] {
    var rows: [SQLRow] = []
    let objects = try readObjects(statement) { rows.append(try $0.row()) }
    return zip(objects, rows).map { (object: $0, row: $1) }
  }

  /// - Parameter visit: Called with the statement on each row.
  private func readObjects(
    _ statement: SQLStatement, _ visit: (SQLRun) throws -> Void = { _ in }
  ) throws -> [T] {
    try readWithOwned { connection in
      let contents = SharedContents(of: state.description, on: connection)
      var objects = try vault.run(statement) { run in
        // Looked up once, also where there is no row.
        let places = try run.columns.places(of: state.description)
        return try StoredRowReader.withReader { reader in
          var objects: [T] = []
          while try run.statement.step() {
            if let partition, !partition.contains(run.statement.row, at: places) { continue }
            objects.append(try object(run, places, reader, contents))
            try visit(run)
          }
          return objects
        }
      }
      try loadOwned(&objects, on: connection)
      return objects
    }
  }

  /// The object of the row that a statement stands on.
  private func object(
    _ run: SQLRun, _ places: [Int], _ reader: StoredRowReader, _ contents: SharedContents?
  ) throws -> T {
    let row = run.statement.row(layout: state.layout)
    if contents == nil, row.fits(state.description.properties, at: places),
      let object = try? reader.withRow(
        of: row, at: places, layout: state.layout, { try T(row: $0) })
    {
      return object
    }
    // Contents are kept elsewhere; and what is wrong with a row is told by the names of its columns.
    return try run.row().object(
      of: state.description, places: places, layout: state.layout, contents: contents
    ) { try T(row: $0) }
  }
}

extension ObjectStore where T: Sendable {
  /// The objects that a statement of SQL chooses, without blocking the caller's thread.
  public func objects(_ statement: SQLStatement) async throws -> [T] {
    try await reading { try objects(statement) }
  }

  /// The objects that a statement of SQL chooses, each with its row, without blocking the caller's
  /// thread.
  public func objectsWithRows(
    _ statement: SQLStatement
  ) async throws -> [(object: T, row: SQLRow)] {
    try await reading { try objectsWithRows(statement) }
  }
}
