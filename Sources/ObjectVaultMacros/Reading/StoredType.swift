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
  var isClass: Bool
  /// Whether static stored properties are out of reach.
  var isGeneric: Bool
  /// `public ` or `package ` where generated members must say so, else empty.
  var access: String
  var table: String?
  var properties: [StoredProperty]
  var objectID: ObjectID
  var indexes: [Index]
  /// Whether the compiler would have given the class `init()`, which `init(row:)` takes away.
  var hasImplicitInitializer: Bool
}

/// One property that is kept in a column.
struct StoredProperty {
  /// The name as written, with back-quotes where it has them.
  var identifier: String
  var type: TypeSyntax
  /// The name given by `@Column`.
  var column: String?
  var renamedFrom: [String] = []
  /// The initial value, where it is a literal and thus the same for every object.
  var literal: ExprSyntax?

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
