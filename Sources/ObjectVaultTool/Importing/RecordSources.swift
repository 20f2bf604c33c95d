import ObjectVaultCore

/// The detection of an import file's format.
enum RecordSources {
  /// Opens an import file.
  ///
  /// - Parameters:
  ///   - input: The content of the file.
  ///   - path: The path of the file.
  ///   - format: The format given on the command line; `nil` to use the suffix and the content.
  ///   - delimiter: The delimiter of CSV; `nil` to detect it.
  /// - Returns: The records of the file.
  /// - Throws: ``ToolError`` if the file is empty, invalid or cannot be read.
  static func open(
    _ input: ByteInput, path: String, format: ImportFormat?, delimiter: CSVDelimiter?
  ) throws -> any RecordSource {
    switch format ?? ImportFormat(suffixOf: path) {
    case .csv: return try CSVRecords(input, delimiter: delimiter)
    case .tsv: return try CSVRecords(input, delimiter: delimiter ?? .tab)
    case .jsonl: return JSONLines(input)
    case .json: return try json(input)
    case nil:
      guard let first = try input.peek() else {
        throw ToolError(.badData, "\(input.name) is empty.")
      }
      // A CSV file never begins with one of these characters.
      let isJSON = isJSONSpace(first) || "[{".utf8.contains(first)
      return isJSON ? try json(input) : try CSVRecords(input, delimiter: delimiter)
    }
  }

  /// Returns a document, or JSON Lines if the first line is an object and another line follows.
  private static func json(_ input: ByteInput) throws -> any RecordSource {
    var lines: [[UInt8]] = []
    while let line = try input.nextLine() {
      lines.append(line)
      if !line.allSatisfy(isJSONSpace) { break }
    }
    if let line = lines.last, line.first(where: { !isJSONSpace($0) }) == UInt8(ascii: "{"),
      case .object? = try? JSONParser.parse(line)
    {
      while let next = try input.nextLine() {
        lines.append(next)
        if !next.allSatisfy(isJSONSpace) { return JSONLines(input, pending: lines) }
      }
    }
    var start = Array(lines.joined(separator: [0x0A]))
    if try input.peek() != nil { start.append(0x0A) }
    return try JSONDocument(input.rest(after: start), input: input.name)
  }
}
