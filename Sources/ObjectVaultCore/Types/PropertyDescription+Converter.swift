import ObjectVaultCondition

extension PropertyDescription {
  /// Describes a property that is stored through a converter.
  ///
  /// ```swift
  /// PropertyDescription("colour", Colour.self, converter: HexColour.self)
  /// // row.value(at: 1, through: HexColour.self)
  /// // binder.bind(colour, at: 1, through: HexColour.self)
  /// // var colour: ConvertedProperty<HexColour, Colour> { origin.property("colour") }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - type: The type in Swift.
  ///   - converter: What makes it the type that is stored.
  ///   - column: The name of the column; the property's name by default.
  ///   - defaultValue: The value of objects written before the property existed.
  ///   - renamedFrom: The columns it was kept in before, latest first.
  public init<C: PropertyConverter>(
    _ name: String, _ type: C.Value.Type, converter: C.Type, column: String? = nil,
    defaultValue: C.Value? = nil, renamedFrom: [String] = []
  ) {
    self.init(
      name, Converted<C>.self, column: column, defaultValue: defaultValue.map { Converted<C>($0) },
      renamedFrom: renamedFrom)
    self.converter = ValueConverter(converter)
  }

  /// Describes an optional property that is stored through a converter.
  public init<C: PropertyConverter>(
    _ name: String, _ type: C.Value?.Type, converter: C.Type, column: String? = nil,
    defaultValue: C.Value?? = nil, renamedFrom: [String] = []
  ) {
    self.init(
      name, Converted<C>?.self, column: column,
      defaultValue: (defaultValue ?? nil).map { Converted<C>($0) }, renamedFrom: renamedFrom)
    self.converter = ValueConverter(converter)
  }

  /// Says what is wrong with a converter of another type's values.
  @available(
    *, unavailable, message: "the 'Value' of the converter is another type than the property's"
  )
  @_disfavoredOverload
  public init<T, C: PropertyConverter>(
    _ name: String, _ type: T.Type, converter: C.Type, column: String? = nil,
    defaultValue: T? = nil, renamedFrom: [String] = []
  ) {
    self.init(name, type: .json)
  }
}
