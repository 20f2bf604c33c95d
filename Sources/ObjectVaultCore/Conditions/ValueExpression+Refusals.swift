// Unavailable overloads that explain why an expression is not a valid condition.
//
// The compiler considers unavailable overloads only if no other overload matches, so these do not
// slow down the type checking of valid conditions.

extension ValueExpression {
  // MARK: Calculations

  /// Unavailable: calculations require numbers of one type.
  @available(
    *, unavailable,
    message: "calculations need numbers of one type; 'asDouble' converts an integer to Double"
  )
  public static func + <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Unavailable: calculations require numbers of one type.
  @available(
    *, unavailable,
    message: "calculations need numbers of one type; 'asDouble' converts an integer to Double"
  )
  public static func - <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Unavailable: calculations require numbers of one type.
  @available(
    *, unavailable,
    message: "calculations need numbers of one type; 'asDouble' converts an integer to Double"
  )
  public static func * <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Unavailable: calculations require numbers of one type.
  @available(
    *, unavailable,
    message: "calculations need numbers of one type; 'asDouble' converts an integer to Double"
  )
  public static func / <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  // MARK: Comparisons

  /// Unavailable: comparisons require values of one type.
  @available(
    *, unavailable,
    message: "comparisons need values of one type; 'asDouble' converts an integer to Double"
  )
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: comparisons require values of one type.
  @available(
    *, unavailable,
    message: "comparisons need values of one type; 'asDouble' converts an integer to Double"
  )
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(
    *, unavailable,
    message: "ordering needs values of one ordered type; 'asDouble' converts an integer to Double"
  )
  public static func < <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(
    *, unavailable,
    message: "ordering needs values of one ordered type; 'asDouble' converts an integer to Double"
  )
  public static func <= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(
    *, unavailable,
    message: "ordering needs values of one ordered type; 'asDouble' converts an integer to Double"
  )
  public static func > <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(
    *, unavailable,
    message: "ordering needs values of one ordered type; 'asDouble' converts an integer to Double"
  )
  public static func >= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  // MARK: Values alone

  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is not a condition; compare it ('$0.age > 3'), or use a Bool"
  )
  public static prefix func ! (value: Self) -> ObjectCondition { .never }
}

extension ConditionConvertible {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is not a condition; compare it ('$0.age > 3'), or use a Bool"
  )
  public static func && <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is not a condition; compare it ('$0.age > 3'), or use a Bool"
  )
  public static func || <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }
}

extension ObjectStore where T: StoredObject {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is not a condition; compare it ('$0.age > 3'), or use a Bool"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) throws -> Query<T> { query }
}

extension Query where T: StoredObject {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is not a condition; compare it ('$0.age > 3'), or use a Bool"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) throws -> Query { self }
}
