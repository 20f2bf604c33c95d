internal import ArgumentParser
import ObjectVaultEngine
import ObjectVaultTerminal
import ObjectVaultCore

struct ClassesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classes",
    abstract: "List the classes of a vault and show how the file is encrypted.",
    discussion: """
      A table of another program is listed as a class if its columns and primary key allow it. \
      Other tables are listed at the end, with the reason. If the stock sqlcipher shell of the \
      installed version needs more than the key to open the file, the statements are shown; run \
      them after PRAGMA key.

      With --format json the result is one object: "vault", "cipher" ("format", "pageSize", \
      "header"), "engine" ("version", "newestFormat"), "shell" (an array of statements) and \
      "classes" (each with "name", "table", "objectID", "properties", "indexes" and "rows", and if \
      declared "references", "owned", "search", "columnOrder", "withoutRowID", "insertionTime", \
      "history"); and "otherTables", if there are any (each with "name", "rows" and "reason").
      """)

  /// The output formats.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json
  }

  @OptionGroup var options: VaultOptions

  @Option(help: "The form of the output.")
  var format = Format.table

  func run() throws {
    let vault = try options.open(for: .reading)
    let facts = try vault.cipherInfo()
    let engine = try Engine.prove()
    let (classes, others) = try vault.read {
      (
        try vault.classes().map { ($0, try vault.rowCount(ofTable: $0.table)) },
        try vault.otherTables().map {
          OtherTable(name: $0, rows: try vault.rowCount(ofTable: $0), reason: $1)
        } + vault.classesWithoutTable().map(OtherTable.init(missingTableOf:))
      )
    }
    let statements =
      ShellStatements.needed(
        format: facts.format, pageSize: facts.pageSize, engineMajor: engine.cipherMajor)
      + (facts.header == .plaintext ? ["PRAGMA cipher_plaintext_header_size = 32;"] : [])
    switch format {
    case .json:
      var members: [JSONValue.Member] = [
        .init("vault", .string(vault.path)),
        .init(
          "cipher",
          .object([
            .init("format", .integer(facts.format)), .init("pageSize", .integer(facts.pageSize)),
            .init("header", .string(facts.header.rawValue)),
          ])),
        .init(
          "engine",
          .object([
            .init("version", .string(engine.cipherVersion)),
            .init("newestFormat", .integer(engine.newestCipherFormat)),
          ])),
        .init("shell", .array(statements.map(JSONValue.string))),
        .init("classes", .array(classes.map { Self.json($0, rows: $1) })),
      ]
      if !others.isEmpty {
        members.append(.init("otherTables", .array(others.map(\.jsonValue))))
      }
      try StandardOutput.shared.write(JSONValue.object(members).indentedText + "\n")
    case .table:
      try printFacts(vault.path, facts, engine, statements)
      for (description, rows) in classes { try print(description, rows: rows) }
      if classes.isEmpty, others.isEmpty {
        try StandardOutput.shared.write("\nNo classes yet.\n")
      }
      try print(others)
    }
  }

  /// A table that cannot be used as a class.
  private struct OtherTable {
    let name: String
    let rows: Int
    /// Why it cannot be used, as a clause.
    let reason: String

    init(name: String, rows: Int, reason: String) {
      (self.name, self.rows, self.reason) = (name, rows, reason)
    }

    init(missingTableOf description: ClassDescription) {
      self.init(
        name: description.table, rows: 0,
        reason: "the file describes class '\(description.name)', but its table is missing, and a "
          + "program that requests the class's store creates it again")
    }

    var jsonValue: JSONValue {
      .object([
        .init("name", .string(name)), .init("rows", .integer(rows)),
        .init("reason", .string(reason)),
      ])
    }
  }

  private func print(_ others: [OtherTable]) throws {
    guard !others.isEmpty else { return }
    var text = "\nTables that cannot be used as classes ('sql' reads them):\n"
    for table in others {
      text +=
        "  \(PrintableText.escaped(table.name)): \(counted(table.rows, "row")); "
        + "\(PrintableText.escaped(table.reason))\n"
    }
    try StandardOutput.shared.write(text)
  }

  private static func json(_ description: ClassDescription, rows: Int) -> JSONValue {
    guard case .object(let members) = description.jsonValue else { return description.jsonValue }
    return .object(members + [.init("rows", .integer(rows))])
  }

  private func printFacts(
    _ path: String, _ facts: CipherInfo, _ engine: EngineInfo, _ statements: [String]
  ) throws {
    var text = """
      \(PrintableText.escaped(path)): \(facts) (SQLCipher \(engine.cipherVersion))

      """
    if !statements.isEmpty {
      text += "In the sqlcipher shell of this version, run after PRAGMA key: "
      text += statements.joined(separator: " ") + "\n"
    }
    try StandardOutput.shared.write(text)
  }

  private func print(_ description: ClassDescription, rows: Int) throws {
    let output = StandardOutput.shared
    var title = "\n\(PrintableText.escaped(description.name)): \(counted(rows, "object"))"
    if description.table != description.name {
      title += ", table '\(PrintableText.escaped(description.table))'"
    }
    if description.objectID == .generated { title += ", objectID generated" }
    try output.write(title + "\n")
    let table = TextTable(
      ["property", "type", "column", "notes"].map { .init(title: $0, alignment: .left) },
      to: output, lineWidth: StandardOutput.terminalWidth)
    for (position, property) in description.properties.enumerated() {
      try table.add([
        property.name, property.typeName, property.column == property.name ? "" : property.column,
        Self.notes(description, position),
      ])
    }
    try table.finish()
    for line in Self.remarks(description) { try output.write(PrintableText.escaped(line) + "\n") }
  }

  /// Returns the table definition of a class other than its properties, with one line for each
  /// item.
  private static func remarks(_ description: ClassDescription) -> [String] {
    func list(_ names: [String]) -> String { names.joined(separator: ", ") }
    var lines = description.indexes.filter { $0.properties.count > 1 }.map {
      "\($0.isUnique ? "unique index" : "index") over \(list($0.properties))"
    }
    lines += description.references.map {
      "\($0.name) refers to table '\($0.target)', on delete \($0.onDelete.rawValue)"
    }
    lines += description.properties.compactMap { property in
      property.definition.constraints.map { "\(property.name): \($0)" }
    }
    if let search = description.search {
      let tokenizer = search.tokenizer == .words ? "" : ", \(search.tokenizer.rawValue)"
      lines.append(
        "full-text index (\(search.module.rawValue)\(tokenizer)) over \(list(search.properties))")
    }
    switch description.options.columnOrder {
    case .declared: break
    case .keysFirst: lines.append("key columns come first")
    case .listed(let names): lines.append("first columns: \(list(names))")
    }
    if description.options.isWithoutRowID { lines.append("without rowid") }
    if description.options.keepsInsertionTime { lines.append("stores insertion times") }
    if description.options.history == .changes { lines.append("records changes") }
    return lines
  }

  private static func notes(_ description: ClassDescription, _ position: Int) -> String {
    var notes: [String] = []
    if case .properties(let positions) = description.objectID, positions.contains(position) {
      notes.append("objectID")
    }
    for index in description.indexes
    where index.properties == [description.properties[position].name] {
      notes.append(index.isUnique ? "unique" : "indexed")
    }
    let definition = description.properties[position].definition
    if let type = definition.type { notes.append("declared \(type)") }
    switch definition.length {
    case nil: break
    case .declared(let length)?: notes.append("length \(length)")
    case .atMost(let length)?: notes.append("at most \(length)")
    }
    if description.properties[position].isShared { notes.append("shared") }
    if let sealing = description.properties[position].sealing {
      let by = sealing.keyProperty.map { " by '\($0)'" } ?? ""
      notes.append((sealing.isFindable ? "sealed, findable" : "sealed") + by)
    }
    return notes.joined(separator: ", ")
  }
}

/// The statements that the stock shell needs to open a file, in addition to its key.
enum ShellStatements {
  /// Returns the statements for a file.
  ///
  /// `engineMajor` is the major version of the shell.
  static func needed(format: Int, pageSize: Int, engineMajor: Int) -> [String] {
    let setPageSize = "PRAGMA cipher_page_size = \(pageSize);"
    if engineMajor >= 4 {
      if format == 4 { return pageSize == 4096 ? [] : [setPageSize] }
      // This statement sets the page size of that version, so the actual size comes after it.
      let compatibility = "PRAGMA cipher_compatibility = \(format);"
      return pageSize == 1024 ? [compatibility] : [compatibility, setPageSize]
    }
    var statements: [String] = []
    if format == 1 { statements.append("PRAGMA cipher_use_hmac = OFF;") }
    if format < 3 { statements.append("PRAGMA kdf_iter = 4000;") }
    if pageSize != 1024 { statements.append(setPageSize) }
    return statements
  }
}
