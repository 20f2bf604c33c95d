import SwiftSyntax
import Yams

/// The faults of `SafetyMutants.yaml`: each names a declaration, a piece of its code and what
/// replaces it.
public struct SafetyMutants: Sendable {
  /// One fault written by hand.
  public struct Entry: Sendable, Codable {
    /// The rule that the fault breaks, as one sentence.
    public let breaks: String
    /// The path of the source file, relative to the package.
    public let file: String
    /// The declarations around the code, joined by dots, such as `FileReplacement.run`.
    ///
    /// A local variable is one of them: the value of `let mine =` in `FileReplacement.run` is in
    /// `FileReplacement.run.mine`.
    public let declaration: String
    /// The expression or statement to replace; white space does not matter.
    public let code: String
    /// The code that replaces it; empty to leave a statement out.
    public let replacement: String
  }

  /// A fault whose code is not in its declaration, or is there more than once.
  public struct Misplaced: Error, CustomStringConvertible {
    /// The sentence to print.
    public let description: String
  }

  /// The entries of the file, in its order.
  public let entries: [Entry]

  /// Reads the entries.
  ///
  /// - Parameter yaml: The text of `SafetyMutants.yaml`.
  /// - Throws: `DecodingError` or `YamlError` if the text has another form.
  public init(yaml: String) throws {
    entries = try YAMLDecoder().decode([Entry].self, from: yaml)
  }

  /// Returns the mutant of an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - source: The text of the entry's file.
  /// - Returns: The mutant.
  /// - Throws: `Misplaced` unless the code is in the declaration exactly once.
  public static func mutant(_ entry: Entry, in source: String) throws -> Mutant {
    let tree = MutantFinder.folded(source)
    let search = SearchVisitor(entry: entry, tree: tree)
    search.walk(tree)
    guard search.found.count == 1, let mutant = search.found.first else {
      throw Misplaced(
        description: "\(entry.file): '\(entry.code)' is \(search.found.count) times in "
          + "\(entry.declaration). Correct the entry: \(entry.breaks)")
    }
    return mutant
  }
}

private final class SearchVisitor: DeclarationVisitor {
  private let entry: SafetyMutants.Entry
  private let code: String
  private(set) var found: [Mutant] = []

  init(entry: SafetyMutants.Entry, tree: SourceFileSyntax) {
    self.entry = entry
    code = Self.withoutSpace(entry.code)
    super.init(file: entry.file, tree: tree)
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    guard declaration == entry.declaration else { return .visitChildren }
    let isStatement = node.is(CodeBlockItemSyntax.self)
    // An expression that is a whole statement is found as the statement.
    let isExpression =
      node.asProtocol((any ExprSyntaxProtocol).self) != nil
      && node.parent?.is(CodeBlockItemSyntax.self) != true
    if isStatement || isExpression, Self.withoutSpace(node.trimmedDescription) == code {
      found.append(mutant(.safety, node, entry.replacement, isStatement: isStatement))
      return .skipChildren
    }
    return .visitChildren
  }

  private static func withoutSpace(_ text: String) -> String {
    String(text.filter { !$0.isWhitespace })
  }
}
