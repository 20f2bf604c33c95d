import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension TableRebuild {
  /// Returns the rebuild plans of some classes: for their tables, and for tables with foreign keys
  /// to renamed tables or columns.
  static func all(
    of classes: [ClassUpgrade], _ conversions: ValueConversions, on session: Session
  ) throws -> [TableRebuild] {
    let names = classes.compactMap(\.newNames)
    var rebuilds = try classes.compactMap { try $0.rebuild(conversions, names) }
    let schema = Schema(on: session)
    let own = Set(rebuilds.map(\.table.name))
    for name in try schema.tables() where !own.contains(name) {
      if let rebuild = try TableRebuild(redirecting: name, to: names, in: schema) {
        rebuilds.append(rebuild)
      }
    }
    for (index, upgrade) in classes.filter(\.needsRebuild).enumerated()
    where upgrade.change?.changesObjectID == true {
      try rebuilds[index].keepFormerKey(for: rebuilds, in: schema)
    }
    try endFormerKeys(&rebuilds, in: schema)
    return rebuilds
  }

  /// Creates a plan that changes only the targets of a table's foreign keys, or `nil` if they do
  /// not change.
  init?(
    redirecting name: String, to names: [TableNames], in schema: Schema
  ) throws {
    let keys = try schema.foreignKeys(of: name)
    let isConcerned = keys.contains { key in
      names.contains { target in
        key.table.asciiLowercased == target.former.asciiLowercased
          && (target.name != target.former
            || key.targetColumns.contains { target.renamed[$0.asciiLowercased] != nil })
      }
    }
    guard isConcerned else { return nil }
    let table = try PresentTable(name, in: schema)
    guard var text = table.text else { return nil }
    text.redirect(to: names)
    self.init(unchanged: table, as: text)
  }

  /// Creates a plan that retains the rows unchanged, in the columns of the new text.
  init(unchanged table: PresentTable, as text: TableText) {
    var sources = text.columns
      .filter { column in !column.constraints.contains { $0.kind == .generated } }
      .map { Source(column: $0.name, expression: "o.\(SQL.quoted($0.name))") }
    if text.rowIDColumn == nil, let old = table.rowIDName, let new = text.rowIDName {
      sources.append(Source(column: new, expression: "o.\(old)"))
    }
    self.init(
      table: table, name: table.name, text: text, sources: sources, values: [], renamed: [:],
      replaced: [])
  }

  /// Adds a unique constraint over the former object ID if foreign keys still refer to it.
  ///
  /// Such foreign keys belong to classes that are not upgraded yet. They follow when those classes
  /// are upgraded, which also removes the constraint.
  private mutating func keepFormerKey(for rebuilds: [TableRebuild], in schema: Schema) throws {
    let former = table.keyColumns.map { renamed[$0.asciiLowercased] ?? $0 }
    let wanted = former.map(\.asciiLowercased)
    let columns = Set(text.columns.map(\.name.asciiLowercased))
    guard !former.isEmpty, wanted.allSatisfy(columns.contains) else { return }
    guard try Self.isReferred(to: name, wanted, after: rebuilds, in: schema) else { return }
    text.constraints.append(.formerKey(former))
  }

  /// Returns whether foreign keys refer to columns of a table after the rebuilds, by the new name of
  /// the table and the columns in lower case.
  private static func isReferred(
    to table: String, _ columns: [String], after rebuilds: [TableRebuild], in schema: Schema
  ) throws -> Bool {
    if rebuilds.contains(where: { $0.text.referredColumns(of: table).contains(columns) }) {
      return true
    }
    let rebuilt = Set(rebuilds.map(\.table.name))
    return try schema.foreignKeys().contains { other, keys in
      !rebuilt.contains(other)
        && keys.contains {
          $0.table.asciiLowercased == table.asciiLowercased
            && $0.targetColumns.map(\.asciiLowercased) == columns
        }
    }
  }

  /// Removes the unique constraints over former object IDs to which no foreign key refers any more,
  /// and those over columns that are the object ID again.
  private static func endFormerKeys(
    _ rebuilds: inout [TableRebuild], in schema: Schema
  ) throws {
    func outdated(_ text: TableText, of table: String) throws -> [TableText.Constraint] {
      try text.constraints.filter { constraint in
        guard constraint.isFormerKey else { return false }
        let columns = constraint.columns.map(\.asciiLowercased)
        return try text.keyColumns == columns
          || !isReferred(to: table, columns, after: rebuilds, in: schema)
      }
    }
    for index in rebuilds.indices {
      let ended = try outdated(rebuilds[index].text, of: rebuilds[index].name).map(\.tokens)
      rebuilds[index].text.constraints.removeAll { ended.contains($0.tokens) }
    }
    let rebuilt = Set(rebuilds.map(\.table.name))
    for name in try schema.tables() where !rebuilt.contains(name) {
      guard var text = TableText(try schema.statement(ofTable: name)) else { continue }
      let ended = try outdated(text, of: name).map(\.tokens)
      if ended.isEmpty { continue }
      text.constraints.removeAll { ended.contains($0.tokens) }
      rebuilds.append(TableRebuild(unchanged: try PresentTable(name, in: schema), as: text))
    }
  }
}

extension TableText {
  /// The columns of the primary key, in lower case.
  fileprivate var keyColumns: [String] {
    let isKey: (Constraint) -> Bool = { $0.kind == .primaryKey }
    if let key = constraints.first(where: isKey) { return key.columns.map(\.asciiLowercased) }
    return columns.filter { $0.constraints.contains(where: isKey) }.map(\.name.asciiLowercased)
  }
}

extension TableText.Constraint {
  private static let formerKeyName = "ov_former_key"

  /// Returns a unique constraint over the columns of a former object ID.
  fileprivate static func formerKey(_ columns: [String]) -> Self {
    let text = "CONSTRAINT \(SQL.quoted(formerKeyName)) UNIQUE (\(SQL.list(columns)))"
    return Self(kind: .unique, tokens: SQLToken.tokens(of: text))
  }

  /// Whether it is a constraint over the columns of a former object ID.
  fileprivate var isFormerKey: Bool {
    kind == .unique && tokens.first?.keyword == "constraint"
      && tokens.dropFirst().first?.name == Self.formerKeyName
  }
}

/// The names that a table and its columns get in an upgrade.
struct TableNames {
  /// The name of the table in the file.
  let former: String
  let name: String
  /// The new names of renamed columns, by the old names in lower case.
  let renamed: [String: String]
}

extension TableText {
  /// Gives the targets of all references their new names.
  mutating func redirect(to names: [TableNames]) {
    for target in names { redirect(target.former, to: target.name, columns: target.renamed) }
  }

  /// Returns the columns named by each REFERENCES to a table, in lower case.
  fileprivate func referredColumns(of table: String) -> [[String]] {
    (columns.flatMap(\.constraints) + constraints).compactMap { constraint in
      let tokens = constraint.tokens
      guard let word = tokens.firstIndex(where: { $0.keyword == "references" }),
        word + 2 < tokens.count,
        tokens[word + 1].name?.asciiLowercased == table.asciiLowercased,
        tokens[word + 2].text == "("
      else { return nil }
      return tokens[(word + 3)...].prefix { $0.text != ")" }.filter { $0.text != "," }
        .compactMap(\.name?.asciiLowercased)
    }
  }
}
