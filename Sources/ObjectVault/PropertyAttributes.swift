/// Makes the property the objectID, or a part of it.
///
/// On one property, that is the objectID and the table's primary key; no two objects of a store
/// have the same. An `Int?` or `Int64?` is filled in by the vault when it is `nil` on insert; other
/// types cannot be optional. On several properties they make the objectID together, in
/// declaration order, and the type gets a nested `CompositeID` to find objects by.
///
/// ```swift
/// @Stored
/// struct Subdivision {
///   @ObjectID var country: String
///   @ObjectID var code: String
///   var name: String
/// }
/// // Subdivision.CompositeID(country: "CH", code: "BE")
/// ```
///
/// The type must be an ``ObjectIDValue``: an integer, `String`, `UUID` or another type that says so;
/// an enumeration with raw values says `StorableValue, ObjectIDValue`.
@attached(peer)
public macro ObjectID() =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Names the property's column, and the columns it was kept in before.
///
/// ```swift
/// @Column("family_name", renamedFrom: "surname") var familyName: String
/// ```
///
/// - Parameters:
///   - name: The name of the column; that of the property by default. Conditions use the
///     property's name. Two columns must differ in more than the case of ASCII letters.
///   - renamedFrom: Former names of the column, latest first: an older vault's values are kept.
@attached(peer)
public macro Column(_ name: String? = nil, renamedFrom: String...) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Keeps an index over the property, so that conditions and sorts on it need not read every object.
///
/// For an index over several properties see `indexes:` and `unique:` of
/// ``Stored(table:indexes:unique:)``.
///
/// - Parameter unique: Whether no two objects may have the same value. `nil` differs from `nil`.
@attached(peer)
public macro Indexed(unique: Bool = false) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Leaves the property out of the vault.
///
/// An object that is read has the property's initial value, so it needs one or must be an optional
/// `var`.
@attached(peer)
public macro Ignored() =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")
