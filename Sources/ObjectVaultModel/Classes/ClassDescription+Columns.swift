import ObjectVaultCondition
import ObjectVaultDriver

// Validation of column definitions and table options.
extension ClassDescription {
  func validateOptions() throws(VaultError) {
    if case .listed(let names) = options.columnOrder {
      for name in names where !properties.contains(where: { $0.name == name }) {
        throw invalid(
          "the order of its columns contains '\(name)', which is not a property of the class",
          remedy: "Use stored properties of the class.")
      }
      if Set(names).count < names.count {
        throw invalid(
          "the order of its columns contains a column twice", remedy: "List each column once.")
      }
    }
    guard options.isWithoutRowID else { return }
    if objectID == .generated {
      throw invalid(
        "its table has no row IDs, but its object ID is one",
        remedy: "Use properties as its object ID, or remove `withoutRowID`.")
    }
    if search != nil {
      throw invalid(
        "its table has no row IDs, which a full-text index needs",
        remedy: "Remove `withoutRowID`, or remove the full-text index.")
    }
  }

  func validateColumn(of property: PropertyDescription, at position: Int) throws(VaultError) {
    let definition = property.definition
    if definition == ColumnDefinition() { return }
    try validateLength(of: property)
    if let type = definition.type {
      try validate(type: type, of: property)
      if objectID == .properties([position]), property.type.family == .integer,
        !options.isWithoutRowID
      {
        throw invalid(
          "property '\(property.name)' is its object ID, which the engine generates only in a "
            + "column of type INTEGER",
          remedy: "Remove the column's type.")
      }
    }
    if let constraints = definition.constraints {
      try validate(constraints: constraints, of: property, at: position)
    }
  }

  private func validateLength(of property: PropertyDescription) throws(VaultError) {
    guard let length = property.definition.length else { return }
    if !["TEXT", "BLOB"].contains(property.type.columnType) {
      throw invalid(
        "property '\(property.name)' has a length, but its type is \(property.type.rawValue)",
        remedy: "Only text and bytes have a length. Use a constraint for numbers.")
    }
    if !(1...1_000_000_000).contains(length.limit) {
      throw invalid(
        "the length of property '\(property.name)' is \(length.limit)",
        remedy: "Use a length from 1 to 1,000,000,000.")
    }
    if property.definition.type?.contains("(") ?? false {
      throw invalid(
        "property '\(property.name)' has a length, but the type of its column has another",
        remedy: "Set only one of them.")
    }
  }

  private func validate(
    type: String, of property: PropertyDescription
  ) throws(VaultError) {
    let tokens = SQLToken.tokens(of: type)
    let isPlain = type.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || " _(),".utf8.contains(byte)
    }
    guard isPlain, !tokens.isEmpty,
      let text = TableText("CREATE TABLE t (c \(SQLToken.text(tokens)))"), text.columns.count == 1,
      text.columns[0].type == tokens, text.columns[0].constraints.isEmpty,
      text.constraints.isEmpty, text.options.isEmpty, tokens[0].keyword != nil
    else {
      throw invalid(
        "the column of property '\(property.name)' has an invalid type",
        remedy: "Use words, and numbers in parentheses: `VARCHAR(40)`.")
    }
    let affinity = PropertyType.affinity(ofColumnType: property.declaredType)
    guard property.type.isKeptExactly(by: affinity) else {
      throw invalid(
        "the column of property '\(property.name)' has type \(type) with the affinity \(affinity), "
          + "which would change some values of \(property.type.rawValue)",
        remedy: "Use a type with the affinity \(property.type.columnType).")
    }
  }

  private func validate(
    constraints: String, of property: PropertyDescription, at position: Int
  ) throws(VaultError) {
    func refused(_ problem: String, _ remedy: String) -> VaultError {
      invalid("the constraints of property '\(property.name)' \(problem)", remedy: remedy)
    }
    let tokens = SQLToken.tokens(of: constraints)
    let isWhole = !constraints.utf8.contains(0) && tokens.allSatisfy(\.isWhole)
    let text = TableText(
      "CREATE TABLE t (\(SQL.quoted(property.column)) \(property.declaredType) "
        + "\(SQLToken.text(tokens)))")
    guard isWhole, tokens.areBalanced, let text, text.columns.count == 1,
      text.columns[0].type == SQLToken.tokens(of: property.declaredType), text.constraints.isEmpty,
      text.options.isEmpty, !text.columns[0].constraints.isEmpty
    else {
      throw refused("are not valid SQL", "Use SQL such as `CHECK (\"age\" >= 0)`.")
    }
    if tokens.contains(where: { $0.name?.asciiLowercased.hasBytePrefix("ov_") ?? false }) {
      throw refused("use a name of the library", "Use only names that every program knows.")
    }
    for constraint in text.columns[0].constraints {
      switch constraint.kind {
      case .check: break
      case .default:
        if property.defaultValue != nil || isPartOfObjectID(position)
          || text.columns[0].constraints.count(where: { $0.kind == .default }) > 1
        {
          throw refused(
            "set a default that conflicts with another default or with the object ID",
            "Set one default, for a property that is not part of the object ID.")
        }
      case .collate:
        // The meaning of a condition must not depend on the file.
        if constraint.tokens.last?.name?.asciiLowercased != "binary" {
          throw refused(
            "set a collation, but conditions compare text by its bytes",
            "Remove the collation, and use `[c]` in conditions and sorts to ignore case.")
        }
      case .notNull, .null:
        throw refused(
          "set whether it may be NULL", "Declare the property's type as optional or not.")
      case .primaryKey: throw refused("declare a primary key", "Use the property as the object ID.")
      case .unique: throw refused("declare it unique", "Add a unique index to the class.")
      case .references, .foreignKey:
        throw refused("declare a foreign key", "Declare the property as a reference.")
      case .generated:
        throw refused(
          "generate its values", "Remove the constraint, because the property provides the values.")
      }
    }
  }

  private func isPartOfObjectID(_ position: Int) -> Bool {
    if case .properties(let positions) = objectID { positions.contains(position) } else { false }
  }
}

extension SQLToken {
  /// Whether the token is complete and allowed in the definition of a table.
  fileprivate var isWhole: Bool {
    switch kind {
    case .word: return true
    case .quotedName, .string:
      let opening = text.first == "[" ? "]" : text.first
      return text.count > 1 && text.last == opening
    case .other:
      if text.first == "x" || text.first == "X" { return text.count > 2 && text.last == "'" }
      return !["?", ":", "@", "#", ";", "$"].contains(text)
    }
  }
}

extension [SQLToken] {
  /// Whether parentheses are balanced, so that no token can follow the closing parenthesis of a
  /// CHECK.
  fileprivate var areBalanced: Bool {
    var depth = 0
    for token in self {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }
}
