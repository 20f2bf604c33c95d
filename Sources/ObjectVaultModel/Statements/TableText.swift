import ObjectVaultDriver

/// The parsed text of a `CREATE TABLE` statement, in which single columns can be changed.
///
/// Everything else stays as it was written: checks, collations, constraints and table options. The
/// grammar is the one in SQLite's documentation ("CREATE TABLE"). The text must be one that the
/// engine accepted and stored in its schema.
package struct TableText {
  package var columns: [Column]
  /// The table constraints: `PRIMARY KEY (…)`, `UNIQUE (…)`, `CHECK (…)`, `FOREIGN KEY (…)`.
  package var constraints: [Constraint]
  /// The table options after the parentheses, such as `WITHOUT ROWID` and `STRICT`.
  package var options: [SQLToken]

  /// The definition of a column.
  package struct Column {
    package var name: String
    /// The declared type, such as `INTEGER` or `VARCHAR ( 20 )`; may be empty.
    package var type: [SQLToken]
    package var constraints: [Constraint]
  }

  /// A constraint with its optional name: `CONSTRAINT name NOT NULL …`.
  package struct Constraint {
    package enum Kind: Hashable {
      case primaryKey, notNull, null, unique, check, `default`, collate, references, generated
      case foreignKey
    }
    package var kind: Kind
    package var tokens: [SQLToken]

    package init(kind: Kind, tokens: [SQLToken]) {
      self.kind = kind
      self.tokens = tokens
    }
  }

  /// Parses the text of a table.
  ///
  /// - Returns: `nil` for other statements: `CREATE VIRTUAL TABLE` and `CREATE TABLE … AS`.
  package init?(_ sql: String) {
    let tokens = SQLToken.tokens(of: sql)
    guard let opening = tokens.firstIndex(where: { $0.text == "(" }),
      let closing = Self.closing(of: opening, in: tokens),
      !tokens[..<opening].contains(where: { $0.keyword == "virtual" || $0.keyword == "as" })
    else { return nil }
    options = Array(tokens[(closing + 1)...])
    columns = []
    constraints = []
    for part in Self.parts(of: tokens[(opening + 1)..<closing]) {
      if let kind = Self.tableConstraint(part) {
        constraints.append(Constraint(kind: kind, tokens: Array(part)))
      } else if let column = Column(part) {
        columns.append(column)
      } else {
        return nil
      }
    }
  }

  /// Returns the statement that creates a table with the given name.
  package func statement(named name: String) -> String {
    let parts = columns.map(\.text) + constraints.map { SQLToken.text($0.tokens) }
    let ending = options.isEmpty ? "" : " " + SQLToken.text(options)
    return "CREATE TABLE \(SQL.quoted(name)) (\(parts.joined(separator: ", ")))\(ending)"
  }

  /// Renames a column everywhere in the table's own text.
  package mutating func rename(_ column: String, to name: String) {
    func renamed(_ constraint: Constraint) -> Constraint {
      var constraint = constraint
      constraint.tokens = constraint.tokens.replacing(column, with: name, in: constraint.kind)
      return constraint
    }
    for index in columns.indices {
      if columns[index].name.asciiLowercased == column.asciiLowercased {
        columns[index].name = name
      }
      columns[index].constraints = columns[index].constraints.map(renamed)
    }
    constraints = constraints.map(renamed)
  }

  // MARK: Parsing

  /// Returns the parts between commas, ignoring commas inside parentheses.
  private static func parts(of tokens: ArraySlice<SQLToken>) -> [ArraySlice<SQLToken>] {
    var parts: [ArraySlice<SQLToken>] = []
    var depth = 0
    var start = tokens.startIndex
    for index in tokens.indices {
      switch tokens[index].text {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth == 0:
        parts.append(tokens[start..<index])
        start = index + 1
      default: break
      }
    }
    parts.append(tokens[start..<tokens.endIndex])
    return parts.filter { !$0.isEmpty }
  }

  fileprivate static func closing(of opening: Int, in tokens: [SQLToken]) -> Int? {
    var depth = 0
    for index in opening..<tokens.count {
      if tokens[index].text == "(" { depth += 1 }
      if tokens[index].text == ")" {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  private static func tableConstraint(_ part: ArraySlice<SQLToken>) -> Constraint.Kind? {
    var rest = part
    if rest.first?.keyword == "constraint" { rest = rest.dropFirst(2) }
    let isNamed = rest.count < part.count
    // A column may be named like the first keyword of a constraint; the next token decides.
    let next = rest.dropFirst().first
    switch rest.first?.keyword {
    case "primary" where next?.keyword == "key": return .primaryKey
    case "foreign" where next?.keyword == "key": return .foreignKey
    case "unique" where next?.text == "(": return .unique
    case "check" where next?.text == "(": return .check
    default: return isNamed ? .check : nil
    }
  }
}

extension TableText.Column {
  fileprivate init?(_ part: ArraySlice<SQLToken>) {
    guard let name = part.first?.name else { return nil }
    self.name = name
    var tokens = Array(part.dropFirst())
    let firstConstraint =
      tokens.indices.first { Self.constraint(at: $0, in: tokens) != nil } ?? tokens.count
    type = Array(tokens[..<firstConstraint])
    constraints = []
    tokens.removeSubrange(..<firstConstraint)
    var start = 0
    while start < tokens.count, let kind = Self.constraint(at: start, in: tokens) {
      // Skip the name of a constraint and the keyword that begins it: neither begins another
      // constraint.
      var index = start + (tokens[start].keyword == "constraint" ? 3 : 1)
      var depth = 0
      while index < tokens.count {
        if tokens[index].text == "(" { depth += 1 }
        if tokens[index].text == ")" { depth -= 1 }
        if depth == 0, Self.constraint(at: index, in: tokens) != nil { break }
        index += 1
      }
      constraints.append(
        TableText.Constraint(
          kind: kind, tokens: Array(tokens[start..<min(index, tokens.count)])))
      start = index
    }
  }

  /// Returns the kind of the constraint that begins at a position, or `nil` if none begins there.
  ///
  /// Words that belong to the previous constraint begin none: the NULL of NOT NULL, the DEFAULT of
  /// SET DEFAULT, the NOT of NOT DEFERRABLE.
  private static func constraint(
    at index: Int, in tokens: [SQLToken]
  ) -> TableText.Constraint.Kind? {
    let before = index > 0 ? tokens[index - 1].keyword : nil
    let after = index + 1 < tokens.count ? tokens[index + 1].keyword : nil
    switch tokens[index].keyword {
    case "constraint":
      return index + 2 < tokens.count ? constraint(at: index + 2, in: tokens) : nil
    case "primary" where after == "key": return .primaryKey
    case "not" where after != "deferrable": return .notNull
    case "null" where before != "not" && before != "set" && before != "default": return .null
    case "unique": return .unique
    case "check": return .check
    case "default" where before != "set": return .default
    case "collate": return .collate
    case "references": return .references
    case "generated": return .generated
    case "as" where before != "always": return .generated
    default: return nil
    }
  }

  /// Whether texts in the column are not compared by their bytes.
  package var isCollated: Bool {
    constraints.contains {
      $0.kind == .collate && $0.tokens.last?.name?.asciiLowercased != "binary"
    }
  }

  /// The definition as SQL.
  package var text: String {
    let tokens = type + constraints.flatMap(\.tokens)
    return tokens.isEmpty ? SQL.quoted(name) : "\(SQL.quoted(name)) \(SQLToken.text(tokens))"
  }

  /// Replaces the column's constraint of a kind, or removes it if `sql` is `nil`.
  package mutating func set(_ kind: TableText.Constraint.Kind, to sql: String?) {
    let position = constraints.firstIndex { $0.kind == kind }
    constraints.removeAll { $0.kind == kind }
    guard let sql else { return }
    constraints.insert(
      TableText.Constraint(kind: kind, tokens: SQLToken.tokens(of: sql)),
      at: min(position ?? constraints.count, constraints.count))
  }
}

extension [SQLToken] {
  /// Returns the tokens with a column of this table renamed, but not the columns that REFERENCES
  /// names.
  fileprivate func replacing(
    _ column: String, with name: String, in kind: TableText.Constraint.Kind
  ) -> [SQLToken] {
    if kind == .references { return self }
    let end =
      kind == .foreignKey ? firstIndex { $0.keyword == "references" } ?? count : count
    return indices.map { index in
      guard index < end, self[index].kind != .string, let found = self[index].name,
        found.asciiLowercased == column.asciiLowercased,
        // Skip functions, and the name after CONSTRAINT or of a collation.
        index + 1 == count || self[index + 1].text != "(" || self[index].kind == .quotedName,
        index == 0 || !["collate", "constraint"].contains(self[index - 1].keyword)
      else { return self[index] }
      return .named(name)
    }
  }
}

extension TableText {
  /// Changes the target of every REFERENCES to a table.
  ///
  /// - Parameters:
  ///   - table: The old name of the table.
  ///   - newTable: The new name of the table.
  ///   - columns: The new names of its columns, by the old names in lower case.
  package mutating func redirect(_ table: String, to newTable: String, columns: [String: String]) {
    func redirected(_ constraint: Constraint) -> Constraint {
      var constraint = constraint
      let tokens = constraint.tokens
      guard let word = tokens.firstIndex(where: { $0.keyword == "references" }),
        word + 1 < tokens.count,
        tokens[word + 1].name?.asciiLowercased == table.asciiLowercased
      else { return constraint }
      constraint.tokens[word + 1] = .named(newTable)
      guard word + 2 < tokens.count, tokens[word + 2].text == "(" else { return constraint }
      for index in (word + 3)..<tokens.count {
        if tokens[index].text == ")" { break }
        if let name = tokens[index].name, let newName = columns[name.asciiLowercased] {
          constraint.tokens[index] = .named(newName)
        }
      }
      return constraint
    }
    for index in self.columns.indices {
      self.columns[index].constraints = self.columns[index].constraints.map(redirected)
    }
    constraints = constraints.map(redirected)
  }
}
