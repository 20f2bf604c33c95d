import ObjectVaultCondition

/// The owned objects of a to-many association in typed conditions.
///
/// ```swift
/// try classrooms.where { $0.students.any { $0.age < 7 } && $0.students.count > 3 }.all()
/// ```
public struct RelatedObjects<Target: StoredObject>: Sendable {
  let origin: PropertyOrigin

  /// Returns a condition that at least one of the objects matches.
  public func any<C: ConditionConvertible>(
    _ condition: (Target.Properties) -> C
  ) -> ObjectCondition {
    quantified(.any, condition)
  }

  /// Returns a condition that all objects match; true without objects.
  public func all<C: ConditionConvertible>(
    _ condition: (Target.Properties) -> C
  ) -> ObjectCondition {
    quantified(.all, condition)
  }

  /// Returns a condition that none of the objects matches.
  public func none<C: ConditionConvertible>(
    _ condition: (Target.Properties) -> C
  ) -> ObjectCondition {
    quantified(.none, condition)
  }

  /// Returns a condition that the objects contain a referenced object.
  public func contains(_ reference: Ref<Target>) -> ObjectCondition {
    any { _ in RelatedObject<Target>(origin: origin) == reference }
  }

  /// The number of objects.
  public var count: Property<Int> { Property(PropertyPath(origin.names, aggregate: .count)) }

  /// Returns the number of objects that match.
  ///
  /// ```swift
  /// try classrooms.where { $0.students.count { $0.age > 7 && $0.isOpen } > 2 }.all()
  /// ```
  ///
  /// - Parameter condition: A closure that returns the condition on one of the objects.
  /// - Returns: The number.
  public func count<C: ConditionConvertible>(
    where condition: (Target.Properties) -> C
  ) -> Computed<Int> {
    let condition = condition(Target.Properties(origin: origin)).condition
    return Computed(
      ConditionOperand(counting: condition, over: Operand(.path(PropertyPath(origin.names)))))
  }

  /// The condition that there are no objects.
  public var isEmpty: ObjectCondition { count == 0 }

  /// Returns the smallest value of the objects; nil without values.
  public func min<Value: OrderedValue>(
    _ property: KeyPath<Target.Properties, Property<Value>>
  ) -> Property<Value.Ordered?> {
    aggregate(.min, property)
  }

  /// Returns the greatest value of the objects; nil without values.
  public func max<Value: OrderedValue>(
    _ property: KeyPath<Target.Properties, Property<Value>>
  ) -> Property<Value.Ordered?> {
    aggregate(.max, property)
  }

  /// Returns the sum of the objects' values, as exact as `@sum` in text; 0 without values.
  public func sum<Value: OrderedValue>(
    _ property: KeyPath<Target.Properties, Property<Value>>
  ) -> Property<Value.Ordered?> {
    aggregate(.sum, property)
  }

  /// Returns the mean of the objects' values; nil without values.
  public func average<Value: NumericValue>(
    _ property: KeyPath<Target.Properties, Property<Value>>
  ) -> Property<Double?> {
    aggregate(.avg, property)
  }

  private func aggregate<Value, Result>(
    _ aggregate: Aggregate, _ property: KeyPath<Target.Properties, Property<Value>>
  ) -> Property<Result> {
    var path = Target.Properties(origin: origin)[keyPath: property].path
    path.aggregate = aggregate
    return Property(path)
  }

  private func quantified<C: ConditionConvertible>(
    _ quantifier: Comparison.Quantifier, _ condition: (Target.Properties) -> C
  ) -> ObjectCondition {
    condition(Target.Properties(origin: origin)).condition
      .nested { $0.quantified(quantifier, over: origin.names) }
  }
}
