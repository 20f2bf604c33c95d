import ObjectVaultCondition

extension ValueExpression {
  /// Returns a condition that the expression equals a value; nil equals nil: `$0.note == nil`.
  public static func == (left: Self, right: Value?) -> ObjectCondition {
    left.operand.compare(.equal, value: right)
  }

  /// Returns a condition that the expression differs from a value; nil differs from all other
  /// values.
  public static func != (left: Self, right: Value?) -> ObjectCondition {
    left.operand.compare(.notEqual, value: right)
  }

  /// Returns a condition that the expression equals a value; nil equals nil: `"Li" == $0.name`.
  public static func == (left: Value?, right: Self) -> ObjectCondition { right == left }

  /// Returns a condition that the expression differs from a value; nil differs from all other
  /// values.
  public static func != (left: Value?, right: Self) -> ObjectCondition { right != left }

  /// Returns a condition that both expressions are equal or both are nil.
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value == Value {
    left.operand.compare(.equal, with: right.operand)
  }

  /// Returns a condition that the expressions differ; nil differs from all other values.
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value == Value {
    left.operand.compare(.notEqual, with: right.operand)
  }

  /// Returns a condition that an expression equals an optional expression.
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value == Value? {
    left.operand.compare(.equal, with: right.operand)
  }

  /// Returns a condition that the expressions differ or the right one is nil.
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value == Value? {
    left.operand.compare(.notEqual, with: right.operand)
  }

  /// Returns a condition that an optional expression equals another expression.
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Value == Other.Value? {
    left.operand.compare(.equal, with: right.operand)
  }

  /// Returns a condition that the expressions differ or the left one is nil.
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Value == Other.Value? {
    left.operand.compare(.notEqual, with: right.operand)
  }
}

extension ValueExpression where Value: SearchableText {
  /// Returns a condition that the text equals another one, ignoring the differences in the options.
  public func isEqual(to text: Value?, _ options: TextComparison) -> ObjectCondition {
    operand.compare(.equal, options.options, value: text)
  }
}
