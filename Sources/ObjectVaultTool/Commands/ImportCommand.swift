internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import objects from a file into a class, all or none.",
    discussion: """
      FILE is JSON (an array of objects, or an object that contains exactly one array), JSON \
      Lines, or CSV in UTF-8 with a header, in which an empty field is nil and "" is an empty \
      text. The delimiter of CSV is the comma, semicolon or tab that occurs most often in the \
      header, unless --delimiter names it. Without --format the suffix decides (.json, .jsonl, \
      .ndjson, .csv, .tsv, .tab), then the content. JSON Lines and CSV are streamed, except from a \
      pipe into a new class, which must be read twice.

      If the class does not exist, it is created: its types are derived from the values (integers \
      Int, numbers Double, true and false Bool, text String, arrays and objects JSON), and a \
      property that is nil or missing in any object is optional. Use --type for another type, as \
      in --type born:Date or --type 'price:Decimal?'. The types are Bool, Int, Int8 to Int64, \
      UInt, UInt8 to UInt64, Float, Double, String, Character, Data (in base64), Date (ISO 8601 \
      with a zone, or seconds since 1970), UUID, URL, Decimal and JSON. Without --object-id the \
      objects get generated IDs; a column 'objectID' provides them.

      Objects for an existing class must match its properties. A failed import changes nothing.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Argument(help: "The file, or - for standard input.", completion: .file())
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
  var format: ImportFormat?

  @Option(
    help: ArgumentHelp(
      "The delimiter of CSV: comma, semicolon, tab, or the character itself.",
      valueName: "character"))
  var delimiter: CSVDelimiter?

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    if file == "-", options.keys.usesStandardInput {
      throw ValidationError(
        "Standard input cannot provide both the key and the file. Name a file for one of them.")
    }
  }

  func run() throws {
    if file != "-" {
      try ExistingFile.check(file, isWhat: "file")
      if ExistingFile.isPart(file, ofVault: options.vault, keyring: options.keys.slots.keyring) {
        throw ToolError(
          .usage,
          "'\(PrintableText.escaped(file))' belongs to the vault itself. Name the file to import.")
      }
    }
    let vault = try options.open(for: .writing)
    let reporter = progress.reporter
    defer { reporter.finish() }
    let result: Importer.Result
    let csvDelimiter: CSVDelimiter?
    do {
      let input = try ByteInput(path: file)
      let source = try RecordSources.open(
        input, path: file, format: format, delimiter: delimiter)
      if delimiter != nil, !(source is CSVRecords) {
        throw ToolError(.usage, "--delimiter requires CSV, but \(input.name) is JSON. Omit it.")
      }
      let importer = Importer(
        vault: vault, className: className, objectID: objectID, overrides: type,
        progress: reporter)
      result = try importer.run(source, input: input.name)
      csvDelimiter = (source as? CSVRecords)?.delimiter
    } catch let error as ToolError {
      reporter.finish()
      throw ToolError(error.status, error.message + " Nothing was imported.")
    }
    vault.close()
    reporter.finish()
    for warning in result.warnings { Warning.write(warning) }
    try StandardOutput.shared.write(text(of: result, delimiter: csvDelimiter))
  }

  /// Returns the summary: the number of objects, and the types of a new class.
  private func text(of result: Importer.Result, delimiter: CSVDelimiter?) -> String {
    let name = PrintableText.escaped(className)
    let count = counted(result.count, "object")
    guard let newClass = result.newClass else {
      return "Imported \(count) into class '\(name)'.\n"
    }
    let types = newClass.properties.map { "\(PrintableText.escaped($0.name)) \($0.typeName)" }
    var text = "Imported \(count) into the new class '\(name)'.\n"
    if let delimiter, delimiter != .comma { text += "Delimiter: \(delimiter.name).\n" }
    if !types.isEmpty { text += "Types: \(types.joined(separator: ", ")).\n" }
    return text
  }
}
