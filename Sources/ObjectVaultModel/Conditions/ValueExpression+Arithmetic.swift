import ObjectVaultCondition

/// A calculation from properties in a typed condition.
///
/// ```swift
/// try students.where { $0.age * 2 + $0.seat > 20 }.all()
/// ```
///
/// Calculations with integers have an integer result; division drops the fraction. If a Double is
/// involved, all operands are first rounded to Double. The result is nil if a property is nil,
/// after a division by zero, and beyond 64 bits or the range of Double. It is compared like any
/// nil.
public struct Computed<Value>: ValueExpression {
  /// The calculation in a comparison.
  public let operand: ConditionOperand

  package init(_ operand: ConditionOperand) { self.operand = operand }
}

extension ValueExpression where Value: NumericValue {
  /// Returns the sum of an expression and a value.
  public static func + (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.add, value: right))
  }

  /// Returns the difference of an expression and a value.
  public static func - (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.subtract, value: right))
  }

  /// Returns the product of an expression and a value.
  public static func * (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.multiply, value: right))
  }

  /// Returns the quotient of an expression and a value; nil for a division by zero.
  public static func / (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.divide, value: right))
  }

  /// Returns the expression with the opposite sign.
  public static prefix func - (value: Self) -> Computed<Value.Ordered?> {
    Computed(value.operand.negated)
  }

  /// Returns the sum of a value and an expression.
  public static func + (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.add, with: right.operand))
  }

  /// Returns the difference of a value and an expression.
  public static func - (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.subtract, with: right.operand))
  }

  /// Returns the product of a value and an expression.
  public static func * (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.multiply, with: right.operand))
  }

  /// Returns the quotient of a value and an expression; nil for a division by zero.
  public static func / (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.divide, with: right.operand))
  }

  /// Returns the sum of two expressions.
  public static func + <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.add, with: right.operand))
  }

  /// Returns the difference of two expressions.
  public static func - <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.subtract, with: right.operand))
  }

  /// Returns the product of two expressions.
  public static func * <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.multiply, with: right.operand))
  }

  /// Returns the quotient of two expressions; nil for a division by zero.
  public static func / <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.divide, with: right.operand))
  }

  /// The value as a Double, for calculations and comparisons with Doubles: `$0.age.asDouble / 2.5 >
  /// 1`.
  public var asDouble: Computed<Double?> {
    Computed(operand.asDouble(Value.Ordered.self is any BinaryInteger.Type))
  }
}

extension ValueExpression where Value: NumericValue, Value.Ordered: BinaryInteger {
  /// Returns the remainder of a division, with the sign of the expression; nil for a division by
  /// zero.
  public static func % (left: Self, right: Value.Ordered) -> Computed<Value.Ordered?> {
    Computed(left.operand.calculated(.remainder, value: right))
  }

  /// Returns the remainder of a division, with the sign of the value; nil for a division by zero.
  public static func % (left: Value.Ordered, right: Self) -> Computed<Value.Ordered?> {
    Computed(ConditionOperand(value: left).calculated(.remainder, with: right.operand))
  }

  /// Returns the remainder of a division, with the sign of the left expression; nil for a division
  /// by zero.
  public static func % <Other: ValueExpression>(
    left: Self, right: Other
  ) -> Computed<Value.Ordered?>
  where Other.Value: NumericValue, Other.Value.Ordered == Value.Ordered {
    Computed(left.operand.calculated(.remainder, with: right.operand))
  }
}
