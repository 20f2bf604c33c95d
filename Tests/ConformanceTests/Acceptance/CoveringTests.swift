import Foundation

/// The tests and suites of this package that say `.covers(…)`, found in their sources: no test
/// target can look into another.
struct CoveringTests {
  /// What names a row: `TARGET.Suite/function`, or `TARGET.Suite` where a suite says it for all its
  /// tests. `swift test --filter` takes these names.
  private(set) var namesByRow: [String: Set<String>] = [:]

  /// Reads the sources of all targets.
  ///
  /// - Parameter folder: The folder `Tests`, with a folder for each target.
  /// - Throws: An error of reading a source.
  init(below folder: URL) throws {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let base = folder.standardizedFileURL.path + "/"
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let path = file.standardizedFileURL.path.dropFirst(base.count)
      guard let target = path.split(separator: "/").first else { continue }
      add(try String(contentsOf: file, encoding: .utf8), target: String(target))
    }
  }

  init(source: String, target: String) { add(source, target: target) }

  private mutating func add(_ source: String, target: String) {
    guard source.contains(".covers(") else { return }
    var reader = Reader(SwiftTokens(source).tokens)
    for (name, rows) in reader.read() {
      for row in rows { namesByRow[row, default: []].insert("\(target).\(name)") }
    }
  }

  /// Walks through the tokens of a file, knowing in which type it is.
  private struct Reader {
    private let tokens: [SwiftTokens.Token]
    private var position = 0
    /// The name of the type for each open brace; `nil` for other braces.
    private var scopes: [String?] = []
    private var nextScope: String?
    /// The rows of the attribute that was read last.
    private var rows: [String] = []
    private var found: [(String, [String])] = []

    init(_ tokens: [SwiftTokens.Token]) { self.tokens = tokens }

    private func token(_ offset: Int) -> SwiftTokens.Token? {
      tokens.indices.contains(position + offset) ? tokens[position + offset] : nil
    }

    mutating func read() -> [(String, [String])] {
      while position < tokens.count {
        switch tokens[position] {
        case .sign("@"): readAttribute()
        case .sign("{"):
          scopes.append(nextScope)
          nextScope = nil
        case .sign("}"): _ = scopes.popLast()
        case .word(let word): read(word)
        default: break
        }
        position += 1
      }
      return found
    }

    private mutating func readAttribute() {
      guard let name = token(1), name == .word("Test") || name == .word("Suite") else { return }
      guard token(2) == .sign("(") else { return }
      position += 3
      var depth = 1
      while depth > 0, let token = token(0) {
        if token == .sign("(") { depth += 1 }
        if token == .sign(")") { depth -= 1 }
        if token == .word("covers"), self.token(-1) == .sign("."), self.token(1) == .sign("(") {
          var offset = 2
          while let token = self.token(offset), token != .sign(")") {
            if case .text(let row) = token { rows.append(row) }
            offset += 1
          }
        }
        position += 1
      }
      position -= 1
    }

    private mutating func read(_ word: String) {
      guard case .word(let name)? = token(1), token(-1) != .sign(".") else { return }
      switch word {
      case "struct", "class", "actor", "enum", "extension":
        guard !["func", "var", "let"].contains(name) else { return }
        nextScope = name
        emit(scopes.compactMap { $0 } + [name], function: nil)
      case "func": emit(scopes.compactMap { $0 }, function: name)
      default: break
      }
    }

    private mutating func emit(_ types: [String], function: String?) {
      guard !rows.isEmpty else { return }
      let path = types.joined(separator: "/")
      found.append((function.map { path.isEmpty ? $0 : "\(path)/\($0)" } ?? path, rows))
      rows = []
    }
  }
}
