// What no condition can say, so that the compiler tells why.
//
// It tries what is unavailable only where it found nothing that fits: none of these makes it slower to
// check a condition that is right.

extension ValueExpression {
  // MARK: Calculations

  /// Numbers alone are calculated with.
  @available(
    *, unavailable,
    message: "only numbers of one type are calculated with; 'asDouble' brings an integer to doubles"
  )
  public static func + <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Numbers alone are calculated with.
  @available(
    *, unavailable,
    message: "only numbers of one type are calculated with; 'asDouble' brings an integer to doubles"
  )
  public static func - <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Numbers alone are calculated with.
  @available(
    *, unavailable,
    message: "only numbers of one type are calculated with; 'asDouble' brings an integer to doubles"
  )
  public static func * <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  /// Numbers alone are calculated with.
  @available(
    *, unavailable,
    message: "only numbers of one type are calculated with; 'asDouble' brings an integer to doubles"
  )
  public static func / <Other>(left: Self, right: Other) -> Computed<Double?> {
    Computed(left.operand)
  }

  // MARK: Comparisons

  /// Values of one type are compared.
  @available(
    *, unavailable,
    message: "values of different types are not compared; 'asDouble' brings an integer to doubles"
  )
  public static func == <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Values of one type are compared.
  @available(
    *, unavailable,
    message: "values of different types are not compared; 'asDouble' brings an integer to doubles"
  )
  public static func != <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Values of one type that has an order are ordered.
  @available(
    *, unavailable,
    message:
      "only values of one type that has an order are ordered; 'asDouble' brings an integer to doubles"
  )
  public static func < <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Values of one type that has an order are ordered.
  @available(
    *, unavailable,
    message:
      "only values of one type that has an order are ordered; 'asDouble' brings an integer to doubles"
  )
  public static func <= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Values of one type that has an order are ordered.
  @available(
    *, unavailable,
    message:
      "only values of one type that has an order are ordered; 'asDouble' brings an integer to doubles"
  )
  public static func > <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// Values of one type that has an order are ordered.
  @available(
    *, unavailable,
    message:
      "only values of one type that has an order are ordered; 'asDouble' brings an integer to doubles"
  )
  public static func >= <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  // MARK: Values alone

  /// A value is compared first.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public static prefix func ! (value: Self) -> ObjectCondition { .never }
}

extension ConditionConvertible {
  /// A value is compared first.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public static func && <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }

  /// A value is compared first.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public static func || <Other: ValueExpression>(
    left: Self, right: Other
  ) -> ObjectCondition { .never }
}

extension ObjectStore where T: StoredObject {
  /// A value is compared first.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) throws -> Query<T> { query }
}

extension Query where T: StoredObject {
  /// A value is compared first.
  @available(
    *, unavailable,
    message: "a value is no condition: compare it, as in '$0.age > 3'; only a Bool may stand alone"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) throws -> Query { self }
}
