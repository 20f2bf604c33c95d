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
  // It holds types, whose functions anybody may call, and a closure that may be called anywhere.
  nonisolated(unsafe) let convert: (Row) throws -> StoredValue

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
    self.property = property
    self.oldType = Old.propertyType
    takesNil = Old.isOptional
    self.convert = { row in try convert(Old.read(from: row, at: 0)).storedValue }
  }
}
