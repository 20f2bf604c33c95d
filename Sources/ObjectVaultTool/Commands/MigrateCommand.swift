internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate the tables of a vault to new classes, or show what that would change.",
    discussion: """
      SCHEMA describes the classes: the output of 'classes --format json', or a snapshot that the \
      tests of a program store. The migration is one transaction. A change that would lose data is \
      rejected, with the property and the first objects concerned. Migration steps in the code of \
      a program are not run: only the program can run them.

      With --rehearse a copy is upgraded, encrypted with a random key, and removed. The output \
      shows the schema statements that change, the objects of each class before and after with a \
      digest of their values, and the duration; the exit status is 1 if the upgrade would be \
      rejected.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(
    help: ArgumentHelp("A file that describes the classes.", valueName: "schema"),
    completion: .file())
  var schema: String

  @Flag(help: "Migrate a copy, and report the result.")
  var rehearse = false

  @Option(
    help: ArgumentHelp(
      "Back the vault up to a file first, with the same key; nothing may exist there.",
      valueName: "file"),
    completion: .file())
  var backup: String?

  func validate() throws {
    if rehearse, backup != nil {
      throw ValidationError("--backup cannot be combined with --rehearse, which changes nothing.")
    }
  }

  func run() throws {
    try ExistingFile.check(options.vault, isWhat: "vault")
    try ExistingFile.check(schema, isWhat: "file")
    let backup = try backup.map(ExistingFile.plain)
    if let backup {
      try ExistingFile.refuseTaken(backup)
      try ExistingFile.refuseKeyring(besideVault: backup)
    }
    let classes = try SchemaSnapshot.descriptions(in: ByteInput(path: schema).rest())
    let vault = try options.open(for: .writing)
    if rehearse {
      let rehearsal = try vault.rehearseMigration(of: classes)
      return try CheckFinding.report(rehearsal.refusal == nil ? nil : .problem) {
        try StandardOutput.shared.write(rehearsal.text)
      }
    }
    if let backup { try vault.backup(to: backup) }
    for description in classes {
      _ = try vault.store(of: description, with: classes.filter { $0 != description })
    }
    vault.close()
    let count = classes.count == 1 ? "1 class" : "\(classes.count) classes"
    try StandardOutput.shared.write(
      "'\(PrintableText.escaped(options.vault))' stores \(count) as described in "
        + "'\(PrintableText.escaped(schema))'.\n")
  }
}
