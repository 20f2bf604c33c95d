internal import ArgumentParser
import ObjectVaultCore

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Shows the objects of a class for which a condition holds.",
    discussion: """
      A CONDITION compares properties with values, as in \
      "name BEGINSWITH 'S' && (age >= 18 || note != nil)". %@ stands for the next --arg, which is \
      compared as it stands and needs no quotes. A condition that cannot be read, or that names \
      what the class does not have, ends with exit status 64 and shows the place.

      Formats: table, for people (an empty cell is nil, "" is text of no characters, long values \
      are cut); json, one array of objects; jsonl, an object a line; csv, with a header. In all \
      but the table values are whole: integers as digits, Data as base64, dates in ISO 8601, \
      decimals as text, nil as null or an empty field.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @OptionGroup var condition: OptionalCondition

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The properties to sort by, separated by commas; - before one sorts it large first.",
      valueName: "name,-age"))
  var sort: [String] = []

  @Option(parsing: .unconditional, help: "How many objects to leave out first.")
  var offset = 0

  @Option(parsing: .unconditional, help: "How many objects to show at most.")
  var length: Int?

  @Flag(help: "Print only how many objects there are.")
  var count = false

  @Option(help: "The form of the output.")
  var format = ObjectFormat.table

  func run() throws {
    let vault = try options.open(for: .reading)
    let store = try vault.store(named: className)
    let query = try condition.query(of: store).sorted(by: sorts).range(
      offset: offset, length: length)
    if count {
      try StandardOutput.shared.write("\(try query.count())\n")
      return
    }
    let writer = try format.writer(
      of: store.classDescription, to: StandardOutput.shared,
      lineWidth: StandardOutput.terminalWidth)
    let cursor = try query.cursor()
    while let object = try cursor.next() { try writer.write(object) }
    try writer.finish()
  }

  private var sorts: [Sort] {
    sort.flatMap { $0.split(separator: ",") }.map { name in
      name.hasPrefix("-") ? .descending(String(name.dropFirst())) : .ascending(String(name))
    }
  }
}

/// A condition that may be left out, and its arguments.
struct OptionalCondition: ParsableArguments {
  @Argument(help: "Which objects; all of them where it is left out.")
  var condition: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The value of the next %@ in the condition.", valueName: "value"))
  var arg: [String] = []

  func validate() throws {
    if condition == nil, !arg.isEmpty {
      throw ValidationError("--arg is the value of a %@ in a condition, and there is none.")
    }
  }

  func query(of store: ObjectStore<DynamicObject>) throws -> Query<DynamicObject> {
    guard let condition else { return store.query }
    return try store.where(condition, arguments: arg.map { $0 })
  }
}
