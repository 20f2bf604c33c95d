/// One small fault that can be switched on in the mutated build.
public struct Mutant: Sendable, Hashable, Codable {
  /// The kinds of fault.
  public enum Kind: String, Sendable, CaseIterable, Codable {
    /// Another comparison: `<` becomes `<=`, `==` becomes `!=`.
    case comparison
    /// `&&` becomes `||`, and the reverse.
    case junction
    /// A condition of `if`, `guard` or `while`, or the operand of `!`, is inverted.
    case negation
    /// `+` becomes `-`, `*` becomes `+`, and the reverse.
    case arithmetic
    /// An integer literal grows by one.
    case literal
    /// `true` becomes `false`, and the reverse.
    case boolean
    /// A call whose result is not used is left out.
    case call
    /// The body of a `defer` is left out.
    case cleanup
    /// The value after `??` is used whatever the value before it is.
    case fallback
    /// A fault written by hand in `SafetyMutants.yaml`.
    case safety
  }

  /// The kind of fault.
  public let kind: Kind
  /// The path of the source file, relative to the package.
  public let file: String
  /// The line of the fault, from 1.
  public let line: Int
  /// The declarations around the fault, such as `FileRewriting.run`.
  public let declaration: String
  /// The text that is replaced, as UTF-8 offsets in the file.
  public let range: Range<Int>
  /// The text of the range.
  public let original: String
  /// The text that stands in for it while the mutant is active.
  public let replacement: String
  /// Whether the text is a statement and not an expression.
  public let isStatement: Bool

  /// Returns the text that holds both the original and the fault, chosen at run time.
  ///
  /// - Parameter number: The number that switches the fault on.
  /// - Returns: The code.
  public func guarded(number: Int) -> String {
    let test = "mutantIsActive(\(number))"
    guard isStatement else { return "(\(test) ? (\(replacement)) : (\(original)))" }
    return replacement.isEmpty
      ? "if !\(test) { \(original) }" : "if \(test) { \(replacement) } else { \(original) }"
  }

  /// The fault on one line, for reports.
  public var summary: String {
    let from = Self.oneLine(original)
    return replacement.isEmpty
      ? "left out: \(from)" : "\(from)  ->  \(Self.oneLine(replacement))"
  }

  private static func oneLine(_ text: String) -> String {
    let joined = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return joined.count <= 90 ? joined : joined.prefix(87) + "..."
  }
}
