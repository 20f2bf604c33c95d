import ObjectVaultCondition

// Validation of column definitions and table options.
extension ClassDescription {
  func validateOptions() throws(VaultError) {
    if case .listed(let names) = options.columnOrder {
      for name in names where !properties.contains(where: { $0.name == name }) {
        throw invalid(
          "the order of its columns names '\(name)', which is no property of it",
          remedy: "Name its properties.")
      }
      if Set(names).count < names.count {
        throw invalid("the order of its columns names one twice", remedy: "Name each once.")
      }
    }
    guard options.isWithoutRowID else { return }
    if objectID == .generated {
      throw invalid(
        "its table is to be without numbers of rows, and its objectID is one",
        remedy: "Make properties its objectID, or leave `withoutRowID` out.")
    }
    if search != nil {
      throw invalid(
        "its table is to be without numbers of rows, which an index of words needs",
        remedy: "Leave `withoutRowID` out, or search no property for words.")
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
          "property '\(property.name)' is its objectID, of which the engine generates numbers in a "
            + "column of type INTEGER only", remedy: "Leave the column's type out.")
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
        "property '\(property.name)' has a length, and is \(property.type.rawValue)",
        remedy: "Only what is kept as text or bytes has one. Use a constraint for numbers.")
    }
    if !(1...1_000_000_000).contains(length.limit) {
      throw invalid(
        "the length of property '\(property.name)' is \(length.limit)",
        remedy: "Give one from 1 to 1,000,000,000.")
    }
    if property.definition.type?.contains("(") ?? false {
      throw invalid(
        "property '\(property.name)' has a length, and its column's type another",
        remedy: "Give one of them.")
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
        "the column of property '\(property.name)' has a type that is none",
        remedy: "Give words, and numbers in parentheses: `VARCHAR(40)`.")
    }
    let affinity = Schema.Column.affinity(ofType: property.declaredType)
    guard property.type.isKeptExactly(by: affinity) else {
      throw invalid(
        "the column of property '\(property.name)' is \(type), which has the affinity \(affinity): the "
          + "engine would not keep every \(property.type.rawValue) as it is",
        remedy: "Give a type of the affinity \(property.type.columnType).")
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
      throw refused("cannot be read", "Give SQL such as `CHECK (\"age\" >= 0)`.")
    }
    if tokens.contains(where: { $0.name?.asciiLowercased.hasPrefix("ov_") ?? false }) {
      throw refused("name what is the library's own", "Use what every program knows.")
    }
    for constraint in text.columns[0].constraints {
      switch constraint.kind {
      case .check: break
      case .default:
        if property.defaultValue != nil || isPartOfObjectID(position)
          || text.columns[0].constraints.count(where: { $0.kind == .default }) > 1
        {
          throw refused(
            "have a default, and the property another or none",
            "Give one default, to a property that is no objectID.")
        }
      case .collate:
        // The meaning of a condition must not depend on the file.
        if constraint.tokens.last?.name?.asciiLowercased != "binary" {
          throw refused(
            "have a collation, and conditions compare texts by their bytes",
            "Say `[c]` in conditions and sorts where case does not count.")
        }
      case .notNull, .null:
        throw refused("say whether it may be nil", "Its type says so.")
      case .primaryKey: throw refused("make a primary key", "Make the property the objectID.")
      case .unique: throw refused("make it unique", "Give the class a unique index.")
      case .references, .foreignKey:
        throw refused("make a foreign key", "Make the property a reference.")
      case .generated: throw refused("generate its values", "The property gives them.")
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
