import ObjectVaultCore

/// The records of JSON Lines, with one object per line.
///
/// Blank lines are skipped.
final class JSONLines: RecordSource {
  private let input: ByteInput
  private var line = 0
  /// The lines that were read to detect the format.
  private var pending: [[UInt8]]

  init(_ input: ByteInput, pending: [[UInt8]] = []) {
    self.input = input
    self.pending = pending.reversed()
  }

  var header: [String]? { nil }

  func next() throws -> ImportRecord? {
    while let bytes = try pending.popLast() ?? input.nextLine() {
      line += 1
      if bytes.allSatisfy(isJSONSpace) { continue }
      let place = ImportPlace(input: input.name, unit: .line, number: line)
      let value: JSONValue
      do {
        value = try JSONParser.parse(bytes)
      } catch {
        throw ToolError(.badData, "\(place), column \(error.column): \(error.message).")
      }
      return try ImportRecord(value, place: place)
    }
    return nil
  }

  func makeRewindable() throws {
    guard input.canRewind == false else { return }
    // The lines already read are no longer in the pipe.
    let lines = pending.reversed()
    try input.makeRewindable(after: lines.flatMap { $0 + [0x0A] })
    pending = []
  }

  func rewind() throws {
    try input.rewind()
    line = 0
    pending = []
  }

  var progress: (done: Int64, total: Int64?) { (input.position, input.size) }
}

/// The records of a JSON document, which is completely in memory.
final class JSONDocument: RecordSource {
  private let input: String
  private let elements: [JSONValue]
  private var index = 0

  /// Creates the records from an array of objects, or from an object with exactly one array member.
  init(_ bytes: [UInt8], input: String) throws {
    self.input = input
    let value: JSONValue
    do {
      value = try JSONParser.parse(bytes)
    } catch {
      throw ToolError(
        .badData, "\(input), line \(error.line), column \(error.column): \(error.message).")
    }
    elements = try Self.elements(of: value, input: input)
  }

  private static func elements(of value: JSONValue, input: String) throws -> [JSONValue] {
    switch value {
    case .array(let elements): return elements
    case .object(let members):
      let arrays = members.compactMap { member -> [JSONValue]? in
        if case .array(let elements) = member.value { elements } else { nil }
      }
      if arrays.count == 1 { return arrays[0] }
      throw ToolError(
        .badData,
        "\(input) is an object with \(arrays.isEmpty ? "no" : "\(arrays.count)") arrays in it. It "
          + "must have one, with the objects to import. If each line is an object, use --format "
          + "jsonl.")
    default:
      throw ToolError(
        .badData,
        "\(input) is \(value.kind). Use an array of objects, an object with one array, or JSON "
          + "Lines.")
    }
  }

  var header: [String]? { nil }

  func next() throws -> ImportRecord? {
    guard index < elements.count else { return nil }
    defer { index += 1 }
    return try ImportRecord(
      elements[index], place: ImportPlace(input: input, unit: .record, number: index + 1))
  }

  func makeRewindable() {}
  func rewind() { index = 0 }

  var progress: (done: Int64, total: Int64?) { (Int64(index), Int64(elements.count)) }
}

extension ImportRecord {
  init(_ value: JSONValue, place: ImportPlace) throws {
    guard case .object(let members) = value else {
      throw ToolError(.badData, "\(place) is \(value.kind), not an object.")
    }
    self.place = place
    self.members = members.map { ($0.key, .json($0.value)) }
  }
}

func isJSONSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
