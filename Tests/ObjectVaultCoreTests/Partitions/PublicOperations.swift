import Foundation

/// The public operations of types, as the sources of the library declare them.
enum PublicOperations {
  private static let sources = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../Sources").standardized

  /// Each as `Type.name(label:)`, with ` async` behind it where it is; once for each declaration.
  static func declared(of types: Set<String>) throws -> [String] {
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var names: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      names += self.names(in: try String(contentsOf: file, encoding: .utf8), of: types)
    }
    return names
  }

  private static func names(in source: String, of types: Set<String>) -> [String] {
    var names: [String] = []
    var type: String?
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("}") { type = nil }
      // Matching every line of every module would take seconds.
      guard ["public ", "extension ", "struct ", "  public "].contains(where: line.hasPrefix)
      else { continue }
      if let head = line.firstMatch(of: /^(?:public )?(?:extension|struct) (\w+)\b.*\{/) {
        type = types.contains(String(head.1)) ? String(head.1) : nil
      }
      guard let type,
        let start = line.firstMatch(of: /^  public (?:internal\(set\) )?(func|var|let) `?(\w+)`?/)
      else { continue }
      // An unavailable declaration cannot be called, and a deprecated one calls another.
      let attributes = lines[..<number].reversed().prefix { $0 != "  }" && !$0.hasPrefix("  ///") }
      if attributes.contains(where: { $0.contains(/unavailable|deprecated/) }) { continue }
      guard start.1 == "func" else {
        names.append("\(type).\(start.2)")
        continue
      }
      let text = lines[number...].prefix { !$0.contains(" {") && !$0.contains("{ ") }.count
      let declaration = lines[number...(number + text)].joined(separator: " ")
      names.append("\(type).\(start.2)\(signature(declaration))")
    }
    return names
  }

  /// The labels of a function's parameters, and whether it is async.
  private static func signature(_ declaration: String) -> String {
    var depth = 0
    var parameters: [String] = [""]
    var rest = declaration[...]
    let name = rest.firstIndex { $0 == "(" || $0 == "<" } ?? rest.endIndex
    rest = rest[name...].replacing("->", with: "  ")[...]
    var isGeneric = rest.first == "<"
    while let character = rest.popFirst() {
      if isGeneric {
        if character == "<" { depth += 1 }
        if character == ">" { depth -= 1 }
        if depth == 0 { isGeneric = false }
        continue
      }
      if "(<[".contains(character) {
        depth += 1
        if depth == 1 { continue }
      } else if ")>]".contains(character) {
        depth -= 1
        if depth == 0 { break }
      }
      if character == ",", depth == 1 {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    let labels = parameters.compactMap { $0.split { " :".contains($0) }.first.map { "\($0):" } }
    let isAsync = rest.prefix { $0 != "{" }.split(separator: " ").contains("async")
    return "(\(labels.joined()))\(isAsync ? " async" : "")"
  }
}
