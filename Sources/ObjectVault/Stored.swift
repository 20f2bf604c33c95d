/// Lets a vault keep the objects of a struct or final class, in a table of its own.
///
/// ```swift
/// @Stored(indexes: [["age", "seat"]])
/// struct Student {
///   var name: String
///   @Indexed var age: Int
///   var seat: Int = 0
///   var tags: [String] = []
/// }
/// ```
///
/// The macro writes the ``StoredObject`` conformance: `classDescription`, `init(row:)` and
/// `encode(into:)`, and the members that typed conditions name, as visible as the type. A struct keeps its memberwise initializer, and a class
/// the `init()` it would have without the macro.
///
/// **What is stored.** Every stored property, private ones too, in declaration order, with or
/// without observers: of any ``StorableValue`` type, of a type with storable raw values, of a
/// `Codable` type, and optionals of these. Write the type, unless the initial value is a plain
/// number, text or truth value. Computed and static properties are not stored. What cannot be
/// stored (a `lazy`, wrapped or `weak` property, a constant with a value, a tuple, a function, a
/// property inside `#if`) is an error until it is marked ``Ignored()``; nothing is left out
/// silently.
///
/// **The objectID.** Mark one property ``ObjectID()``, or several for a composite objectID, which
/// becomes the nested type `CompositeID`. Without any, the macro adds `var objectID: Int64?`: `nil`
/// until the object is stored, then a number that the vault never gives twice.
///
/// **Initial values.** A literal (`0`, `-1.5`, `"none"`, `true`, `[]`) is also the value of objects
/// stored before the property was added. Other expressions are not: `UUID()` evaluated once would
/// give all of them the same.
///
/// **Limits.** The type stands in a file or in another type, not inside a function. It belongs to
/// no global actor, since vaults read and write on other threads: in a module that is isolated to
/// the main actor by default, write `nonisolated struct`. A generic type needs `table:`, and one
/// table keeps one of its specialisations. A class inherits from no other class, whose properties
/// would be lost; a macro cannot tell a class from a protocol in `final class A: B`, so that is
/// checked when the class is first used.
///
/// - Parameters:
///   - table: The name of the table, or `.plural` for one that is made of the type's by the rule of
///     ``TableName/plural``; the type's own, without what it is nested in, by default. Names that
///     begin with `sqlite_`, `objectvault_` or `ov_` are reserved.
///   - renamedFrom: The tables that the objects were kept in before, latest first: a class of another
///     name is another table, unless this says which one it was.
///   - only: The names of the properties that are stored, with the columns in this order. The others are
///     left out as those marked ``Ignored()``, and need an initial value as those do. Every property is
///     stored by default.
///   - indexes: Indexes over several properties, each a list of property names in order.
///     For one property, say ``Indexed(unique:)`` where it is declared.
///   - unique: Indexes over several properties in which no two objects may agree in all.
///   - search: What keeps the index of the properties marked ``Searchable()``: FTS4, which every engine
///     has, unless this says `.fts5`.
///   - columnOrder: The order of the columns in the table: that of the declaration unless this says
///     `.keysFirst`, or `.listed` with the names of properties that come first.
///   - withoutRowID: Whether the table is kept by its ``ObjectID()`` alone; see
///     ``TableOptions/isWithoutRowID``.
///   - insertionTime: Whether the vault keeps when each object was last inserted, for
///     ``ObjectStore/removeAll(insertedBefore:)``.
@attached(
  member,
  names: named(objectID), named(classDescription), named(Properties), named(propertyNames),
  named(ObjectIDType), named(storedObjectID),
  named(assignObjectID), named(removeObjectID), named(CompositeID), named(init),
  named(referenceTarget),
  named(referencedClasses), named(ownedProperties))
@attached(
  extension, conformances: StoredObject, GeneratesObjectID, names: named(init), named(encode))
public macro Stored(
  table: TableName? = nil, renamedFrom: [String] = [], only: [String]? = nil,
  indexes: [[String]] = [], unique: [[String]] = [], search: SearchDescription.Module = .fts4,
  columnOrder: TableOptions.ColumnOrder = .declared, withoutRowID: Bool = false,
  insertionTime: Bool = false
) = #externalMacro(module: "ObjectVaultMacros", type: "StoredMacro")
