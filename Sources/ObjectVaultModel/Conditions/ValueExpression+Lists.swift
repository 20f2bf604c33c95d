import ObjectVaultCondition

extension ValueExpression {
  /// Returns a condition that the expression equals one of the values.
  ///
  /// The number of values is not limited; without values, the condition is false. The values can
  /// contain nil: `$0.note.isIn(["", nil])`.
  public func isIn(_ values: some Sequence<Value>) -> ObjectCondition {
    operand.among(values.lazy.map { $0 as Any? })
  }
}

extension ValueExpression where Value: OrderedValue {
  /// Returns a condition that the expression is between two inclusive bounds.
  ///
  /// If the bounds are reversed, the condition is false.
  public func isBetween(_ lowest: Value.Ordered, _ highest: Value.Ordered) -> ObjectCondition {
    operand.between(lowest, highest)
  }
}

extension ValueExpression where Value: OrderedValue, Value.Ordered: Comparable {
  /// Returns a condition that the expression is in the range.
  public func isIn(_ range: ClosedRange<Value.Ordered>) -> ObjectCondition {
    operand.between(range.lowerBound, range.upperBound)
  }

  /// Returns a condition that the expression is in the range.
  public func isIn(_ range: Range<Value.Ordered>) -> ObjectCondition {
    self >= range.lowerBound && self < range.upperBound
  }

  /// Returns a condition that the expression is in the range.
  public func isIn(_ range: PartialRangeFrom<Value.Ordered>) -> ObjectCondition {
    self >= range.lowerBound
  }

  /// Returns a condition that the expression is in the range.
  public func isIn(_ range: PartialRangeThrough<Value.Ordered>) -> ObjectCondition {
    self <= range.upperBound
  }

  /// Returns a condition that the expression is in the range.
  public func isIn(_ range: PartialRangeUpTo<Value.Ordered>) -> ObjectCondition {
    self < range.upperBound
  }

  /// Returns a condition that the expression is in the range: `18...30 ~= $0.age`.
  public static func ~= (range: ClosedRange<Value.Ordered>, value: Self) -> ObjectCondition {
    value.isIn(range)
  }

  /// Returns a condition that the expression is in the range: `18..<30 ~= $0.age`.
  public static func ~= (range: Range<Value.Ordered>, value: Self) -> ObjectCondition {
    value.isIn(range)
  }
}

extension Sequence {
  /// Returns a condition that the sequence contains the value: `["Li", "Bo"].contains($0.name)`.
  public func contains(_ value: some ValueExpression<Element>) -> ObjectCondition {
    value.isIn(self)
  }
}
