import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
public import ObjectVaultStores

extension SQLRow {
  /// Returns the object of a class from the columns of its properties; other columns are ignored.
  ///
  /// Owned objects are not loaded; use ``ObjectStore/objects(_:)-(SQLStatement)`` to load them.
  ///
  /// - Throws: ``VaultError``: `.notLoaded` if a column is missing or a shared property's content
  ///   is not loaded, `.invalidValue` if a column's value is not valid for its property.
  public func object<T: StoredObject>(_ type: T.Type = T.self) throws -> T {
    let description = T.classDescription
    let places = try columns.places(of: description)
    if description.hasSealed {
      throw VaultError(
        .notLoaded,
        "Class '\(description.name)' has sealed properties, and the row has only their encrypted "
          + "values. Request the objects of the statement from a store, which opens them.")
    }
    for position in description.sharedPositions where isDigest(at: places[position]) {
      throw VaultError(
        .notLoaded,
        "Property '\(description.properties[position].name)' of class '\(description.name)' is "
          + "shared, and the row has only the digest of its content. Request the objects of the "
          + "statement from a store, which reads the contents.")
    }
    return try object(of: description, places: places) { try T(row: $0) }
  }

  /// Returns whether a shared property's column contains a digest instead of the content.
  fileprivate func isDigest(at place: Int) -> Bool {
    if case .text = values[place] { true } else { false }
  }

  /// Returns an object from the columns of its class, at their positions in the row.
  func object<T>(
    of description: ClassDescription, places: [Int], layout: AnyObject? = nil,
    contents: SharedContents? = nil, sealing: TableSealing? = nil, _ make: (Row) throws -> T
  ) throws -> T {
    // The column of a shared content may contain a digest, which is text; the property's reader
    // rejects all other values. So does that of a sealed property, once its value is opened.
    for (property, place) in zip(description.properties, places)
    where !property.isShared && property.sealing == nil {
      try self.values[place].checkFit(
        property.type, isOptional: property.isOptional, property.type.rawValue,
        column: columns.names[place])
    }
    var values = places.map { self.values[$0] }
    if let sealing { values = try sealing.opened(values) }
    do {
      if let contents { try contents.resolve(&values) }
      return try Row.withValues(values, layout: layout, make)
    } catch let error as VaultError {
      // The readers count the columns of the class, not of the row.
      throw error.naming(places.count) { "Column '\(columns.names[places[$0]])'" }
    }
  }
}

extension SQLColumns {
  /// Returns the positions of a class's columns, in the order in which its objects read them.
  ///
  /// - Throws: `.notLoaded` if a column is missing.
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
      error.code, "An object of class '\(description.name)' cannot be created. \(error.message)")
  }
}

extension ObjectStore {
  /// Returns the objects that an SQL statement selects, in its order, with their owned objects.
  ///
  /// The statement returns the columns of the class under their names, as `SELECT *` does, or
  /// `SELECT s.*, …` with a join. Other columns are ignored. The contents of shared properties are
  /// loaded if the statement returns their digests.
  ///
  /// ```swift
  /// let oldest = try students.objects(
  ///   "SELECT * FROM \(Student.self) WHERE age = (SELECT max(age) FROM \(Student.self))")
  /// ```
  ///
  /// A partition omits rows that belong to other partitions, according to the columns of its
  /// properties. A LIMIT counts these rows.
  ///
  /// - Throws: The errors of ``Database/rows(_:)-(SQLStatement)``; `.notLoaded` if a column of the
  ///   class is missing; `.invalidValue` if a column's value is not valid for its property.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func objects(_ statement: SQLStatement) throws -> [T] {
    try readObjects(statement)
  }

  /// Returns the objects that an SQL statement selects, each with its complete row.
  ///
  /// Use the row to read values that are not properties of the class, by their column names.
  ///
  /// ```swift
  /// for (student, row) in try students.objectsWithRows(
  ///   "SELECT s.*, t.name AS teacher FROM \(Student.self) s JOIN \(Teacher.self) t ON …")
  /// {
  ///   print(student.name, try row.value("teacher", as: String.self))
  /// }
  /// ```
  ///
  /// If several columns have the same name, the name refers to the first. Rename the others with
  /// `AS`.
  ///
  /// - Throws: The errors of ``objects(_:)-(SQLStatement)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func objectsWithRows(_ statement: SQLStatement) throws -> [(object: T, row: SQLRow)] {
    var rows: [SQLRow] = []
    let objects = try readObjects(statement) { rows.append(try $0.row()) }
    return zip(objects, rows).map { (object: $0, row: $1) }
  }

  /// Returns the objects that a statement selects, and calls `visit` on each row.
  private func readObjects(
    _ statement: SQLStatement, _ visit: (SQLRun) throws -> Void = { _ in }
  ) throws -> [T] {
    try readWithStatements { session in
      let contents = SharedContents(of: table.description, on: session)
      var objects = try database.run(statement) { run in
        // Looked up once, even if there is no row.
        let places = try run.columns.places(of: table.description)
        var objects: [T] = []
        while try run.statement.step() {
          if let partition, !partition.contains(run.statement.row, at: places) { continue }
          objects.append(try object(run, places, contents))
          try visit(run)
        }
        return objects
      }
      try loadOwned(&objects, on: session)
      return objects
    }
  }

  /// Returns the object from the current row of a statement.
  private func object(
    _ run: SQLRun, _ places: [Int], _ contents: SharedContents?
  ) throws -> T {
    let row = run.statement.row
    if contents == nil, table.sealing == nil, row.fits(table.description.properties, at: places),
      let object = try? Row.withValues(
        places.map(row.storedValue(at:)), layout: table.layout,
        { (values: Row) throws in try T(row: values) })
    {
      return object
    }
    // This path opens sealed values and resolves shared contents, and its errors name the columns
    // of the row.
    return try run.row().object(
      of: table.description, places: places, layout: table.layout, contents: contents,
      sealing: table.sealing
    ) { try T(row: $0) }
  }
}
