import ObjectVaultCondition

extension ValueExpression {
  /// It equals the value, or is nil where that is: `$0.note == nil`.
  public static func == (left: Self, right: Value?) -> ObjectCondition {
    left.operand.compare(.equal, value: right)
  }

  /// It differs from the value: nil differs from every other.
  public static func != (left: Self, right: Value?) -> ObjectCondition {
    left.operand.compare(.notEqual, value: right)
  }

  /// It equals the value, or is nil where that is: `"Li" == $0.name`.
  public static func == (left: Value?, right: Self) -> ObjectCondition { right == left }

  /// It differs from the value: nil differs from every other.
  public static func != (left: Value?, right: Self) -> ObjectCondition { right != left }

  /// Both are equal, or both are nil.
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value == Value {
    left.operand.compare(.equal, with: right.operand)
  }

  /// They differ: nil differs from every other.
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value == Value {
    left.operand.compare(.notEqual, with: right.operand)
  }

  /// Both are equal, of which the right may be nil.
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value == Value? {
    left.operand.compare(.equal, with: right.operand)
  }

  /// They differ, or the right is nil.
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value == Value? {
    left.operand.compare(.notEqual, with: right.operand)
  }

  /// Both are equal, of which the left may be nil.
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Value == Other.Value? {
    left.operand.compare(.equal, with: right.operand)
  }

  /// They differ, or the left is nil.
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Value == Other.Value? {
    left.operand.compare(.notEqual, with: right.operand)
  }
}

extension ValueExpression where Value: SearchableText {
  /// It equals the text but for what the options overlook.
  public func isEqual(to text: Value?, _ options: TextComparison) -> ObjectCondition {
    operand.compare(.equal, options.options, value: text)
  }
}
