package import ObjectVaultCondition

/// A property that is stored through a converter, as typed conditions and sorts name it.
///
/// ```swift
/// try tags.where { $0.colour == .red || $0.colour.stored.hasPrefix("#FF") }.all()
/// ```
///
/// It is compared with values of its type in Swift, which the converter makes what is stored; what is
/// less and what is more is decided by what is stored. It is not calculated with.
///
/// `@Stored` writes such members. By hand, `var colour: ConvertedProperty<HexColour, Colour>` is one; a
/// ``Property`` would be compared with what is stored.
public struct ConvertedProperty<Converter: PropertyConverter, Value>: ValueExpression {
  package let path: PropertyPath

  init(_ path: PropertyPath) { self.path = path }

  /// The property in a comparison.
  public var operand: ConditionOperand {
    ConditionOperand(Operand(.path(path)), form: .converted(ValueConverter(Converter.self)))
  }

  /// The name of the property in conditions and sorts; names between dots across associations.
  public var name: String { path.spelling }

  /// What is stored, to be compared as such.
  public var stored: Property<Converter.Stored> { Property(path) }
}

extension PropertyOrigin {
  /// The property of that name, which is stored through a converter.
  public func property<Converter, Value>(_ name: String) -> ConvertedProperty<Converter, Value> {
    ConvertedProperty(PropertyPath(names + [name]))
  }
}

/// A property of truth values alone is a condition; nil is not true.
extension ConvertedProperty: ConditionConvertible where Value: TruthValue {
  /// The property is true.
  public var condition: ObjectCondition { operand.compare(.equal, value: true) }
}

extension ConvertedProperty: SortConvertible where Converter.Stored: OrderedValue {
  /// By what is stored, small first.
  public var sort: Sort { ascending }

  /// By what is stored, small first.
  public var ascending: Sort { .ascending(name) }

  /// By what is stored, large first.
  public var descending: Sort { .descending(name) }
}

extension RelatedObjects {
  /// The value that is stored as the least one; nil of none.
  public func min<C: PropertyConverter, Value>(
    _ property: KeyPath<Target.Properties, ConvertedProperty<C, Value>>
  ) -> ConvertedProperty<C, C.Value?> where C.Stored: OrderedValue {
    aggregate(.min, property)
  }

  /// The value that is stored as the greatest one; nil of none.
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
