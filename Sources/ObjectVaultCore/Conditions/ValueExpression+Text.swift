import ObjectVaultCondition

// Searches take text literally, but for LIKE and MATCHES; none holds for nil.
extension ValueExpression where Value: SearchableText {
  /// The text has this one in it.
  public func contains(
    _ part: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.contains, options.options, value: String(part))
  }

  /// The text begins with this one.
  public func hasPrefix(
    _ prefix: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.beginsWith, options.options, value: String(prefix))
  }

  /// The text ends with this one.
  public func hasSuffix(
    _ suffix: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.endsWith, options.options, value: String(suffix))
  }

  /// The text is like the pattern, in which `%` is any text and `_` any one scalar; A-Z equals a-z.
  public func isLike(
    _ pattern: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.like, options.options, value: String(pattern))
  }

  /// The whole text matches a Swift regular expression of at most 1,000 characters.
  public func matches(
    _ pattern: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.matches, options.options, value: String(pattern))
  }

  /// The text has that of another property in it.
  public func contains<Other: ValueExpression>(
    _ other: Other, _ options: TextComparison = []
  ) -> ObjectCondition where Other.Value: SearchableText {
    operand.search(.contains, options.options, in: other.operand)
  }

  /// The text begins with that of another property.
  public func hasPrefix<Other: ValueExpression>(
    _ other: Other, _ options: TextComparison = []
  ) -> ObjectCondition where Other.Value: SearchableText {
    operand.search(.beginsWith, options.options, in: other.operand)
  }

  /// The text ends with that of another property.
  public func hasSuffix<Other: ValueExpression>(
    _ other: Other, _ options: TextComparison = []
  ) -> ObjectCondition where Other.Value: SearchableText {
    operand.search(.endsWith, options.options, in: other.operand)
  }

  /// The text equals another but for what the options overlook.
  public func isEqual<Other: ValueExpression>(
    to other: Other, _ options: TextComparison
  ) -> ObjectCondition where Other.Value: SearchableText {
    operand.compare(.equal, options.options, with: other.operand)
  }
}
