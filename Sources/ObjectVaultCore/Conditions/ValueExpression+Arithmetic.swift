import ObjectVaultCondition

/// What arithmetic makes of properties in a typed condition.
///
/// ```swift
/// try students.where { $0.age * 2 + $0.seat > 20 }.all()
/// ```
///
/// Integers give an integer, of which a division leaves the fraction out; with a Double all is
/// rounded to Double first. What has no result is nil and compares like any nil: where a property
/// in it is nil, after a division by zero, and beyond 64 bits or the range of Double.
public struct Computed<Value>: ValueExpression {
  /// The calculation in a comparison.
  public let operand: ConditionOperand

  init(_ operand: ConditionOperand) { self.operand = operand }
}

extension ValueExpression where Value: NumericValue {
  /// The sum.
  public static func + (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.add, value: right))
  }

  /// The difference.
  public static func - (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.subtract, value: right))
  }

  /// The product.
  public static func * (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.multiply, value: right))
  }

  /// The quotient; nil for a division by zero.
  public static func / (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.divide, value: right))
  }

  /// The sum.
  public static func + (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.add, with: right.operand))
  }

  /// The difference.
  public static func - (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.subtract, with: right.operand))
  }

  /// The product.
  public static func * (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.multiply, with: right.operand))
  }

  /// The quotient; nil for a division by zero.
  public static func / (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.divide, with: right.operand))
  }

  /// The sum.
  public static func + <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.add, with: right.operand))
  }

  /// The difference.
  public static func - <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.subtract, with: right.operand))
  }

  /// The product.
  public static func * <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.multiply, with: right.operand))
  }

  /// The quotient; nil for a division by zero.
  public static func / <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.divide, with: right.operand))
  }

  /// The number for calculations and comparisons with Doubles: `$0.age.asDouble / 2.5 > 1`.
  public var asDouble: Computed<Double?> {
    Computed(operand.asDouble(Value.Ordered.self is any BinaryInteger.Type))
  }
}
