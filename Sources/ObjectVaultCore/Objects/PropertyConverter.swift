/// Stores one property in another form than the one that its type has, or has not.
///
/// A type of your own says once and for all how it is stored, by ``ConvertibleToStorable``. A converter
/// does so for single properties: of a type that belongs to somebody else, or of one that is stored
/// otherwise here than elsewhere.
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
/// The file holds the stored form, and so do indexes, uniqueness, orders, JSON, dynamic objects and the
/// command-line tool. Conditions take values of either form. `nil` is stored as no value, without the
/// converter.
///
/// The functions are called on any thread, and know nothing but their argument.
public protocol PropertyConverter: NonisolatedConformance {
  /// The type of the property, without an optional.
  associatedtype Value

  /// The type that is stored in its stead.
  associatedtype Stored: StorableValue

  /// What is stored in the value's stead. Equal values give equal results.
  ///
  /// - Throws: where the value cannot be stored; the operation then fails with ``VaultError``
  ///   `.invalidValue`, of which this error is the ``VaultError/underlying`` one.
  static func stored(_ value: Value) throws -> Stored

  /// The value that something stored stands for.
  ///
  /// - Throws: where it stands for none; the operation then fails with ``VaultError`` `.invalidValue`,
  ///   of which this error is the ``VaultError/underlying`` one.
  static func value(_ stored: Stored) throws -> Value
}
