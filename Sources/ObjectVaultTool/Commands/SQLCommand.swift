internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

struct SQLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Run an SQL statement and show its rows.",
    discussion: """
      ? in the STATEMENT is the placeholder for the next --arg, which is bound as text and is \
      never part of the statement. A column of numbers compares it as a number; CAST(? AS INTEGER) \
      converts it.

      The vault is only read: a statement that would change it fails, unless --write is given. \
      Then the statement runs as one transaction, and the number of changed rows is printed. \
      Neither changes keys, settings or the internal tables of the library.

      Formats are those of 'query'. Values are shown as they are stored: a date as seconds since \
      1970, a Bool as 0 or 1.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: "One statement, such as \"SELECT name FROM Student WHERE age >= ?\".")
  var statement: String

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The value of the next ? in the statement.", valueName: "value"))
  var arg: [String] = []

  @Flag(help: "Run a statement that changes the vault.")
  var write = false

  @Option(help: "The form of the output.")
  var format = ObjectFormat.table

  func validate() throws {
    if write, format != .table {
      throw ValidationError(
        "--format cannot be combined with --write, which prints the number of changed rows.")
    }
  }

  func run() throws {
    let vault = try options.open(for: write ? .writing : .reading)
    let statement = SQLStatement(unchecked: statement, values: arg.map { .text($0) })
    do {
      try run(statement, on: vault)
    } catch let error as VaultError where error.code == .engineRefused {
      throw ToolError(.usage, error.message)
    } catch let error as VaultError where error.code == .readOnly && !write {
      throw ToolError(
        .usage, "The statement would change the vault. Use --write to allow that.")
    }
  }

  private func run(_ statement: SQLStatement, on vault: Vault) throws {
    if write {
      let changed = try vault.execute(statement)
      vault.close()
      return try StandardOutput.shared.write("Changed \(counted(changed, "row")).\n")
    }
    var writer: (any ObjectWriter)?
    try vault.forEachRow(statement) { names in
      writer = try self.writer(of: names)
    } _: { row in
      try Row.withValues(row.values) { try writer?.write($0) }
    }
    try writer?.finish()
  }

  private func writer(of names: [String]) throws -> any ObjectWriter {
    if [.json, .jsonl].contains(format), Set(names).count < names.count {
      throw ToolError(
        .usage,
        "Several columns have the same name, which JSON does not allow. Rename them with AS, or "
          + "use another --format.")
    }
    return try format.writer(
      of: names.enumerated().map { ObjectColumn(name: $1, position: $0) },
      to: StandardOutput.shared, lineWidth: StandardOutput.terminalWidth)
  }
}
