/// A reader of CSV (RFC 4180), row by row.
///
/// Both `LF` and `CR LF` end a line. Quotes must enclose a whole field. Errors name the line, but
/// never quote its content.
struct CSVReader {
  private let input: ByteInput
  private let delimiter: CSVDelimiter
  /// The line of the next byte, counted from 1.
  private var line = 1
  private var isAtStart = true

  init(_ input: ByteInput, delimiter: CSVDelimiter) {
    self.input = input
    self.delimiter = delimiter
  }

  /// Returns the next row and its first line number, or `nil` after the last row.
  mutating func next() throws -> (line: Int, fields: [CSVField])? {
    if isAtStart {
      isAtStart = false
      try input.skipByteOrderMark()
    }
    guard try input.peek() != nil else { return nil }
    let start = line
    var fields: [CSVField] = []
    while true {
      let field = try nextField()
      fields.append(field)
      switch try input.next() {
      case delimiter.byte: continue
      case 0x0D:
        guard try input.next() == 0x0A else {
          throw failure("a carriage return must be followed by a line feed, or be in quotes")
        }
        line += 1
        return (start, fields)
      case 0x0A:
        line += 1
        return (start, fields)
      case nil: return (start, fields)
      default:
        throw failure(
          "text follows the closing quote of a field; end the field there, or quote all of it")
      }
    }
  }

  /// Returns the next field.
  ///
  /// The delimiter or line end after it is not consumed.
  private mutating func nextField() throws -> CSVField {
    if try input.peek() == UInt8(ascii: "\"") { return try quotedField() }
    var bytes: [UInt8] = []
    while let byte = try input.peek() {
      switch byte {
      case delimiter.byte, 0x0A, 0x0D:
        return CSVField(text: try text(bytes), isQuoted: false)
      case UInt8(ascii: "\""):
        throw failure("a quote inside a field without quotes; quote the field and double the quote")
      default:
        bytes.append(byte)
        _ = try input.next()
      }
    }
    return CSVField(text: try text(bytes), isQuoted: false)
  }

  private mutating func quotedField() throws -> CSVField {
    let start = line
    _ = try input.next()
    var bytes: [UInt8] = []
    while let byte = try input.next() {
      if byte == UInt8(ascii: "\"") {
        guard try input.peek() == byte else {
          return CSVField(text: try text(bytes), isQuoted: true)
        }
        _ = try input.next()
      }
      if byte == 0x0A { line += 1 }
      bytes.append(byte)
    }
    throw ToolError(
      .badData,
      "\(input.name), line \(start): the closing quote of a field is missing. Add it.")
  }

  private func text(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("the text is not UTF-8; convert the file to UTF-8")
    }
    return text
  }

  private func failure(_ message: String) -> ToolError {
    ToolError(.badData, "\(input.name), line \(line): \(message).")
  }
}
