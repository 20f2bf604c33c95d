internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what a removal would delete, without changing anything.",
    discussion: """
      Shows for each affected class how many objects would be removed, how many references of \
      remaining objects would become nil, and how many references forbid the removal. Conditions \
      are those of 'query'; without one all objects of the class are selected.

      With --format json the result is one object: "allowed" and "classes" (each with "name", \
      "table", "removed", "nullified" and "denying").

      The exit status is 1 if the removal would be rejected.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @OptionGroup var condition: OptionalCondition

  @Option(help: "The form of the output.")
  var format = ClassesCommand.Format.table

  func run() throws {
    let vault = try options.open(for: .reading)
    let store = try vault.store(named: className)
    let plan = try condition.query(of: store).deletionPlan()
    try CheckFinding.report(plan.isAllowed ? nil : .problem) {
      switch format {
      case .json: try StandardOutput.shared.write(plan.json.indentedText + "\n")
      case .table: try print(plan)
      }
    }
  }

  private func print(_ plan: DeletionPlan) throws {
    let table = TextTable(
      [
        .init(title: "class", alignment: .left), .init(title: "removed", alignment: .right),
        .init(title: "set to nil", alignment: .right),
        .init(title: "forbidding", alignment: .right),
      ], to: StandardOutput.shared, lineWidth: StandardOutput.terminalWidth)
    for entry in plan.entries {
      try table.add([
        entry.className, "\(entry.removed)", "\(entry.nullified)", "\(entry.denying)",
      ])
    }
    try table.finish()
  }
}

extension DeletionPlan {
  /// The plan for programs.
  var json: JSONValue {
    .object([
      .init("allowed", .bool(isAllowed)),
      .init(
        "classes",
        .array(
          entries.map { entry in
            .object([
              .init("name", .string(entry.className)), .init("table", .string(entry.table)),
              .init("removed", .integer(entry.removed)),
              .init("nullified", .integer(entry.nullified)),
              .init("denying", .integer(entry.denying)),
            ])
          })),
    ])
  }
}
