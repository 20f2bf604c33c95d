import ObjectVaultCondition

extension ValueExpression where Value: OrderedValue {
  /// Returns a condition that the expression is less than a value; false for nil.
  public static func < (left: Self, right: Value.Ordered) -> ObjectCondition {
    left.operand.compare(.less, value: right)
  }

  /// Returns a condition that the expression is at most a value; false for nil.
  public static func <= (left: Self, right: Value.Ordered) -> ObjectCondition {
    left.operand.compare(.lessOrEqual, value: right)
  }

  /// Returns a condition that the expression is greater than a value; false for nil.
  public static func > (left: Self, right: Value.Ordered) -> ObjectCondition {
    left.operand.compare(.greater, value: right)
  }

  /// Returns a condition that the expression is at least a value; false for nil.
  public static func >= (left: Self, right: Value.Ordered) -> ObjectCondition {
    left.operand.compare(.greaterOrEqual, value: right)
  }

  /// Returns a condition that a value is less than the expression; false for nil: `3 < $0.age`.
  public static func < (left: Value.Ordered, right: Self) -> ObjectCondition { right > left }

  /// Returns a condition that a value is at most the expression; false for nil.
  public static func <= (left: Value.Ordered, right: Self) -> ObjectCondition { right >= left }

  /// Returns a condition that a value is greater than the expression; false for nil.
  public static func > (left: Value.Ordered, right: Self) -> ObjectCondition { right < left }

  /// Returns a condition that a value is at least the expression; false for nil.
  public static func >= (left: Value.Ordered, right: Self) -> ObjectCondition { right <= left }

  /// Returns a condition that the left expression is less than the right one; false for nil.
  public static func < <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value: OrderedValue, Other.Value.Ordered == Value.Ordered {
    left.operand.compare(.less, with: right.operand)
  }

  /// Returns a condition that the left expression is at most the right one; false for nil.
  public static func <= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value: OrderedValue, Other.Value.Ordered == Value.Ordered {
    left.operand.compare(.lessOrEqual, with: right.operand)
  }

  /// Returns a condition that the left expression is greater than the right one; false for nil.
  public static func > <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value: OrderedValue, Other.Value.Ordered == Value.Ordered {
    left.operand.compare(.greater, with: right.operand)
  }

  /// Returns a condition that the left expression is at least the right one; false for nil.
  public static func >= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value: OrderedValue, Other.Value.Ordered == Value.Ordered {
    left.operand.compare(.greaterOrEqual, with: right.operand)
  }
}
