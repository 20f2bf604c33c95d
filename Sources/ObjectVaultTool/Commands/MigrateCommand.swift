internal import ArgumentParser
internal import Foundation
import ObjectVaultConformance
import ObjectVaultCore

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate the tables of a vault to new classes, or show what that would change.",
    discussion: """
      SCHEMA describes the classes: what 'classes --format json' prints, or a snapshot that a program's \
      tests keep. Everything happens in one transaction, or nothing: what would lose something is \
      refused with the property and the first objects concerned. Migrations that a program has for \
      itself are not run: only it can.

      With --rehearse a copy is upgraded, encrypted under a key that nobody knows, and removed. Shown \
      are the statements of the schema that change, the objects of each class before and after with \
      a digest of their values, and how long it took; exit status 1 where the upgrade would be refused.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(
    help: ArgumentHelp("A file that describes the classes.", valueName: "schema"),
    completion: .file())
  var schema: String

  @Flag(help: "Do it on a copy, and tell what came of it.")
  var rehearse = false

  @Option(
    help: ArgumentHelp(
      "Back the vault up to a file first, under the same key; nothing may be there.",
      valueName: "file"),
    completion: .file())
  var backup: String?

  func validate() throws {
    if rehearse, backup != nil {
      throw ValidationError("A rehearsal changes nothing, so --backup does not go with --rehearse.")
    }
  }

  func run() throws {
    try ExistingFile.check(options.vault, isWhat: "vault")
    try ExistingFile.check(schema, isWhat: "file")
    if let backup { try ExistingFile.refuseTaken(backup) }
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: schema)), as: UTF8.self)
    let classes = try SchemaSnapshot.descriptions(in: text)
    let vault = try options.open(for: .writing)
    if rehearse {
      let rehearsal = try vault.rehearseMigration(of: classes)
      try StandardOutput.shared.write(rehearsal.text)
      if rehearsal.refusal != nil { throw CheckFoundSomething() }
      return
    }
    if let backup { try vault.backup(to: backup) }
    for description in classes {
      _ = try vault.store(of: description, with: classes.filter { $0 != description })
    }
    vault.close()
    let count = classes.count == 1 ? "1 class" : "\(classes.count) classes"
    try StandardOutput.shared.write(
      "'\(PrintableText.escaped(options.vault))' keeps \(count) as "
        + "'\(PrintableText.escaped(schema))' describes.\n")
  }
}
