import ObjectVaultCondition

extension ValueExpression {
  /// It is one of the values, of which there may be any number; none holds for nothing.
  ///
  /// nil may be among them: `$0.note.isIn(["", nil])`.
  public func isIn(_ values: some Sequence<Value>) -> ObjectCondition {
    operand.among(values.lazy.map { $0 as Any? })
  }
}

extension ValueExpression where Value: OrderedValue {
  /// It lies between both, which belong to it. Reversed, they hold nothing.
  public func isBetween(_ lowest: Value.Ordered, _ highest: Value.Ordered) -> ObjectCondition {
    operand.between(lowest, highest)
  }
}

extension ValueExpression where Value: OrderedValue, Value.Ordered: Comparable {
  /// It lies in the range.
  public func isIn(_ range: ClosedRange<Value.Ordered>) -> ObjectCondition {
    operand.between(range.lowerBound, range.upperBound)
  }

  /// It lies in the range.
  public func isIn(_ range: Range<Value.Ordered>) -> ObjectCondition {
    self >= range.lowerBound && self < range.upperBound
  }

  /// It lies in the range.
  public func isIn(_ range: PartialRangeFrom<Value.Ordered>) -> ObjectCondition {
    self >= range.lowerBound
  }

  /// It lies in the range.
  public func isIn(_ range: PartialRangeThrough<Value.Ordered>) -> ObjectCondition {
    self <= range.upperBound
  }

  /// It lies in the range.
  public func isIn(_ range: PartialRangeUpTo<Value.Ordered>) -> ObjectCondition {
    self < range.upperBound
  }

  /// It lies in the range: `18...30 ~= $0.age`.
  public static func ~= (range: ClosedRange<Value.Ordered>, value: Self) -> ObjectCondition {
    value.isIn(range)
  }

  /// It lies in the range: `18..<30 ~= $0.age`.
  public static func ~= (range: Range<Value.Ordered>, value: Self) -> ObjectCondition {
    value.isIn(range)
  }
}

extension Sequence {
  /// The property's value is one of these: `["Li", "Bo"].contains($0.name)`.
  public func contains(_ value: some ValueExpression<Element>) -> ObjectCondition {
    value.isIn(self)
  }
}
