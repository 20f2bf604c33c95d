internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove the objects of a class that match a condition.",
    discussion: """
      On a terminal it shows how many objects would be removed, including those of other classes \
      that are deleted with them ('plan' shows only that), and asks; otherwise it needs --yes. The \
      answer no ends with exit status 64. The condition TRUEPREDICATE selects all objects. \
      Conditions are those of 'query'.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Argument(help: "The condition that selects the objects.")
  var condition: String

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The value of the next %@ in the condition.", valueName: "value"))
  var arg: [String] = []

  @Flag(help: "Remove without asking.")
  var yes = false

  func run() throws {
    let vault = try options.open(for: .writing)
    let query = try vault.store(named: className).where(condition, arguments: arg.map { $0 })
    if !yes {
      let plan = try query.deletionPlan()
      if plan.removed > 0, try !isConfirmed(plan) {
        throw ToolError(.usage, "Nothing was removed.")
      }
    }
    let removed = try query.remove()
    vault.close()
    try StandardOutput.shared.write(
      "Removed \(counted(removed, "object")) of class '\(PrintableText.escaped(className))'.\n")
  }

  private func isConfirmed(_ plan: DeletionPlan) throws -> Bool {
    let gone = plan.entries.filter { $0.removed > 0 }.map { entry in
      "\(counted(entry.removed, "object")) of class '\(PrintableText.escaped(entry.className))'"
    }.joined(separator: ", ")
    guard let terminal = TerminalPrompt() else {
      throw ToolError(
        .usage,
        "\(gone) would be removed, and there is no terminal to ask on. Use --yes to remove without "
          + "confirmation. Nothing was removed.")
    }
    return try terminal.confirm("Remove \(gone)?")
  }
}
