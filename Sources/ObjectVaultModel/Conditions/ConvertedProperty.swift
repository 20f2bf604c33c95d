package import ObjectVaultCondition

/// A property with a converter in typed conditions and sorts.
///
/// ```swift
/// try tags.where { $0.colour == .red || $0.colour.stored.hasPrefix("#FF") }.all()
/// ```
///
/// Compare the property with values of its Swift type; the converter turns them into the stored
/// form. Order comparisons and sorts compare stored values. Calculations with the property are
/// rejected.
///
/// `@Stored` generates such members. Without the macro, declare `var colour:
/// ConvertedProperty<HexColour, Colour>`; a ``Property`` would be compared in the stored form.
public struct ConvertedProperty<Converter: PropertyConverter, Value>: ValueExpression {
  package let path: PropertyPath

  init(_ path: PropertyPath) { self.path = path }

  /// The property in a comparison.
  public var operand: ConditionOperand {
    ConditionOperand(Operand(.path(path)), form: .converted(ValueConverter(Converter.self)))
  }

  /// The name of the property in conditions and sorts; a dotted path across associations.
  public var name: String { path.spelling }

  /// The stored value, for comparisons in the stored form.
  public var stored: Property<Converter.Stored> { Property(path) }
}

extension PropertyOrigin {
  /// Returns the property with a name, which is stored through a converter.
  public func property<Converter, Value>(_ name: String) -> ConvertedProperty<Converter, Value> {
    ConvertedProperty(PropertyPath(names + [name]))
  }
}

/// A Boolean property is a condition by itself; nil is not true.
extension ConvertedProperty: ConditionConvertible where Value: TruthValue {
  /// The condition that the property is true.
  public var condition: ObjectCondition { operand.compare(.equal, value: true) }
}

extension ConvertedProperty: SortConvertible where Converter.Stored: OrderedValue {
  /// The sort key for the stored value, ascending.
  public var sort: Sort { ascending }

  /// The sort key for the stored value, ascending.
  public var ascending: Sort { .ascending(name) }

  /// The sort key for the stored value, descending.
  public var descending: Sort { .descending(name) }
}

extension RelatedObjects {
  /// Returns the value with the smallest stored form among the related objects; nil without values.
  public func min<C: PropertyConverter, Value>(
    _ property: KeyPath<Target.Properties, ConvertedProperty<C, Value>>
  ) -> ConvertedProperty<C, C.Value?> where C.Stored: OrderedValue {
    aggregate(.min, property)
  }

  /// Returns the value with the greatest stored form among the related objects; nil without values.
  public func max<C: PropertyConverter, Value>(
    _ property: KeyPath<Target.Properties, ConvertedProperty<C, Value>>
  ) -> ConvertedProperty<C, C.Value?> where C.Stored: OrderedValue {
    aggregate(.max, property)
  }

  private func aggregate<C, Value, Result>(
    _ aggregate: Aggregate, _ property: KeyPath<Target.Properties, ConvertedProperty<C, Value>>
  ) -> ConvertedProperty<C, Result> {
    var path = Target.Properties(origin: origin)[keyPath: property].path
    path.aggregate = aggregate
    return ConvertedProperty(path)
  }
}
