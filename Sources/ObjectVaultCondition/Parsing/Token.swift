/// The smallest unit of condition text.
enum Token: Sendable, Hashable {
  case end
  case keyword(Keyword)
  case name(String)
  case literal(Literal)
  case compare(ComparisonOperator)
  case arithmetic(ArithmeticOperator)
  case options(TextOptions)
  case placeholder(ArgumentSpecifier)
  case pathPlaceholder
  case namedArgument(String)
  case numberedArgument(Int)
  case leftParenthesis, rightParenthesis, leftBrace, rightBrace, comma, dot
  /// The brackets around the name of a member.
  case leftBracket, rightBracket
  /// An aggregate such as `@count`.
  case aggregate(Aggregate)
}

/// A reserved word, in any case of its letters.
enum Keyword: String, Sendable, Hashable, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case like = "LIKE"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case matches = "MATCHES"
  case between = "BETWEEN"
  case `in` = "IN"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case `nil` = "NIL"
  case null = "NULL"
  case `true` = "TRUE"
  case `false` = "FALSE"
  case yes = "YES"
  case no = "NO"

  /// Creates the keyword that `word` spells in any case, or `nil` for other words.
  init?(word: String) {
    // Accepts only ASCII letters: "ı" in upper case is "I", and must not form a keyword.
    guard word.utf8.count <= 14, word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    self.init(rawValue: word.uppercased())
  }

  /// The literal that the keyword represents, or `nil`.
  var literal: Literal? {
    switch self {
    case .nil, .null: .null
    case .true, .yes: .bool(true)
    case .false, .no: .bool(false)
    default: nil
    }
  }

  /// The quantifier that the keyword represents, or `nil`.
  var quantifier: Comparison.Quantifier? {
    switch self {
    case .any, .some: .any
    case .all: .all
    case .none: Comparison.Quantifier.none
    default: nil
    }
  }

  /// The text operator that the keyword represents, or `nil`.
  var textOperator: TextOperator? {
    switch self {
    case .like: .like
    case .contains: .contains
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .matches: .matches
    default: nil
    }
  }
}

extension Token {
  /// Whether the token can end an operand, so that a sign after it is an operator.
  var endsOperand: Bool {
    switch self {
    case .name, .literal, .placeholder, .pathPlaceholder, .namedArgument, .numberedArgument,
      .aggregate, .rightParenthesis, .rightBracket:
      true
    case .keyword(let keyword): keyword.literal != nil
    default: false
    }
  }

  /// Whether the token can follow an operand but not a condition.
  var followsOperand: Bool {
    switch self {
    case .arithmetic, .compare, .keyword(.in), .keyword(.between), .keyword(.not): true
    case .keyword(let keyword): keyword.textOperator != nil
    case .name: isIs
    default: false
    }
  }

  /// Whether the token is the word `IS` in any case.
  var isIs: Bool {
    guard case .name(let name) = self, name.utf8.count == 2 else { return false }
    return name.uppercased() == "IS"
  }

  /// The name of the token in error messages.
  ///
  var description: String {
    switch self {
    case .end: "the end of the condition"
    case .keyword(let keyword): keyword.rawValue
    case .name(let name): "'\(name.count > 40 ? name.prefix(40) + "…" : name)'"
    case .literal(.text): "a text"
    case .literal(.data): "data"
    case .literal(.interval): "an interval"
    case .literal: "a number"
    case .compare(let op): "'\(op.rawValue)'"
    case .arithmetic(let op): "'\(op.rawValue)'"
    case .options: "an option in brackets"
    case .placeholder(let specifier): "'\(specifier.rawValue)'"
    case .pathPlaceholder: "'%K'"
    case .namedArgument(let name): "'$\(name.count > 40 ? name.prefix(40) + "…" : name)'"
    case .numberedArgument(let number): "'$\(number)'"
    case .leftParenthesis: "'('"
    case .rightParenthesis: "')'"
    case .leftBrace: "'{'"
    case .rightBrace: "'}'"
    case .leftBracket: "'['"
    case .rightBracket: "']'"
    case .comma: "','"
    case .dot: "'.'"
    case .aggregate(let aggregate): "'\(aggregate.rawValue)'"
    }
  }
}
