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

/// Names the property's column and the columns it was kept in before, and says how it is defined.
///
/// ```swift
/// @Column("family_name", renamedFrom: "surname") var familyName: String
/// @Column(length: .atMost(40)) var town: String
/// @Column(type: "DATETIME") var born: Date
/// @Column(constraints: "CHECK (\"age\" >= 0)") var age: Int
/// @Column(converter: HexColour.self) var colour: Colour
/// ```
///
/// - Parameters:
///   - name: The name of the column; that of the property by default. Conditions use the
///     property's name. Two columns must differ in more than the case of ASCII letters.
///   - renamedFrom: Former names of the column, latest first: an older vault's values are kept.
///   - type: The declared type, under which the engine must keep the values exactly; see
///     ``ColumnDefinition/type``.
///   - length: How long texts or bytes are; what is longer is refused with ``ColumnLength/atMost(_:)``.
///   - constraints: Further constraints as SQL; see ``ColumnDefinition/constraints``.
///   - converter: What makes the property's values those that are stored, and back; see
///     ``PropertyConverter``. Its type is at least as visible as the property. An objectID and a
///     reference have none.
@attached(peer)
public macro Column(
  _ name: String? = nil, renamedFrom: String..., type: String? = nil, length: ColumnLength? = nil,
  constraints: String? = nil, converter: (any PropertyConverter.Type)? = nil
) = #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Keeps an index over the property, so that conditions and sorts on it need not read every object.
///
/// For an index over several properties see `indexes:` and `unique:` of
/// ``Stored(table:renamedFrom:only:indexes:unique:search:columnOrder:withoutRowID:insertionTime:)``.
///
/// - Parameter unique: Whether no two objects may have the same value. `nil` differs from `nil`.
@attached(peer)
public macro Indexed(unique: Bool = false) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Keeps an index of the words in the property, so that ``Query/search(_:in:)`` finds them.
///
/// ```swift
/// @Stored struct Note { @Searchable var title: String; @Searchable var text: String? }
///
/// let found = try notes.search("secret plan*").matches()
/// ```
///
/// The property is a `String` or an optional one. All of a class are in one index, which the file itself
/// keeps in step, whoever writes; `search:` of
/// ``Stored(table:renamedFrom:only:indexes:unique:search:columnOrder:withoutRowID:insertionTime:)`` chooses
/// what keeps it.
@attached(peer)
public macro Searchable() =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Has the vault keep the property's bytes once, however many objects have the same.
///
/// ```swift
/// @Stored struct Photo { var name: String; @SharedBlob var picture: Data }
/// ```
///
/// The property is a `Data` or `[UInt8]`, an optional one, or of a type that is stored as bytes. It is used
/// like any other; equal contents of all classes stand in the file once, under a digest that nobody can
/// make without the file's own key, and go with the last object that has them. See
/// ``Vault/sharedBlobs()``.
@attached(peer)
public macro SharedBlob() =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Leaves the property out of the vault.
///
/// An object that is read has the property's initial value, so it needs one or must be an optional
/// `var`.
@attached(peer)
public macro Ignored() =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Says what becomes of the object when the one that the property refers to is removed.
///
/// ```swift
/// @Reference(onDelete: .cascade) var classroom: Ref<Classroom>?
/// ```
///
/// The property is a ``Ref``, or an optional one, to an object of a class that is stored too; its own
/// class is allowed, and classes may refer to one another. It is a foreign key of the file with an
/// index. A ``Ref`` without the attribute is a reference with the default rule.
///
/// - Parameter onDelete: By default ``DeleteRule/nullify`` for an optional reference, and
///   ``DeleteRule/deny`` for any other: nothing that somebody refers to goes unless it was said so.
@attached(peer)
public macro Reference(onDelete: DeleteRule? = nil) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Marks objects of another class that belong to the object: they are loaded and saved with it.
///
/// ```swift
/// @Owned(by: \Student.classroom, sortedBy: \Student.seat) var students: [Student]?
/// @Owned(by: \Teacher.classroom) var teacher: Teacher?
/// ```
///
/// The property has no column: the objects are kept in the table of their class, and found by their
/// reference to this one. It is optional: `nil` says that they are not loaded, and leaves them alone
/// when the owner is saved; an empty list says that there are none, and removes those that are stored.
///
/// - Parameters:
///   - reference: The reference of the other class to this one.
///   - order: The properties of the other class that give the order; objects that are equal in all
///     of them are in the order of their objectIDs.
@attached(peer)
public macro Owned<Child: StoredObject, Reference: ReferenceValue>(
  by reference: KeyPath<Child, Reference>, sortedBy order: PartialKeyPath<Child>...
) = #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")
