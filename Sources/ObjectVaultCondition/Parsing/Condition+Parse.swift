extension Condition {
  /// The maximum length of a condition's text, in bytes.
  package static let maximumTextLength = 64 * 1024
  /// The maximum nesting depth of parentheses and negations.
  package static let maximumDepth = 200

  /// Returns the tree of condition text.
  ///
  /// `"age >= 18 && name != 'Bob'"` becomes an `.and` of two comparisons.
  ///
  /// - Parameter text: The condition.
  /// - Returns: The tree of the condition.
  /// - Throws: ``ConditionError`` with code `.syntax` or `.limit`.
  package static func parse(_ text: String) throws(ConditionError) -> Condition {
    var parser = Parser(text)
    return try parser.parse()
  }
}
