/// Stores the objects of a struct or final class in a table of a vault.
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
/// The macro generates the ``StoredObject`` conformance: `classDescription`, `init(row:)`,
/// `encode(into:)`, and the members for typed conditions. They have the access level of the type. A
/// struct keeps its memberwise initializer, and a class keeps the `init()` that it has without the
/// macro.
///
/// **Stored properties.** The macro stores every stored property in declaration order, private ones
/// and those with observers too. The type of a property is a ``StorableValue``, a type with
/// storable raw values, a `Codable` type, or an optional of these. Write the type, unless the
/// initial value is a plain number, text or Boolean literal. Computed and static properties are not
/// stored. A property that cannot be stored (a `lazy`, wrapped or `weak` property, a constant with
/// a value, a tuple, a function, a property inside `#if`) is an error until it is marked
/// ``Ignored()``. No property is left out silently. An attribute of a stored property inside `#if`
/// is an error, too: the table must be the same in every build.
///
/// **The object ID.** Mark one property ``ObjectID()``, or several for a composite object ID, which
/// becomes the nested type `CompositeID`. If none is marked, the macro adds `var objectID: Int64?`.
/// It is `nil` until the object is stored, then a number that the vault never reuses.
///
/// **Initial values.** A literal (`0`, `-1.5`, `"none"`, `true`, `[]`) is also the value of objects
/// that were stored before the property was added. Other expressions are not: `UUID()`, evaluated
/// once, would give all of these objects the same value.
///
/// **Limits.** Declare the type in a file or in another type, not inside a function. It cannot
/// belong to a global actor, because vaults read and write on other threads. In a module that is
/// isolated to the main actor by default, write `nonisolated struct`. A generic type needs
/// `table:`, and one table stores one of its specializations. Declare a type that belongs to a
/// generic one inside it, or in an extension with a `where` clause: the macro cannot recognize
/// other extensions of a generic type. A type inside another one must not be private to it, and
/// neither must the types of its stored properties: make them `fileprivate`. A class must not
/// inherit from another class, because the properties of the superclass would be lost. A macro
/// cannot distinguish a class from a protocol in `final class A: B`, so this is checked when the
/// class is first used.
///
/// - Parameters:
///   - table: The name of the table, or `.plural` for a name derived from the type's name by the
///     rule of ``TableName/plural``. The default is the type's name without the names of enclosing
///     types. Names that begin with `sqlite_`, `objectvault_` or `ov_` are reserved.
///   - renamedFrom: Former tables of the objects, latest first. A class with a new name has a new
///     table unless this parameter names the former one.
///   - only: The names of the stored properties. The columns have this order. The other properties
///     are left out like those marked ``Ignored()``, and need an initial value too. By default
///     every property is stored.
///   - indexes: Indexes over several properties, each a list of property names in order. For an
///     index over one property, write ``Indexed(unique:)`` at its declaration.
///   - unique: Indexes over several properties for which no two objects may have all values equal.
///   - search: The module for the full-text index of the properties marked
///     ``Searchable(tokenizer:)``. The default is FTS4, which every engine has; the alternative is
///     `.fts5`.
///   - columnOrder: The order of the columns in the table. The default is the declaration order.
///     The alternatives are `.keysFirst`, and `.listed` with the names of the properties that come
///     first.
///   - withoutRowID: Whether the table has no row ID and its key is the ``ObjectID()`` alone; see
///     ``TableOptions/isWithoutRowID``.
///   - insertionTime: Whether the vault records the time of each object's last insertion, for
///     ``ObjectStore/removeAll(insertedBefore:)``.
///   - history: Whether the vault records each change of an object, for
///     ``Vault/changes(since:of:limit:)``.
///   - identifiable: Whether the type conforms to `Identifiable`, with its objectID as `id`; `nil`
///     before a generated objectID is assigned. The default is `true`. A type that conforms itself,
///     or declares an `id` in its braces that is not its objectID or is less visible than the type,
///     stays as it is. Pass `false` if `id` is declared in an extension.
@attached(
  member, conformances: Identifiable,
  names: named(objectID), named(classDescription), named(Properties), named(propertyNames),
  named(ObjectIDType), named(storedObjectID), named(id),
  named(assignObjectID), named(removeObjectID), named(CompositeID), named(init),
  named(referenceTarget),
  named(referencedClasses), named(ownedProperties))
@attached(
  extension, conformances: StoredObject, GeneratesObjectID, Identifiable,
  names: named(init), named(encode))
public macro Stored(
  table: TableName? = nil, renamedFrom: [String] = [], only: [String]? = nil,
  indexes: [[String]] = [], unique: [[String]] = [], search: SearchDescription.Module = .fts4,
  columnOrder: TableOptions.ColumnOrder = .declared, withoutRowID: Bool = false,
  insertionTime: Bool = false, history: TableOptions.History = .none, identifiable: Bool = true
) = #externalMacro(module: "ObjectVaultMacros", type: "StoredMacro")
