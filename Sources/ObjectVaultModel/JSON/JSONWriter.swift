extension JSONValue {
  /// The value as JSON text without white space.
  package var compactText: String {
    var output: [UInt8] = []
    write(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// The value as JSON text with one member or element per line and an indentation of two spaces.
  package var indentedText: String {
    var output: [UInt8] = []
    write(to: &output, level: 0)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends the value as JSON text, on one line or indented from a given level.
  package func write(to output: inout [UInt8], level: Int? = nil) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let digits): output.append(contentsOf: digits.utf8)
    case .string(let text): JSONText.append(text, to: &output)
    case .array(let elements):
      Self.writeList(elements, between: "[", "]", to: &output, level: level) {
        $0.write(to: &$1, level: $2)
      }
    case .object(let members):
      Self.writeList(members, between: "{", "}", to: &output, level: level) {
        member, output, level in
        JSONText.append(member.key, to: &output)
        output.append(contentsOf: (level == nil ? ":" : ": ").utf8)
        member.value.write(to: &output, level: level)
      }
    }
  }

  private static func writeList<Item>(
    _ items: [Item], between open: String, _ close: String, to output: inout [UInt8], level: Int?,
    writeItem: (Item, inout [UInt8], Int?) -> Void
  ) {
    func breakLine(_ level: Int?, _ output: inout [UInt8]) {
      guard let level else { return }
      output.append(UInt8(ascii: "\n"))
      output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 2))
    }
    output.append(contentsOf: open.utf8)
    let inner = level.map { $0 + 1 }
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      breakLine(inner, &output)
      writeItem(item, &output, inner)
    }
    if !items.isEmpty { breakLine(level, &output) }
    output.append(contentsOf: close.utf8)
  }
}
