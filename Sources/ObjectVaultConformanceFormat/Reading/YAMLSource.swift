import Yams

/// The lines of a YAML file, for checks that the parser does not support.
///
/// They locate tags and anchors, and find characters that end a line only in YAML 1.1.
struct YAMLSource {
  private let path: String
  private let lines: [Substring.UnicodeScalarView]

  init(_ text: String, path: String) {
    self.path = path
    lines = Substring(text).unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" })
  }

  func error(_ message: String, _ line: Int) -> FixtureError {
    FixtureError(message, at: SourcePlace(path: path, line: line))
  }

  /// Throws an error if the text has characters that YAML 1.1 and 1.2 read differently or not at
  /// all.
  func checkCharacters() throws(FixtureError) {
    for (index, line) in lines.enumerated() {
      var line = line
      // Windows line endings are allowed.
      if line.last == "\r", index < lines.count - 1 { line.removeLast() }
      for scalar in line {
        let name =
          switch scalar {
          case "\r": "a carriage return"
          case "\u{85}", "\u{2028}", "\u{2029}": "a character that ends a line in YAML 1.1 only"
          case "\u{FEFF}": "a byte order mark"
          case "\u{0}"..<"\t", "\u{B}"..<"\u{20}", "\u{7F}"..<"\u{A0}": "a control character"
          case "\u{FFFE}", "\u{FFFF}": "a character that YAML does not have"
          default: ""
          }
        guard name.isEmpty else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          throw error("\(name), U+\(digits): write it escaped, in \" quotes", index + 1)
        }
      }
    }
  }

  /// Throws an error if the node begins with a tag, an anchor or an alias.
  func checkStart(of node: Node) throws(FixtureError) {
    guard let mark = node.mark, lines.indices.contains(mark.line - 1) else { return }
    switch lines[mark.line - 1].dropFirst(mark.column - 1).first {
    case "!":
      throw error("YAML tags (!NAME) are not allowed: tag values as in {int: \"1\"}", mark.line)
    case "&":
      throw error("anchors (&NAME) are not allowed: write out every use of the value", mark.line)
    case "*": throw error("aliases (*NAME) are not allowed: write out the value", mark.line)
    default: return
    }
  }

  /// Returns the text of a mapping's key.
  func key(_ node: Node) throws(FixtureError) -> String {
    let line = node.mark?.line ?? 1
    guard case .scalar(let scalar) = node else {
      throw error("a key must be text, not a list or mapping", line)
    }
    try checkStart(of: node)
    guard scalar.style == .plain || scalar.style == .any else { return scalar.string }
    if scalar.string == "<<" {
      throw error("merge keys (<<) are not allowed: write out the merged values", line)
    }
    guard case .text = PlainScalar(scalar.string) else {
      throw error(
        "YAML readers interpret the key \(scalar.string) differently: put it in quotes", line)
    }
    return scalar.string
  }

  /// Returns the error for a parser error, reworded if the parser gives no location.
  func error(for problem: any Error) -> FixtureError {
    switch problem {
    // At the end of a text without a final line break the parser counts one line too many.
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _):
      let context = context.map { "\($0.text): " } ?? ""
      return error(
        "not YAML at column \(mark.column): \(context)\(problem)", min(mark.line, lines.count))
    case YamlError.composer(_, let problem, let mark, _):
      if problem.contains("another document") {
        return error("a second document begins: put it into another file", mark.line)
      }
      return error("not YAML at column \(mark.column): \(problem)", mark.line)
    case YamlError.duplicatedKeysInMapping(let keys, let context):
      let names = keys.map { "'\($0)'" }.joined(separator: ", ")
      return error("the mapping has the key \(names) twice; one of them is here", context.mark.line)
    default: return error("not YAML: \(problem)", 1)
    }
  }
}
