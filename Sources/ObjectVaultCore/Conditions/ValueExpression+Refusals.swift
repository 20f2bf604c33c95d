// Unavailable overloads that explain why an expression is not a valid condition.
//
// The compiler considers unavailable overloads only if no other overload matches, so these do not
// slow down the type checking of valid conditions.

extension ValueExpression {
  // MARK: Calculations

  /// Unavailable: calculations require numbers of one type.
  @available(
    *, unavailable,
    message: "only numbers of one type are calculated with; 'asDouble' brings an integer to doubles"
  )
  public static func + <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Unavailable: calculations require numbers of one type.
  @available(
    *, unavailable,
    message: "only numbers of one type are calculated with; 'asDouble' brings an integer to doubles"
  )
  public static func - <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Unavailable: calculations require numbers of one type.
  @available(
    *, unavailable,
    message: "only numbers of one type are calculated with; 'asDouble' brings an integer to doubles"
  )
  public static func * <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Unavailable: calculations require numbers of one type.
  @available(
    *, unavailable,
    message: "only numbers of one type are calculated with; 'asDouble' brings an integer to doubles"
  )
  public static func / <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  // MARK: Comparisons

  /// Unavailable: comparisons require values of one type.
  @available(
    *, unavailable,
    message: "values of different types are not compared; 'asDouble' brings an integer to doubles"
  )
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: comparisons require values of one type.
  @available(
    *, unavailable,
    message: "values of different types are not compared; 'asDouble' brings an integer to doubles"
  )
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(
    *, unavailable,
    message:
      "only values of one type that has an order are ordered; 'asDouble' brings an integer to doubles"
  )
  public static func < <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(
    *, unavailable,
    message:
      "only values of one type that has an order are ordered; 'asDouble' brings an integer to doubles"
  )
  public static func <= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(
    *, unavailable,
    message:
      "only values of one type that has an order are ordered; 'asDouble' brings an integer to doubles"
  )
  public static func > <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: order comparisons require values of one type that has an order.
  @available(
    *, unavailable,
    message:
      "only values of one type that has an order are ordered; 'asDouble' brings an integer to doubles"
  )
  public static func >= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  // MARK: Values alone

  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public static prefix func ! (value: Self) -> ObjectCondition { .never }
}

extension ConditionConvertible {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public static func && <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public static func || <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }
}

extension ObjectStore where T: StoredObject {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) throws -> Query<T> { query }
}

extension Query where T: StoredObject {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) throws -> Query { self }
}
