import ObjectVaultCondition

// All searches except LIKE and MATCHES are literal. All are false for nil.
extension ValueExpression where Value: SearchableText {
  /// The number of Unicode scalars of the text; nil for nil.
  ///
  /// It differs from the number of Characters: a letter with a combining accent has two scalars.
  public var length: Computed<Int?> { Computed(operand.length) }

  /// The text in lower case, by Unicode's mapping of each scalar; nil for nil.
  public var lowercase: Computed<String?> { Computed(operand.cased(.lower)) }

  /// The text in upper case, by Unicode's mapping of each scalar; nil for nil.
  public var uppercase: Computed<String?> { Computed(operand.cased(.upper)) }

  /// Returns a condition that the text contains another text.
  public func contains(
    _ part: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.contains, options.options, value: String(part))
  }

  /// Returns a condition that the text has a prefix.
  public func hasPrefix(
    _ prefix: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.beginsWith, options.options, value: String(prefix))
  }

  /// Returns a condition that the text has a suffix.
  public func hasSuffix(
    _ suffix: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.endsWith, options.options, value: String(suffix))
  }

  /// Returns a condition that the text matches a LIKE pattern.
  ///
  /// `%` matches any text, `_` any single scalar, and A-Z equals a-z.
  public func isLike(
    _ pattern: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.like, options.options, value: String(pattern))
  }

  /// Returns a condition that the whole text matches a Swift regular expression.
  ///
  /// The pattern can have at most 1,000 characters.
  public func matches(
    _ pattern: some StringProtocol, _ options: TextComparison = []
  ) -> ObjectCondition {
    operand.search(.matches, options.options, value: String(pattern))
  }

  /// Returns a condition that the text contains the text of another property.
  public func contains<Other: ValueExpression>(
    _ other: Other, _ options: TextComparison = []
  ) -> ObjectCondition where Other.Value: SearchableText {
    operand.search(.contains, options.options, in: other.operand)
  }

  /// Returns a condition that the text has the text of another property as its prefix.
  public func hasPrefix<Other: ValueExpression>(
    _ other: Other, _ options: TextComparison = []
  ) -> ObjectCondition where Other.Value: SearchableText {
    operand.search(.beginsWith, options.options, in: other.operand)
  }

  /// Returns a condition that the text has the text of another property as its suffix.
  public func hasSuffix<Other: ValueExpression>(
    _ other: Other, _ options: TextComparison = []
  ) -> ObjectCondition where Other.Value: SearchableText {
    operand.search(.endsWith, options.options, in: other.operand)
  }

  /// Returns a condition that the text equals another one, ignoring the differences in the options.
  public func isEqual<Other: ValueExpression>(
    to other: Other, _ options: TextComparison
  ) -> ObjectCondition where Other.Value: SearchableText {
    operand.compare(.equal, options.options, with: other.operand)
  }
}
