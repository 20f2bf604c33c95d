internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export all objects of a class in a form that 'import' reads.",
    discussion: """
      The objects are written to standard output, or with --to to a file that only you can read. \
      The file gets its name when it is complete. An existing file is replaced only with --yes. \
      Without --format the suffix decides (.json, .jsonl, .ndjson, .csv); the default is json. \
      Exported data is no longer encrypted. A value that an import would read as another one ends \
      the export with an error, such as bytes that another program stored in a property of type \
      String.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  var to: String?

  @Option(help: "The form of the output.")
  var format: FileFormat?

  @Flag(
    help: ArgumentHelp(
      "With CSV for a spreadsheet: put an apostrophe before text that it would run as a "
        + "formula (=, +, -, @). An import does not remove it."))
  var escapeFormulas = false

  @Flag(help: "Replace an existing file.")
  var yes = false

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    let format = format ?? to.flatMap(FileFormat.init(suffixOf:)) ?? .json
    if escapeFormulas, format != .csv {
      throw ValidationError("--escape-formulas requires CSV. Add --format csv.")
    }
  }

  func run() throws {
    if let to { try refuse(to) }
    let vault = try options.open(for: .reading)
    let reporter = progress.reporter
    defer { reporter.finish() }
    let store = try vault.store(named: className)
    guard let to else {
      try write(store, as: format ?? .json, to: StandardOutput.shared, reporter)
      return
    }
    let file = try NewFile(at: to, replacing: yes)
    let count = try write(
      store, as: format ?? FileFormat(suffixOf: to) ?? .json, to: file.output, reporter)
    try file.commit()
    reporter.finish()
    try StandardOutput.shared.write(
      "Exported \(counted(count, "object")) to '\(PrintableText.escaped(to))' in plaintext.\n")
  }

  private func refuse(_ path: String) throws {
    let name = PrintableText.escaped(path)
    if ExistingFile.isPart(path, ofVault: options.vault, keyring: options.keys.slots.keyring) {
      throw ToolError(
        .usage, "'\(name)' belongs to the vault itself. Use another file for --to.")
    }
    try ExistingFile.refuseCompanion(path)
    if let file = ExistingFile(path), !file.isRegular {
      throw ToolError(
        .cannotCreate,
        "'\(name)' is not a regular file. Omit --to and redirect standard output.")
    }
    if ExistingFile.isTaken(path), !yes {
      throw ToolError(
        .cannotCreate, "'\(name)' already exists. Use another name, or --yes to replace it.")
    }
  }

  @discardableResult
  private func write(
    _ store: ObjectStore<DynamicObject>, as format: FileFormat, to output: any ByteOutput,
    _ reporter: ProgressReporter
  ) throws -> Int {
    let total = Int64(try store.count())
    let writer = try format.objectFormat.writer(
      of: store.classDescription, to: output,
      lineWidth: to == nil ? StandardOutput.terminalWidth : nil, escapingFormulas: escapeFormulas)
    var done = 0
    try store.query.forEachRow { row in
      try writer.write(row)
      done += 1
      reporter.update("exporting", (Int64(done), total))
    }
    try writer.finish()
    reporter.endPhase((Int64(done), total))
    return done
  }
}
