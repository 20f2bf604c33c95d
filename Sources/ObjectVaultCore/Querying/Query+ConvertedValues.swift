// The values of properties that are stored through converters, by the members of their class. The least
// and the greatest value are those that are stored as such.

extension Query where T: StoredObject {
  /// The values of one property of the objects; nothing else of them is read.
  ///
  /// - Throws: as ``values(of:as:)``.
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) throws -> [C.Value] {
    try values(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// The values of one optional property of the objects; nothing else of them is read.
  ///
  /// - Throws: as ``values(of:as:)``.
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) throws -> [C.Value?] {
    try values(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// The values that a property of the objects has, each once; see ``distinctValues(of:as:)``.
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) throws -> [C.Value] {
    try distinctValues(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// The values that an optional property of the objects has, each once; see
  /// ``distinctValues(of:as:)``.
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) throws -> [C.Value?] {
    try distinctValues(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// The value that is stored as the least one; `nil` where no object has one.
  public func min<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) throws -> C.Value? where C.Stored: OrderedValue {
    try min(of: name(of: property), as: Converted<C>.self)?.value
  }

  /// The value that is stored as the greatest one; `nil` where no object has one.
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
  /// The values of one property of the objects, without blocking the caller's thread.
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) async throws -> [C.Value] where C.Value: Sendable {
    try await values(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// The values of one optional property of the objects, without blocking the caller's thread.
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) async throws -> [C.Value?] where C.Value: Sendable {
    try await values(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// The values that a property of the objects has, each once, without blocking the caller's thread.
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) async throws -> [C.Value] where C.Value: Sendable {
    try await distinctValues(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// The values that an optional property of the objects has, each once, without blocking the caller's
  /// thread.
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) async throws -> [C.Value?] where C.Value: Sendable {
    try await distinctValues(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// The value that is stored as the least one, without blocking the caller's thread.
  public func min<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) async throws -> C.Value? where C.Stored: OrderedValue, C.Value: Sendable {
    try await min(of: name(of: property), as: Converted<C>.self)?.value
  }

  /// The value that is stored as the greatest one, without blocking the caller's thread.
  public func max<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) async throws -> C.Value? where C.Stored: OrderedValue, C.Value: Sendable {
    try await max(of: name(of: property), as: Converted<C>.self)?.value
  }
}

extension ObjectStore where T: StoredObject {
  /// The same store limited to the objects in which a property that is stored through a converter has a
  /// value, in members that the compiler checks.
  ///
  /// - Throws: as ``partition(_:is:)-(String,Any?)``.
  public func partition<C: PropertyConverter, Value>(
    _ property: KeyPath<T.Properties, ConvertedProperty<C, Value>>, is value: Value
  ) throws -> ObjectStore {
    try partition(T.Properties(origin: .object)[keyPath: property].name, is: value)
  }
}
