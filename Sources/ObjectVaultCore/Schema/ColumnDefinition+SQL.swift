import ObjectVaultCondition

extension PropertyDescription {
  /// Whether a column of an affinity is one for the property. A column of whole numbers is NUMERIC only
  /// where the class says so.
  func isKept(by affinity: String) -> Bool {
    type.isKeptExactly(by: affinity)
      && (affinity == type.columnType || type.columnType == "REAL" || definition.type != nil)
  }

  /// The type that the column is declared with.
  var declaredType: String {
    let type = definition.type ?? self.type.columnType
    guard let length = definition.length else { return type }
    // "CHAR" gives a text's affinity, and says what the number means.
    return definition.type == nil && type == "TEXT"
      ? "VARCHAR(\(length.limit))" : "\(type)(\(length.limit))"
  }

  /// What follows the column's type and whether it may be NULL, with a space before; empty where there
  /// is nothing.
  var constraintText: String {
    var text = ""
    if let length = definition.length, length.isChecked {
      let unit = type.columnType == "BLOB" ? "bytes" : "characters"
      // The engine's error gives the name, and so says what is wrong.
      let name = "at most \(length.limit) \(unit) in \(column)"
      text = " CONSTRAINT \(SQL.quoted(name)) CHECK (\(lengthHolds(for: SQL.quoted(column))))"
    }
    if let constraints = definition.constraints {
      text += " " + SQLToken.text(SQLToken.tokens(of: constraints))
    }
    return text
  }

  /// The condition that a value is not too long, as SQL. The engine counts the characters of a text up
  /// to a NUL only.
  func lengthHolds(for value: String) -> String {
    let limit = definition.length?.limit ?? 0
    if type.columnType == "BLOB" { return "length(\(value)) <= \(limit)" }
    return "length(CAST(\(value) AS BLOB)) <= \(limit) OR "
      + "length(\(value)) <= \(limit) AND instr(\(value), char(0)) = 0"
  }

  /// The column with nothing but its type and its own constraints, taken apart.
  var definedColumn: TableText.Column? {
    TableText("CREATE TABLE t (\(SQL.quoted(column)) \(declaredType)\(constraintText))")?.columns
      .first
  }

  /// Whether the column itself has a default, which the property does not.
  var hasColumnDefault: Bool {
    guard definition.constraints != nil else { return false }
    return definedColumn?.constraints.contains { $0.kind == .default } ?? false
  }
}

extension PropertyType {
  /// Whether the engine keeps every value of the type exactly in a column of an affinity. NUMERIC keeps
  /// doubles exactly, if some as integers.
  func isKeptExactly(by affinity: String) -> Bool {
    affinity == columnType
      || affinity == "NUMERIC" && (columnType == "REAL" || columnType == "INTEGER")
  }
}

extension ClassDescription {
  /// The positions of the properties in the order of the table's columns.
  var columnPositions: [Int] {
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
