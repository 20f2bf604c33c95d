/// Makes the property the object ID of the class, or a part of it.
///
/// One marked property is the object ID and the primary key of the table. No two objects of a store
/// have the same object ID. If the type is `Int?` or `Int64?`, the vault assigns a generated ID
/// when the value is `nil` on insert. Other types cannot be optional. Several marked properties
/// form the object ID together, in declaration order. The type then has a nested `CompositeID` for
/// finding objects.
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
/// The type must conform to ``ObjectIDValue``. Integers, `String`, `UUID`, `Data` and `[UInt8]` do.
/// Other types must declare the conformance; an enumeration with raw values declares
/// `StorableValue, ObjectIDValue`.
@attached(peer)
public macro ObjectID() =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Defines the property's column, its name and its former names.
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
///   - name: The name of the column. The default is the name of the property. Conditions use the
///     property's name. Two columns must differ in more than the case of ASCII letters.
///   - renamedFrom: Former names of the column, latest first. The values of an older vault are
///     retained.
///   - type: The declared type of the column. The engine must store the values exactly under this
///     type; see ``ColumnDefinition/type``.
///   - length: The length of texts or bytes. Longer values are rejected with
///     ``ColumnLength/atMost(_:)``.
///   - constraints: Further constraints as SQL; see ``ColumnDefinition/constraints``.
///   - converter: The type that converts between values of the property and stored values; see
///     ``PropertyConverter``. It must be at least as visible as the property. An object ID and a
///     reference cannot have a converter.
@attached(peer)
public macro Column(
  _ name: String? = nil, renamedFrom: String..., type: String? = nil, length: ColumnLength? = nil,
  constraints: String? = nil, converter: (any PropertyConverter.Type)? = nil
) = #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Creates an index for the property, so that conditions and sorts on it need not read every
/// object.
///
/// For an index over several properties, see `indexes:` and `unique:` of
/// ``Stored(table:renamedFrom:only:indexes:unique:search:columnOrder:withoutRowID:insertionTime:history:identifiable:)``.
///
/// - Parameter unique: Whether no two objects may have the same value. Two `nil` values differ.
@attached(peer)
public macro Indexed(unique: Bool = false) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Adds the property to the full-text index, which ``Query/search(_:in:)`` queries.
///
/// ```swift
/// @Stored struct Note { @Searchable var title: String; @Searchable var text: String? }
///
/// let found = try notes.search("secret plan*").matches()
/// ```
///
/// The property must be a `String` or `String?`. All marked properties of a class share one
/// full-text index, so their tokenizers must be the same. Triggers in the file keep the index up to
/// date for every writer. The `search:`
/// parameter of
/// ``Stored(table:renamedFrom:only:indexes:unique:search:columnOrder:withoutRowID:insertionTime:history:identifiable:)``
/// selects its module.
///
/// - Parameter tokenizer: The division of the texts: `.words` finds words and their beginnings,
///   `.trigram` finds any part of a word, also in Chinese, Japanese and Korean.
@attached(peer)
public macro Searchable(tokenizer: SearchDescription.Tokenizer = .words) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Stores identical bytes of the property only once in the vault.
///
/// ```swift
/// @Stored struct Photo { var name: String; @SharedBlob var picture: Data }
/// ```
///
/// The property must be a `Data`, `[UInt8]`, an optional of these, or a type that is stored as
/// bytes. Use it like any other property. Identical contents of all classes are stored in the file
/// once. Their identifier is a digest that cannot be computed without the file's own key. The bytes
/// are deleted with the last object that has them. See ``Vault/sharedBlobs()``.
@attached(peer)
public macro SharedBlob() =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Encrypts the values of the property before they reach the database.
///
/// ```swift
/// @Stored struct Patient {
///   var name: String
///   @Sealed var diagnosis: String
///   @Sealed(.findable) @Indexed(unique: true) var insuranceNumber: String
/// }
/// ```
///
/// Each value is encrypted under a sealing key of the vault, and bound to its object and property.
/// Use the property like any other, except in queries: the file cannot compare, sort or calculate
/// with its values. A findable property can be compared by `==`, `!=` and `IN`. A vault with a
/// keyring has sealing keys; any other needs them in its configuration.
///
/// The property has no default for objects that were stored before it existed.
///
/// - Parameter sealing: The use in conditions. The default is that values can only be compared with
///   `nil`.
@attached(peer)
public macro Sealed(_ sealing: Sealing = .hidden) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Encrypts the values of the property under a key that can be destroyed with all of them.
///
/// ```swift
/// @Stored struct Person {
///   var key: UUID = UUID()
///   var name: String
///   @Sealed(by: \Person.key) var iban: String?
/// }
/// ```
///
/// The vault needs ``VaultConfiguration/erasableKeys``, besides its sealing keys. After
/// ``ErasableKeys/destroy(_:)``, the values of the key are `nil`, also in backups. The property must
/// be optional, and cannot be findable.
///
/// - Parameter name: The property of the same class with the name of the key: a required `String`,
///   `UUID`, `Int` or `Int64`, such as the identifier of a person.
@attached(peer)
public macro Sealed<Object, Name: ErasableKeyNaming>(by name: KeyPath<Object, Name>) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Excludes the property from the vault.
///
/// An object that is read from the vault has the property's initial value. The property must have
/// an initial value or be an optional `var`.
@attached(peer)
public macro Ignored() =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Sets the delete rule for objects that refer to a removed object through the property.
///
/// ```swift
/// @Reference(onDelete: .cascade) var classroom: Ref<Classroom>?
/// ```
///
/// The property must be a ``Ref`` or an optional ``Ref`` to an object of a stored class. It may
/// refer to its own class, and classes may refer to one another. The reference is a foreign key of
/// the file with an index. A ``Ref`` without the attribute is a reference with the default rule.
///
/// - Parameter onDelete: The delete rule. The default is ``DeleteRule/nullify`` for an optional
///   reference and ``DeleteRule/deny`` for any other: no object that is referred to is removed
///   unless the rule allows it.
@attached(peer)
public macro Reference(onDelete: DeleteRule? = nil) =
  #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")

/// Marks objects of another class that the object owns and that are loaded and saved with it.
///
/// ```swift
/// @Owned(by: \Student.classroom, sortedBy: \Student.seat) var students: [Student]?
/// @Owned(by: \Teacher.classroom) var teacher: Teacher?
/// @Owned(by: \Lesson.classroom, ordered: true) var lessons: [Lesson]?
/// ```
///
/// The property has no column. Its objects are stored in the table of their class and found by
/// their reference to the owner. The property must be optional. `nil` means that the objects are
/// not loaded, and leaves them unchanged when the owner is saved. An empty array means that the
/// owner has none, and removes the stored ones.
///
/// - Parameters:
///   - reference: The reference of the other class to this one.
///   - order: The properties of the other class to sort by. Objects that are equal in all of them
///     are sorted by object ID.
///   - ordered: Whether the vault stores the order of the array. Saving the owner then writes only
///     objects that are new, changed or in another place. An object that was stored without its
///     owner comes after all others.
@attached(peer)
public macro Owned<Child: StoredObject, Reference: ReferenceValue>(
  by reference: KeyPath<Child, Reference>, sortedBy order: PartialKeyPath<Child>...,
  ordered: Bool = false
) = #externalMacro(module: "ObjectVaultMacros", type: "PropertyAttributeMacro")
