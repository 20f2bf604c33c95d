// Unavailable overloads that explain why an expression is not a valid condition.
//
// The compiler considers unavailable overloads only if no other overload matches, so these do not
// slow down the type checking of valid conditions.

extension ValueExpression {
  // MARK: Calculations

  /// Unavailable: calculations require numbers of one type.
  @available(*, unavailable, message: "use numbers of one type; convert an integer with 'asDouble'")
  public static func + <V>(left: Self, right: V) -> Computed<Double?> { Computed(left.operand) }

  /// Unavailable: calculations require numbers of one type.
  @available(*, unavailable, message: "use numbers of one type; convert an integer with 'asDouble'")
  public static func - <V>(left: Self, right: V) -> Computed<Double?> { Computed(left.operand) }

  /// Unavailable: calculations require numbers of one type.
  @available(*, unavailable, message: "use numbers of one type; convert an integer with 'asDouble'")
  public static func * <V>(left: Self, right: V) -> Computed<Double?> { Computed(left.operand) }

  /// Unavailable: calculations require numbers of one type.
  @available(*, unavailable, message: "use numbers of one type; convert an integer with 'asDouble'")
  public static func / <V>(left: Self, right: V) -> Computed<Double?> { Computed(left.operand) }

  // MARK: Comparisons

  /// Unavailable: comparisons require values of one type.
  @available(*, unavailable, message: "compare values of one type; an Int has 'asDouble'")
  public static func == <V: ValueExpression>(left: Self, right: V) -> ObjectCondition { .never }

  /// Unavailable: comparisons require values of one type.
  @available(*, unavailable, message: "compare values of one type; an Int has 'asDouble'")
  public static func != <V: ValueExpression>(left: Self, right: V) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(*, unavailable, message: "compare values of one ordered type; an Int has 'asDouble'")
  public static func < <V: ValueExpression>(left: Self, right: V) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(*, unavailable, message: "compare values of one ordered type; an Int has 'asDouble'")
  public static func <= <V: ValueExpression>(left: Self, right: V) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(*, unavailable, message: "compare values of one ordered type; an Int has 'asDouble'")
  public static func > <V: ValueExpression>(left: Self, right: V) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(*, unavailable, message: "compare values of one ordered type; an Int has 'asDouble'")
  public static func >= <V: ValueExpression>(left: Self, right: V) -> ObjectCondition { .never }

  // MARK: Values alone

  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message:
      "a value is not a condition; compare it, as in '$0.age > 3' (a Bool needs no comparison)"
  )
  public static prefix func ! (value: Self) -> ObjectCondition { .never }
}

extension ConditionConvertible {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message:
      "a value is not a condition; compare it, as in '$0.age > 3' (a Bool needs no comparison)"
  )
  public static func && <V: ValueExpression>(left: Self, right: V) -> ObjectCondition { .never }

  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message:
      "a value is not a condition; compare it, as in '$0.age > 3' (a Bool needs no comparison)"
  )
  public static func || <V: ValueExpression>(left: Self, right: V) -> ObjectCondition { .never }
}
