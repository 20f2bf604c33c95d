/// A conversion of one property to another stored type.
///
/// A custom type defines its stored form for all properties with ``ConvertibleToStorable``. Use a
/// converter for single properties: for types that you don't own, and for types that need another
/// stored form in one place.
///
/// ```swift
/// enum HexColour: PropertyConverter {
///   static func stored(_ colour: Colour) -> String { colour.hex }
///   static func value(_ stored: String) throws -> Colour { try Colour(hex: stored) }
/// }
///
/// @Stored struct Tag {
///   var name: String
///   @Column(converter: HexColour.self) var colour: Colour
///   @Column(converter: HexColour.self) var border: Colour?
/// }
/// ```
///
/// The file contains the stored form. Indexes, uniqueness, sort orders, JSON, dynamic objects and
/// the command-line tool use it as well. Conditions accept values in both forms. `nil` is stored as
/// NULL without a call of the converter.
///
/// The functions are called on any thread and must depend only on their argument.
public protocol PropertyConverter: NonisolatedConformance {
  /// The type of the property, without `Optional`.
  associatedtype Value

  /// The stored type.
  associatedtype Stored: StorableValue

  /// Returns the stored form of a value, which must be equal for equal values.
  ///
  /// - Throws: Any error for a value that can't be stored. The operation then fails with
  ///   ``VaultError`` `.invalidValue` and this error as its ``VaultError/underlying`` error.
  static func stored(_ value: Value) throws -> Stored

  /// Returns the value for a stored form.
  ///
  /// - Throws: Any error for an invalid stored form. The operation then fails with ``VaultError``
  ///   `.invalidValue` and this error as its ``VaultError/underlying`` error.
  static func value(_ stored: Stored) throws -> Value
}
