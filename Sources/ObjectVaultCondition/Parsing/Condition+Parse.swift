extension Condition {
  /// How many bytes a condition's text may have.
  package static let maximumTextLength = 64 * 1024
  /// How deep parentheses and negations may stand in one another.
  package static let maximumDepth = 200

  /// Reads condition text. `"age >= 18 && name != 'Bob'"` becomes an `.and` of two comparisons.
  ///
  /// - Throws: ``ConditionError`` with code `.syntax` or `.limit`.
  package static func parse(_ text: String) throws(ConditionError) -> Condition {
    var parser = Parser(text)
    return try parser.parse()
  }
}
