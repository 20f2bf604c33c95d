internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Takes objects from a file into a class; all of them, or none.",
    discussion: """
      FILE is JSON (an array of objects, or an object with exactly one array in it), JSON Lines, \
      or CSV in UTF-8 with a header, in which an empty field is nil and "" is text of no \
      characters. Without --format the suffix decides (.json, .jsonl, .ndjson, .csv), then the \
      content. JSON Lines and CSV are not kept in memory, except from a pipe into a new class, \
      which takes two looks.

      A class that is not in the vault yet is made: its types are found in the values (integers \
      Int, numbers Double, true and false Bool, text String, arrays and objects JSON), and a \
      property that is nil or missing somewhere is optional. Say --type where that is not meant, \
      as in --type born:Date or --type 'price:Decimal?'. The types are Bool, Int, Int8 to Int64, \
      UInt, UInt8 to UInt64, Float, Double, String, Character, Data (in base64), Date (ISO 8601 \
      with a zone, or seconds since 1970), UUID, URL, Decimal and JSON. Without --object-id the \
      vault numbers the objects; a column 'objectID' gives the numbers.

      Objects for a class that exists must fit it. A failed import changes nothing.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Argument(help: "The file, or - for standard input.")
  var file: String

  @Option(
    name: .customLong("object-id"),
    help: ArgumentHelp(
      "The property that is the objectID of a new class; several make a composite one.",
      valueName: "property"))
  var objectID: [String] = []

  @Option(
    help: ArgumentHelp(
      "The type of a property of a new class; ? after the type makes it optional.",
      valueName: "name:Type"),
    transform: TypeOverride.init(argument:))
  var type: [TypeOverride] = []

  @Option(help: "The form of the file.")
  var format: FileFormat?

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    if file == "-", options.keys.usesStandardInput {
      throw ValidationError("Standard input cannot hold both the key and the file.")
    }
  }

  func run() throws {
    if file != "-" {
      try ExistingFile.check(file, isWhat: "file")
      if ExistingFile.isPart(file, ofVault: options.vault) {
        throw ToolError(
          .usage, "'\(PrintableText.escaped(file))' is the vault itself. Give the file to import.")
      }
    }
    let vault = try options.open(for: .writing)
    let reporter = progress.reporter
    defer { reporter.finish() }
    do {
      let input = try ByteInput(path: file)
      let source = try RecordSources.open(input, path: file, format: format)
      let importer = Importer(
        vault: vault, className: className, objectID: objectID, overrides: type,
        progress: reporter)
      let result = try importer.run(source, input: input.name)
      vault.close()
      let name = PrintableText.escaped(className)
      try StandardOutput.shared.write(
        "Imported \(counted(result.count, "object")) into "
          + "\(result.isNewClass ? "the new class" : "class") '\(name)'.\n")
    } catch let error as ToolError {
      reporter.finish()
      throw ToolError(error.status, error.message + " Nothing was imported.")
    }
  }
}
