internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Query the objects of a class.",
    discussion: """
      A CONDITION compares properties with values, as in "name BEGINSWITH 'S' && (age >= 18 || \
      note != nil)". %@ is the placeholder for the next --arg, which is compared as given and \
      needs no quotes. A condition with a syntax error or an unknown name ends with exit status 64 \
      and shows the position.

      Formats: table, for people (an empty cell is nil, "" is an empty text, long values are cut); \
      json, one array of objects; jsonl, one object per line; csv, with a header. All but the \
      table show whole values: integers as digits, Data as base64, dates in ISO 8601, decimals as \
      text, nil as null or an empty field. A value that 'import' would read as another one is an \
      error, as for 'export'.

      --explain shows how the query runs instead: the condition as a tree, the statement with ? \
      for every value, the plan of the engine, an estimate of the rows that it reads, and the \
      index that would help, as a class declares it. --apply-index creates that index in the file; \
      declare it in the class too, or the next program that opens the vault removes it.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @OptionGroup var condition: OptionalCondition

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The terms to search for in the full-text index of the class, as in 'plan* NOT draft'.",
      valueName: "terms"))
  var search: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The properties to sort by, separated by commas; - before one sorts descending, [c] "
        + "after one ignores case, [d] ignores marks. A text that is itself the name of a "
        + "property, such as '-x', selects that property.",
      valueName: "name[c],-age"))
  var sort: [String] = []

  @Option(parsing: .unconditional, help: "The number of objects to skip.")
  var offset = 0

  @Option(parsing: .unconditional, help: "The greatest number of objects to show.")
  var length: Int?

  @Flag(help: "Print only the number of objects.")
  var count = false

  @Flag(help: "Explain how the query runs instead of showing objects.")
  var explain = false

  @Flag(help: "Explain, and create the index that would help.")
  var applyIndex = false

  @Option(help: "The form of the output.")
  var format = ObjectFormat.table

  @Flag(
    help: ArgumentHelp(
      "With CSV for a spreadsheet: put an apostrophe before text that it would run as a "
        + "formula (=, +, -, @)."))
  var escapeFormulas = false

  func validate() throws {
    if escapeFormulas, format != .csv {
      throw ValidationError("--escape-formulas requires --format csv.")
    }
    if count, explain || applyIndex {
      throw ValidationError("--count cannot be combined with --explain or --apply-index.")
    }
    if explain || applyIndex, format != .table {
      throw ValidationError("--format cannot be combined with --explain or --apply-index.")
    }
  }

  func run() throws {
    let vault = try options.open(for: applyIndex ? .writing : .reading)
    let store = try vault.store(named: className)
    let sorts = try Self.sorts(sort, of: store.classDescription)
    var query = try condition.query(of: store).sorted(by: sorts).range(
      offset: offset, length: length)
    if let search { query = query.search(search) }
    if count {
      try StandardOutput.shared.write("\(try query.count())\n")
      return
    }
    if explain || applyIndex {
      let explanation = try query.explain()
      try StandardOutput.shared.write(PrintableText.escapedLines("\(explanation)") + "\n")
      if applyIndex { try apply(explanation.suggestions, to: store.classDescription, of: vault) }
      return
    }
    let writer = try format.writer(
      of: store.classDescription, to: StandardOutput.shared,
      lineWidth: StandardOutput.terminalWidth, escapingFormulas: escapeFormulas)
    try query.forEachRow(writer.write)
    try writer.finish()
  }

  /// Returns the sort orders for texts such as `name[c],-age`.
  ///
  /// The name of a property may contain these characters: a whole text, or a part between commas,
  /// that is the name of a property selects that property.
  ///
  /// - Throws: ``ToolError`` for a text without a name before, between or after its commas.
  static func sorts(_ words: [String], of description: ClassDescription) throws -> [Sort] {
    try words.flatMap { word in
      if let order = order(word, of: description) { return [order] }
      let names = word.split(separator: ",", omittingEmptySubsequences: false)
      if names.contains(where: \.isEmpty) {
        throw ToolError(
          .usage,
          word.isEmpty
            ? "The sort order is empty. Name a property, as in 'name,-age'."
            : "The sort order '\(PrintableText.escaped(word))' lacks a property before or after a "
              + "comma. Write it as in 'name,-age'.")
      }
      return names.map { order(String($0), of: description) ?? Sort(spelling: $0) }
    }
  }

  /// Returns the sort order for a text that names a property of the class, or `nil`.
  private static func order(_ text: String, of description: ClassDescription) -> Sort? {
    func isName(_ name: String) -> Bool { description.properties.contains { $0.name == name } }
    if isName(text) { return .ascending(text) }
    if text.hasPrefix("-"), isName(String(text.dropFirst())) {
      return .descending(String(text.dropFirst()))
    }
    let spelled = Sort(spelling: text)
    return isName(spelled.property) ? spelled : nil
  }

  /// Creates the suggested indexes as if the class declared them.
  private func apply(
    _ suggestions: [IndexSuggestion], to description: ClassDescription, of vault: Vault
  ) throws {
    guard !suggestions.isEmpty else {
      return try StandardOutput.shared.write("No index was created: none would help.\n")
    }
    guard try vault.knownClasses().described.contains(where: { $0.table == description.table })
    else {
      throw ToolError(
        .badData,
        "Another program created the table '\(description.table)'. Create the index with that "
          + "program."
      )
    }
    var indexed = description
    indexed.indexes += suggestions.map(\.index)
    _ = try vault.store(of: indexed)
    for suggestion in suggestions {
      let names = suggestion.index.properties.joined(separator: ", ")
      try StandardOutput.shared.write(
        "Created an index over \(PrintableText.escaped(names)). Declare it, or the program removes "
          + "it.\n")
    }
  }
}

/// An optional condition and its arguments.
struct OptionalCondition: ParsableArguments {
  @Argument(help: "The condition that selects the objects; all if it is missing.")
  var condition: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The value of the next %@ in the condition.", valueName: "value"))
  var arg: [String] = []

  func validate() throws {
    if condition == nil, !arg.isEmpty {
      throw ValidationError("--arg requires a condition with a placeholder %@.")
    }
  }

  func query(of store: ObjectStore<DynamicObject>) throws -> Query<DynamicObject> {
    guard let condition else { return store.query }
    return store.where(condition, arguments: arg.map { $0 })
  }
}
