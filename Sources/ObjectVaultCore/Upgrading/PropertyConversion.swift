public import ObjectVaultCondition
import ObjectVaultEngine

/// How the values of a property become those of another type, where that is not evident or would
/// lose something.
///
/// ```swift
/// static let conversions = [
///   PropertyConversion("size", from: String.self) { $0 == "large" ? 2 : 1 }
/// ]
/// ```
public struct PropertyConversion: Sendable {
  /// The name of the property.
  public let property: String
  /// What it was before.
  public let oldType: PropertyType
  let takesNil: Bool
  /// What is stored in the stead of the value in the only column of a row.
  let convert: @Sendable (Row) throws -> StoredValue

  /// Describes a conversion.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as it is now.
  ///   - oldType: What it was. Of several conversions of one property, that for the type in the file
  ///     counts. An optional type is given what is missing too; for others that stays missing.
  ///   - convert: Makes the new value. What it throws refuses the upgrade.
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

// Lists and other `Codable` values that are kept as canonical JSON. From one of these to another no
// conversion is taken: the file knows that they are JSON, and not what is in it, so that nothing changes
// for it.
extension PropertyConversion {
  /// Describes a conversion of what was kept as JSON.
  ///
  /// - Parameters: as ``init(_:from:_:)-(_,Old.Type,_)``.
  @_disfavoredOverload
  public init<Old: Codable & NonisolatedConformance, New: StorableValue>(
    _ property: String, from oldType: Old.Type, _ convert: @escaping @Sendable (Old) throws -> New
  ) {
    let takesNil = oldType is any ExpressibleByNilLiteral.Type
    self.init(property, .json, takesNil: takesNil) { row in
      let isNil = row.isNull(at: 0)
      return try convert(
        isNil ? decodeCanonicalJSON(Old.self, from: "null") : row.value(at: 0, as: Old.self)
      ).storedValue
    }
  }

  /// Describes a conversion into what is kept as JSON.
  ///
  /// - Parameters: as ``init(_:from:_:)-(_,Old.Type,_)``.
  @_disfavoredOverload
  public init<Old: StorableValue, New: Codable & NonisolatedConformance>(
    _ property: String, from oldType: Old.Type, _ convert: @escaping @Sendable (Old) throws -> New
  ) {
    self.init(property, Old.propertyType, takesNil: Old.isOptional) { row in
      let json = try canonicalJSON(convert(Old.read(from: row, at: 0)))
      return json == "null" ? .null : .text(json)
    }
  }
}
