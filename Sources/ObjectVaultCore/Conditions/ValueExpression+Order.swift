import ObjectVaultCondition

extension ValueExpression where Value: OrderedValue {
  /// It is less than the value; nil is not.
  public static func < (left: Self, right: Value.Ordered) -> ObjectCondition {
    left.operand.compare(.less, value: right)
  }

  /// It is the value or less; nil is not.
  public static func <= (left: Self, right: Value.Ordered) -> ObjectCondition {
    left.operand.compare(.lessOrEqual, value: right)
  }

  /// It is greater than the value; nil is not.
  public static func > (left: Self, right: Value.Ordered) -> ObjectCondition {
    left.operand.compare(.greater, value: right)
  }

  /// It is the value or greater; nil is not.
  public static func >= (left: Self, right: Value.Ordered) -> ObjectCondition {
    left.operand.compare(.greaterOrEqual, value: right)
  }

  /// The value is less than it; nil is not: `3 < $0.age`.
  public static func < (left: Value.Ordered, right: Self) -> ObjectCondition { right > left }

  /// The value is as much as it or less; nil is not.
  public static func <= (left: Value.Ordered, right: Self) -> ObjectCondition { right >= left }

  /// The value is greater than it; nil is not.
  public static func > (left: Value.Ordered, right: Self) -> ObjectCondition { right < left }

  /// The value is as much as it or greater; nil is not.
  public static func >= (left: Value.Ordered, right: Self) -> ObjectCondition { right <= left }

  /// The left is less than the right, where neither is nil.
  public static func < <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value: OrderedValue, Other.Value.Ordered == Value.Ordered {
    left.operand.compare(.less, with: right.operand)
  }

  /// The left is as much as the right or less, where neither is nil.
  public static func <= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value: OrderedValue, Other.Value.Ordered == Value.Ordered {
    left.operand.compare(.lessOrEqual, with: right.operand)
  }

  /// The left is greater than the right, where neither is nil.
  public static func > <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value: OrderedValue, Other.Value.Ordered == Value.Ordered {
    left.operand.compare(.greater, with: right.operand)
  }

  /// The left is as much as the right or greater, where neither is nil.
  public static func >= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition where Other.Value: OrderedValue, Other.Value.Ordered == Value.Ordered {
    left.operand.compare(.greaterOrEqual, with: right.operand)
  }
}
