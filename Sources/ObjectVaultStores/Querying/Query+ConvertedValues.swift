// Values of properties with converters, by the members of their class. Minimum and maximum compare
// the stored values.

public import ObjectVaultModel

extension Query where T: StoredObject {
  /// Returns the values of one property of the objects; the statement reads only this property.
  ///
  /// - Throws: The errors of ``values(of:as:)``.
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) throws -> [C.Value] {
    try values(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// Returns the values of one optional property of the objects; the statement reads only this
  /// property.
  ///
  /// - Throws: The errors of ``values(of:as:)``.
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) throws -> [C.Value?] {
    try values(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// Returns the distinct values of a property of the objects; see ``distinctValues(of:as:)``.
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) throws -> [C.Value] {
    try distinctValues(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// Returns the distinct values of an optional property of the objects.
  ///
  /// See ``distinctValues(of:as:)``.
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) throws -> [C.Value?] {
    try distinctValues(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// Returns the value with the smallest stored form, or `nil` if no object has a value.
  public func min<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) throws -> C.Value? where C.Stored: OrderedValue {
    try min(of: name(of: property), as: Converted<C>.self)?.value
  }

  /// Returns the value with the greatest stored form, or `nil` if no object has a value.
  public func max<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) throws -> C.Value? where C.Stored: OrderedValue {
    try max(of: name(of: property), as: Converted<C>.self)?.value
  }

  fileprivate func name<C, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) -> String {
    T.Properties(origin: .object)[keyPath: property].name
  }
}

extension Query where T: StoredObject & Sendable {
  /// Returns the values of one property of the objects without blocking the caller's thread.
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) async throws -> [C.Value] where C.Value: Sendable {
    try await values(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// Returns the values of one optional property of the objects without blocking the caller's
  /// thread.
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) async throws -> [C.Value?] where C.Value: Sendable {
    try await values(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// Returns the distinct values of a property without blocking the caller's thread.
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) async throws -> [C.Value] where C.Value: Sendable {
    try await distinctValues(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// Returns the distinct values of an optional property without blocking the caller's thread.
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) async throws -> [C.Value?] where C.Value: Sendable {
    try await distinctValues(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// Returns the value with the smallest stored form without blocking the caller's thread.
  public func min<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) async throws -> C.Value? where C.Stored: OrderedValue, C.Value: Sendable {
    try await min(of: name(of: property), as: Converted<C>.self)?.value
  }

  /// Returns the value with the greatest stored form without blocking the caller's thread.
  public func max<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) async throws -> C.Value? where C.Stored: OrderedValue, C.Value: Sendable {
    try await max(of: name(of: property), as: Converted<C>.self)?.value
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns a store limited to the objects whose converted property has a value.
  ///
  /// The compiler checks the property and the type of the value.
  ///
  /// - Throws: The errors of ``partition(_:is:)-(String,Any?)``.
  public func partition<C: PropertyConverter, Value>(
    _ property: KeyPath<T.Properties, ConvertedProperty<C, Value>>, is value: Value
  ) throws -> ObjectStore {
    try partition(T.Properties(origin: .object)[keyPath: property].name, is: value)
  }
}
