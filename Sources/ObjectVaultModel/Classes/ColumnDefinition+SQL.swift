import ObjectVaultCondition
package import ObjectVaultDriver

extension PropertyDescription {
  /// Returns whether a column with the given affinity can store the property.
  ///
  /// An integer property can have a NUMERIC column only if the class declares the column's type.
  package func isKept(by affinity: String) -> Bool {
    // Every column stores the bytes of sealed values exactly.
    sealing != nil
      || type.isKeptExactly(by: affinity)
        && (affinity == type.columnType || type.columnType == "REAL" || definition.type != nil)
  }

  /// The declared type of the column.
  package var declaredType: String {
    let type = definition.type ?? (sealing == nil ? self.type.columnType : "BLOB")
    guard let length = definition.length else { return type }
    // "CHAR" gives the affinity TEXT and shows that the number is a length.
    return definition.type == nil && type == "TEXT"
      ? "VARCHAR(\(length.limit))" : "\(type)(\(length.limit))"
  }

  /// The constraints after the column's type and NOT NULL, as SQLite writes them.
  package var constraintText: String { constraintText(SQLiteCatalog()) }

  /// Returns the constraints after the column's type and NOT NULL, with a leading space; empty if
  /// there are none.
  package func constraintText(_ catalog: any Catalog) -> String {
    var text = ""
    if let name = lengthConstraint {
      text =
        " CONSTRAINT \(SQL.quoted(catalog.objectName(name))) "
        + "CHECK (\(lengthHolds(for: SQL.quoted(column), catalog)))"
    }
    if let constraints = definition.constraints {
      text += " " + SQLToken.text(SQLToken.tokens(of: constraints))
    }
    return text
  }

  /// The name of the constraint that checks the length; `nil` if none does.
  ///
  /// The engine's error contains the name, which therefore explains the problem.
  package var lengthConstraint: String? {
    guard let length = definition.length, length.isChecked else { return nil }
    let unit = type.columnType == "BLOB" ? "bytes" : "characters"
    return "at most \(length.limit) \(unit) in \(column)"
  }

  /// Returns an SQL condition that is true if a value is not too long.
  package func lengthHolds(
    for value: String, _ catalog: any Catalog = SQLiteCatalog()
  ) -> String {
    catalog.isAtMost(
      definition.length?.limit ?? 0, value, countsBytes: type.columnType == "BLOB")
  }

  /// The parsed definition of the column with only its type and its own constraints.
  package var definedColumn: TableText.Column? {
    TableText("CREATE TABLE t (\(SQL.quoted(column)) \(declaredType)\(constraintText))")?.columns
      .first
  }

  /// Whether the column has a default of its own, in addition to the property.
  package var hasColumnDefault: Bool {
    guard definition.constraints != nil else { return false }
    return definedColumn?.constraints.contains { $0.kind == .default } ?? false
  }
}

extension PropertyType {
  /// Returns whether the engine stores every value of the type exactly in a column with the given
  /// affinity.
  ///
  /// NUMERIC stores doubles exactly, some of them as integers.
  func isKeptExactly(by affinity: String) -> Bool {
    affinity == columnType
      || affinity == "NUMERIC" && (columnType == "REAL" || columnType == "INTEGER")
  }
}

extension ClassDescription {
  /// The positions of the properties in the order of the table's columns.
  package var columnPositions: [Int] {
    let all = Array(properties.indices)
    let first: [Int]
    switch options.columnOrder {
    case .declared: return all
    case .listed(let names):
      first = names.compactMap { name in properties.firstIndex { $0.name == name } }
    case .keysFirst:
      var key: [Int] = []
      if case .properties(let positions) = objectID { key = positions }
      let indexes = indexes.filter(\.isUnique) + indexes.filter { !$0.isUnique }
      let names = indexes.flatMap(\.properties) + references.flatMap(\.properties)
      first = key + names.compactMap { name in properties.firstIndex { $0.name == name } }
    }
    var seen: Set<Int> = []
    return (first + all).filter { seen.insert($0).inserted }
  }
}

extension PropertyType {
  /// Returns the affinity of a declared type of a column, by the rules in SQLite's documentation,
  /// "Datatypes".
  package static func affinity(ofColumnType type: String) -> String {
    let type = type.uppercased()
    if type.contains("INT") { return "INTEGER" }
    if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) { return "TEXT" }
    if type.isEmpty || type.contains("BLOB") { return "BLOB" }
    if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return "REAL" }
    return "NUMERIC"
  }
}
