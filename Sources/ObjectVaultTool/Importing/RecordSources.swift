import ObjectVaultCore

/// Finds out what an import file is.
enum RecordSources {
  /// - Parameters:
  ///   - format: What the command line says; `nil` to go by the suffix and the content.
  ///   - delimiter: The delimiter of CSV; `nil` to find it.
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
      // Whatever else a CSV file begins with, it is none of these.
      let isJSON = isJSONSpace(first) || "[{".utf8.contains(first)
      return isJSON ? try json(input) : try CSVRecords(input, delimiter: delimiter)
    }
  }

  /// A document, or JSON Lines where the first line is an object and another line follows.
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
    var bytes = Array(lines.joined(separator: [0x0A]))
    let rest = try input.rest()
    if !rest.isEmpty {
      bytes.append(0x0A)
      bytes.append(contentsOf: rest)
    }
    return try JSONDocument(bytes, input: input.name)
  }
}
