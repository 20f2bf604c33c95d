import SwiftSyntax

/// The facts about a type marked `@Stored` that its expansion needs.
struct StoredType {
  /// An index over properties with their Swift names.
  struct Index {
    var properties: [String]
    var isUnique: Bool
  }

  /// The origin of the type's object ID.
  enum ObjectID {
    case generated
    case property(StoredProperty)
    case composite([StoredProperty])

    /// Whether the object ID is a property with the name `id`, as `Identifiable` requires.
    var isNamedID: Bool {
      if case .property(let property) = self { property.name == "id" } else { false }
    }

    /// Returns whether `id` can be the `id` of `Identifiable`.
    ///
    /// It cannot if it is declared as `Int!` or is less visible than the type, or if the type has
    /// another nested type `ID`.
    ///
    /// - Parameters:
    ///   - members: The members of the type.
    ///   - access: The access modifier of the type, as ``StoredType/access``.
    /// - Returns: Whether it can.
    func canBeIdentity(withTypes members: MemberBlockItemListSyntax, access: String) -> Bool {
      let type: String
      switch self {
      case .generated: type = "Int64?"
      case .composite: type = "CompositeID"
      case .property(let property):
        if isNamedID {
          let levels = ["fileprivate ", "", "package ", "public "]
          guard !property.type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self),
            let own = levels.firstIndex(of: property.access),
            let needed = levels.firstIndex(of: access), own >= needed
          else { return false }
        }
        type = property.type.spelled
      }
      let nested = members.first {
        $0.decl.asProtocol((any NamedDeclSyntax).self)?.name.text == "ID"
      }
      guard let nested, type != "ID" else { return true }
      let alias = nested.decl.as(TypeAliasDeclSyntax.self)?.initializer.value
      return alias?.trimmedDescription == type
    }
  }

  /// The name without backquotes.
  var name: String
  /// The name as written.
  var identifier: String
  var isClass: Bool
  /// Whether the type is generic, so that it cannot have static stored properties.
  var isGeneric: Bool
  /// `public ` or `package ` if generated members need the modifier, and otherwise empty.
  var access: String
  /// The `@available` attributes of the type and of the types around it, which an extension needs.
  var availability: [AttributeSyntax]
  var table: String?
  /// The former tables of the objects.
  var renamedFrom: [String]
  var properties: [StoredProperty]
  var owned: [OwnedProperty]
  var objectID: ObjectID
  /// Whether the type conforms to `Identifiable` by its object ID.
  var isIdentifiable: Bool
  var indexes: [Index]
  /// The names of the properties in the full-text index.
  var searched: [String]
  /// The tokenizer of `@Searchable`, as written; `nil` if it is not.
  var tokenizer: ExprSyntax?
  /// The module in `search:`, as written.
  var searchModule: ExprSyntax?
  /// The options of the table as written.
  var options: [(label: String, value: ExprSyntax)]
  /// Whether `init(row:)` suppresses the `init()` that the compiler would generate for the class.
  var hasImplicitInitializer: Bool
  /// Whether the compiler generates an initializer of the struct with exactly the stored
  /// properties.
  var hasMemberwiseInitializer: Bool

  /// The attribute of generated members that use every property.
  ///
  /// Uses of deprecated properties inside deprecated members cause no warnings.
  var deprecation: String {
    properties.contains(where: \.isDeprecated) ? "@available(*, deprecated) " : ""
  }

  /// Whether the description refers to other classes.
  var hasAssociations: Bool { !owned.isEmpty || properties.contains(where: \.isReference) }
}

/// A property with owned objects of another class.
struct OwnedProperty {
  /// The name as written, with backquotes if it has them.
  var identifier: String
  /// The access modifier of the condition member, such as `public `, or an empty string.
  var access: String
  /// The type of the objects.
  var type: TypeSyntax
  var isMany: Bool
  /// The key path of the reference to the owner, and the name of its property.
  var reference: (path: ExprSyntax, name: String)
  /// The names of the properties to sort by.
  var sortedBy: [String]
  /// Whether the vault stores the order of the array.
  var isOrdered = false

  /// The name without backquotes.
  var name: String { identifier.filter { $0 != "`" } }
}

/// A property that is stored in a column, or in the columns of a reference.
struct StoredProperty {
  /// The name as written, with backquotes if it has them.
  var identifier: String
  /// The access modifier of the condition member, such as `public `, or an empty string.
  var access: String
  var type: TypeSyntax
  /// The column name in `@Column`.
  var column: String?
  var renamedFrom: [String] = []
  /// The other arguments of `@Column` that define the column, as written.
  var definition: [(label: String, value: ExprSyntax)] = []
  /// The type that `@Column` names as the converter, as written.
  var converter: ExprSyntax?
  /// The initial value if it is a literal and therefore the same for every object.
  var literal: ExprSyntax?
  /// Whether the property is marked as deprecated, so that its use in generated code is a warning.
  var isDeprecated = false
  /// Whether identical values are stored once.
  var isShared = false
  /// The arguments of `sealed(…)`; `nil` if the property is not sealed.
  var sealing: String?
  /// Whether the property is a reference to an object.
  var isReference = false
  /// The delete rule in `@Reference`.
  var onDelete: ExprSyntax?

  /// The name without backquotes.
  var name: String { identifier.filter { $0 != "`" } }

  /// The name as an argument label, with backquotes only if it cannot be a label otherwise.
  ///
  /// The compiler warns about backquotes that it does not need.
  var argumentLabel: String {
    let isLabel =
      !["inout", "_"].contains(name) && name.first?.isNumber == false
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isLabel ? name : identifier
  }

  /// The name of the column.
  var columnName: String { column ?? name }
  /// Whether the type is spelled as an optional.
  var isOptional: Bool { type.optionalWrapped != nil }
}
