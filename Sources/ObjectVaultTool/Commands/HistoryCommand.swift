internal import ArgumentParser
import Foundation
import ObjectVaultCore
import ObjectVaultTerminal

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show the recorded changes of objects.",
    discussion: """
      Classes declared with 'history: .changes' record the insertion, update and removal of each \
      object: time, author, object ID and the names of changed properties, but no values. Without \
      --since the list begins with the oldest stored change. The last line, or "position" with \
      --format json, is the position for a later --since.

      With --format json the result is one object: "changes" (each with "position", "time", "author", \
      "class", "kind", "objectID" as an array, and "properties"), "position" and "more".

      The exit status is 65 if changes after the position are no longer stored.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: ArgumentHelp("The classes; all by default.", valueName: "class"))
  var classNames: [String] = []

  @Option(help: ArgumentHelp("Show changes after this position.", valueName: "position"))
  var since: String?

  @Option(help: "The maximum number of changes.")
  var limit = 1_000

  @Option(help: "The form of the output.")
  var format = ClassesCommand.Format.table

  func validate() throws {
    if let since, HistoryPosition(since) == nil {
      throw ValidationError("--since must be a position that 'history' printed, such as 42-0.")
    }
    if limit < 1 { throw ValidationError("--limit must be at least 1.") }
  }

  func run() throws {
    let vault = try options.open(for: .reading)
    let found = try vault.changes(
      since: since.flatMap { HistoryPosition($0) }, ofClassesNamed: classNames, limit: limit)
    switch format {
    case .json: try StandardOutput.shared.write(found.json.indentedText + "\n")
    case .table: try print(found)
    }
  }

  private func print(_ found: ObjectChanges) throws {
    let table = TextTable(
      ["time", "author", "class", "object ID", "change", "properties"]
        .map { .init(title: $0, alignment: .left) },
      to: StandardOutput.shared, lineWidth: StandardOutput.terminalWidth)
    for change in found.changes {
      let id = change.objectID?.objectIDParts.map { ObjectColumn(name: "", position: 0).cell($0) }
      try table.add([
        ExchangedValue.plain(change.time, .date) ?? "", change.author ?? "", change.className,
        id?.joined(separator: ", ") ?? "", change.kind.rawValue,
        change.properties.joined(separator: ", "),
      ])
    }
    try table.finish()
    try StandardOutput.shared.write(
      "Position: \(found.position)\(found.mayHaveMore ? " (more changes follow)" : "")\n")
  }
}

extension ObjectChanges {
  fileprivate var json: JSONValue {
    .object([
      .init("changes", .array(changes.map(\.json))),
      .init("position", .string("\(position)")), .init("more", .bool(mayHaveMore)),
    ])
  }
}

extension ObjectChange {
  /// The time as a stored date.
  fileprivate var time: StoredValue { .real(date.timeIntervalSince1970) }

  fileprivate var json: JSONValue {
    .object([
      .init("position", .string("\(position)")),
      .init("time", ExchangedValue.json(time, .date)),
      .init("author", author.map(JSONValue.string) ?? .null),
      .init("class", .string(className)), .init("kind", .string(kind.rawValue)),
      .init(
        "objectID",
        .array(
          (objectID?.objectIDParts ?? []).map {
            ExchangedValue.json($0, ObjectColumn.type(of: $0))
          })),
      .init("properties", .array(properties.map(JSONValue.string))),
    ])
  }
}
