import SwiftSyntax

/// A type marked `@Stored`, as far as its expansion needs to know it.
struct StoredType {
  /// One index, over properties named as in Swift.
  struct Index {
    var properties: [String]
    var isUnique: Bool
  }

  /// How the type gets its objectID.
  enum ObjectID {
    case generated
    case property(StoredProperty)
    case composite([StoredProperty])
  }

  /// The name without back-quotes.
  var name: String
  /// The name as written.
  var identifier: String
  var isClass: Bool
  /// Whether static stored properties are out of reach.
  var isGeneric: Bool
  /// `public ` or `package ` where generated members must say so, else empty.
  var access: String
  var table: String?
  /// The tables that the objects were kept in before.
  var renamedFrom: [String]
  var properties: [StoredProperty]
  var owned: [OwnedProperty]
  var objectID: ObjectID
  var indexes: [Index]
  /// The names of the properties that are searched for words.
  var searched: [String]
  /// The module given by `search:`, as written.
  var searchModule: ExprSyntax?
  /// What is said of the table as a whole, as written.
  var options: [(label: String, value: ExprSyntax)]
  /// Whether the compiler would have given the class `init()`, which `init(row:)` takes away.
  var hasImplicitInitializer: Bool
  /// Whether the compiler gives the struct an initializer that takes each property and nothing else.
  var hasMemberwiseInitializer: Bool

  /// Whether other classes belong to the description.
  var hasAssociations: Bool { !owned.isEmpty || properties.contains(where: \.isReference) }
}

/// Objects of another class that belong to the type's.
struct OwnedProperty {
  /// The name as written, with back-quotes where it has them.
  var identifier: String
  /// `public ` and its like where the member of conditions must say so to be as visible.
  var access: String
  /// The type of the objects.
  var type: TypeSyntax
  var isMany: Bool
  /// The key path of the reference to the owner, and the name of its property.
  var reference: (path: ExprSyntax, name: String)
  /// The names of the properties that give the order.
  var sortedBy: [String]

  /// The name without back-quotes.
  var name: String { identifier.filter { $0 != "`" } }
}

/// One property that is kept in a column, or in those of a reference.
struct StoredProperty {
  /// The name as written, with back-quotes where it has them.
  var identifier: String
  /// `public ` and its like where the member of conditions must say so to be as visible.
  var access: String
  var type: TypeSyntax
  /// The name given by `@Column`.
  var column: String?
  var renamedFrom: [String] = []
  /// What `@Column` says of the column beside its names, as written.
  var definition: [(label: String, value: ExprSyntax)] = []
  /// The type that `@Column` names as the converter, as written.
  var converter: String?
  /// The initial value, where it is a literal and thus the same for every object.
  var literal: ExprSyntax?
  /// Whether equal values of objects are kept once.
  var isShared = false
  /// Whether it refers to an object.
  var isReference = false
  /// The delete rule that `@Reference` gives.
  var onDelete: ExprSyntax?

  /// The name without back-quotes.
  var name: String { identifier.filter { $0 != "`" } }

  /// The name as a label: the compiler wants back-quotes there only around what could be no label.
  var argumentLabel: String {
    let needsQuotes =
      ["inout", "var", "let"].contains(name)
      || !name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return needsQuotes ? identifier : name
  }

  /// The name of the column.
  var columnName: String { column ?? name }
  /// Whether the type is spelled as an optional.
  var isOptional: Bool { type.optionalWrapped != nil }
}
