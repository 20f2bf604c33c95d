public import ObjectVaultCondition
package import ObjectVaultDriver

/// A conversion of a property's values from another type.
///
/// A class needs one if the conversion is not obvious or would lose information.
///
/// ```swift
/// static let conversions = [
///   PropertyConversion("size", from: String.self) { $0 == "large" ? 2 : 1 }
/// ]
/// ```
public struct PropertyConversion: Sendable {
  /// The name of the property.
  public let property: String
  /// The type of the property before the change.
  public let oldType: PropertyType
  package let takesNil: Bool
  /// Returns the new stored value for the value in the only column of a row.
  package let convert: @Sendable (Row) throws -> StoredValue

  /// Creates a conversion from a storable type.
  ///
  /// - Parameters:
  ///   - property: The current name of the property.
  ///   - oldType: The former type of the property. If a property has several conversions, the one
  ///     whose type matches the file is used. If the type is optional, missing values are passed to
  ///     `convert` too; otherwise they stay missing.
  ///   - convert: Returns the new value. If it throws, the upgrade is refused.
  public init<Old: StorableValue, New: StorableValue>(
    _ property: String, from oldType: Old.Type, _ convert: @escaping @Sendable (Old) throws -> New
  ) {
    self.init(property, Old.propertyType, takesNil: Old.isOptional) { row in
      try convert(Old.read(from: row, at: 0)).storedValue
    }
  }

  private init(
    _ property: String, _ oldType: PropertyType, takesNil: Bool,
    _ convert: @escaping @Sendable (Row) throws -> StoredValue
  ) {
    self.property = property
    self.oldType = oldType
    self.takesNil = takesNil
    self.convert = convert
  }
}

// Lists and other `Codable` values are stored as canonical JSON. No conversion is called between
// two such types: the file records only that the column holds JSON, so it detects no change. A type
// with raw values is stored as its raw value, also if it is `Codable`.
extension PropertyConversion {
  /// Creates a conversion from a type that was stored as JSON, or as its raw value.
  ///
  /// - Parameters:
  ///   - property: The current name of the property.
  ///   - oldType: The former type of the property. If a property has several conversions, the one
  ///     whose type matches the file is used. If the type is optional, missing values are passed to
  ///     `convert` too; otherwise they stay missing.
  ///   - convert: Returns the new value. If it throws, the upgrade is refused.
  @_disfavoredOverload
  public init<Old: Codable & NonisolatedConformance, New: StorableValue>(
    _ property: String, from oldType: Old.Type, _ convert: @escaping @Sendable (Old) throws -> New
  ) {
    let takesNil = oldType is any ExpressibleByNilLiteral.Type
    if let form = Self.rawForm(of: oldType) {
      self.init(property, form, takesNil: takesNil) { row in
        try convert(Self.rawRepresentable(Old.self, from: row)).storedValue
      }
      return
    }
    self.init(property, .json, takesNil: takesNil) { row in
      let isNil = row.isNull(at: 0)
      return try convert(
        isNil ? decodeCanonicalJSON(Old.self, from: "null") : row.value(at: 0, as: Old.self)
      ).storedValue
    }
  }

  /// Creates a conversion to a type that is stored as JSON, or as its raw value.
  ///
  /// - Parameters:
  ///   - property: The current name of the property.
  ///   - oldType: The former type of the property. If a property has several conversions, the one
  ///     whose type matches the file is used. If the type is optional, missing values are passed to
  ///     `convert` too; otherwise they stay missing.
  ///   - convert: Returns the new value. If it throws, the upgrade is refused.
  @_disfavoredOverload
  public init<Old: StorableValue, New: Codable & NonisolatedConformance>(
    _ property: String, from oldType: Old.Type, _ convert: @escaping @Sendable (Old) throws -> New
  ) {
    self.init(property, Old.propertyType, takesNil: Old.isOptional) { row in
      let value = try convert(Old.read(from: row, at: 0))
      if let raw = (value as? any RawRepresentable)?.rawValue as? any StorableValue {
        return try raw.storedValue
      }
      let json = try canonicalJSON(value)
      return json == "null" ? .null : .text(json)
    }
  }

  /// Returns the stored type of a type with storable raw values; `nil` for any other type.
  private static func rawForm(of type: Any.Type) -> PropertyType? {
    func form<R: RawRepresentable>(_ type: R.Type) -> PropertyType? {
      (R.RawValue.self as? any StorableValue.Type)?.propertyType
    }
    return (ValueType(type).wrapped as? any RawRepresentable.Type).flatMap { form($0) }
  }

  /// Returns the value of a type with storable raw values from the only column of a row.
  private static func rawRepresentable<T>(_ type: T.Type, from row: Row) throws -> T {
    func read<R: RawRepresentable>(_ type: R.Type) throws -> T? {
      let storable = R.RawValue.self as? any StorableValue.Type
      let raw = try storable?.read(from: row, at: 0) as? R.RawValue
      return raw.flatMap { R(rawValue: $0) } as? T
    }
    if row.isNull(at: 0),
      let none = (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? T
    {
      return none
    }
    guard let wrapped = ValueType(type).wrapped as? any RawRepresentable.Type,
      let value = try read(wrapped)
    else { throw VaultError.unreadable("an unknown raw value", at: 0, reading: T.self) }
    return value
  }
}
