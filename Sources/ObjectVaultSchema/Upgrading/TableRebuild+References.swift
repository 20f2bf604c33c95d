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
  /// are upgraded.
  private mutating func keepFormerKey(for rebuilds: [TableRebuild], in schema: Schema) throws {
    let former = table.keyColumns.map { renamed[$0.asciiLowercased] ?? $0 }
    let wanted = former.map(\.asciiLowercased)
    let columns = Set(text.columns.map(\.name.asciiLowercased))
    guard !former.isEmpty, wanted.allSatisfy(columns.contains) else { return }
    var isReferredTo = false
    let rebuilt = Set(rebuilds.map(\.table.name))
    for rebuild in rebuilds {
      isReferredTo = isReferredTo || rebuild.text.referredColumns(of: name).contains(wanted)
    }
    for other in try schema.tables() where !rebuilt.contains(other) {
      let keys = try schema.foreignKeys(of: other)
      isReferredTo =
        isReferredTo
        || keys.contains {
          $0.table.asciiLowercased == name.asciiLowercased
            && $0.targetColumns.map(\.asciiLowercased) == wanted
        }
    }
    guard isReferredTo else { return }
    text.constraints.append(
      .init(kind: .unique, tokens: SQLToken.tokens(of: "UNIQUE (\(SQL.list(former)))")))
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
