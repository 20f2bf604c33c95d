import ObjectVaultCondition

extension PropertyDescription {
  /// Creates a description of a property with a converter.
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
  ///   - converter: The converter to the stored type.
  ///   - column: The name of the column. Default: the name of the property.
  ///   - defaultValue: The value for objects that were stored before the property existed.
  ///   - renamedFrom: The former names of the column, latest first.
  public init<C: PropertyConverter>(
    _ name: String, _ type: C.Value.Type, converter: C.Type, column: String? = nil,
    defaultValue: C.Value? = nil, renamedFrom: [String] = []
  ) {
    self.init(
      name, Converted<C>.self, column: column, defaultValue: defaultValue.map { Converted<C>($0) },
      renamedFrom: renamedFrom)
    self.converter = ValueConverter(converter)
  }

  /// Creates a description of an optional property with a converter.
  public init<C: PropertyConverter>(
    _ name: String, _ type: C.Value?.Type, converter: C.Type, column: String? = nil,
    defaultValue: C.Value?? = nil, renamedFrom: [String] = []
  ) {
    self.init(
      name, Converted<C>?.self, column: column,
      defaultValue: (defaultValue ?? nil).map { Converted<C>($0) }, renamedFrom: renamedFrom)
    self.converter = ValueConverter(converter)
  }

  /// Unavailable, because the converter has another value type than the property.
  @available(
    *, unavailable,
    message:
      "the converter's 'Value' is not the type of the property; use a converter for that type"
  )
  @_disfavoredOverload
  public init<T, C: PropertyConverter>(
    _ name: String, _ type: T.Type, converter: C.Type, column: String? = nil,
    defaultValue: T? = nil, renamedFrom: [String] = []
  ) { self.init(name, type: .json) }
}
