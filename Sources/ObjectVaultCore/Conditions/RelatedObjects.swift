import ObjectVaultCondition

/// The objects that belong to another, in typed conditions.
///
/// ```swift
/// try classrooms.where { $0.students.any { $0.age < 7 } && $0.students.count > 3 }.all()
/// ```
public struct RelatedObjects<Target: StoredObject>: Sendable {
  let origin: PropertyOrigin

  /// One of them at least passes.
  public func any<C: ConditionConvertible>(
    _ condition: (Target.Properties) -> C
  ) -> ObjectCondition {
    quantified(.any, condition)
  }

  /// All of them pass, also where there are none.
  public func all<C: ConditionConvertible>(
    _ condition: (Target.Properties) -> C
  ) -> ObjectCondition {
    quantified(.all, condition)
  }

  /// None of them passes.
  public func none<C: ConditionConvertible>(
    _ condition: (Target.Properties) -> C
  ) -> ObjectCondition {
    quantified(.none, condition)
  }

  /// One of them is this object.
  public func contains(_ reference: Ref<Target>) -> ObjectCondition {
    any { _ in RelatedObject<Target>(origin: origin) == reference }
  }

  /// How many there are.
  public var count: Property<Int> { Property(PropertyPath(origin.names, aggregate: .count)) }

  /// There are none.
  public var isEmpty: ObjectCondition { count == 0 }

  /// The least value that one of them has; nil of none.
  public func min<Value: OrderedValue>(
    _ property: KeyPath<Target.Properties, Property<Value>>
  ) -> Property<Value.Ordered?> {
    aggregate(.min, property)
  }

  /// The greatest value that one of them has; nil of none.
  public func max<Value: OrderedValue>(
    _ property: KeyPath<Target.Properties, Property<Value>>
  ) -> Property<Value.Ordered?> {
    aggregate(.max, property)
  }

  /// The sum of their values, as exact as `@sum` in text; 0 of none.
  public func sum<Value: OrderedValue>(
    _ property: KeyPath<Target.Properties, Property<Value>>
  ) -> Property<Value.Ordered?> {
    aggregate(.sum, property)
  }

  /// The mean of their values; nil of none.
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
