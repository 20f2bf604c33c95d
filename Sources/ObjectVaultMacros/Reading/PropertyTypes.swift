import SwiftSyntax

extension SyntaxProtocol {
  /// Returns the type or expression with the name of a type instead of `Self`.
  ///
  /// `Self` has another meaning in the types that the macro nests, and a class cannot use it in the
  /// initial value of a static property.
  func namingSelf(_ identifier: String) -> Self {
    SelfRewriter(identifier: identifier).rewrite(self).cast(Self.self)
  }

  /// Returns whether the type or expression contains the unqualified name of another type.
  func names(_ name: String) -> Bool {
    tokens(viewMode: .sourceAccurate).contains {
      $0.text == name && $0.previousToken(viewMode: .sourceAccurate)?.tokenKind != .period
    }
  }
}

extension TypeSyntax {
  /// The names that an expression with this type resolves in its own scope: `A` of `[A.B<C>]`.
  ///
  /// Generic arguments are always types, so no property can hide their names.
  var namesInExpressions: [String] {
    if let wrapped = self.as(OptionalTypeSyntax.self)?.wrappedType {
      return wrapped.namesInExpressions
    }
    if let type = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return type.wrappedType.namesInExpressions
    }
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.namesInExpressions }
    if let type = self.as(DictionaryTypeSyntax.self) {
      return type.key.namesInExpressions + type.value.namesInExpressions
    }
    if let tuple = self.as(TupleTypeSyntax.self) {
      return tuple.elements.flatMap(\.type.namesInExpressions)
    }
    if let member = self.as(MemberTypeSyntax.self) { return member.baseType.namesInExpressions }
    return self.as(IdentifierTypeSyntax.self).map { [$0.name.plainText] } ?? []
  }

  /// The wrapped type of an optional type in any spelling, or `nil` for any other type.
  var optionalWrapped: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType
    }
    guard let (name, arguments) = nominal, name == "Optional", arguments.count == 1 else {
      return nil
    }
    return arguments[0]
  }

  /// Whether the type, or the type it wraps, is spelled as a reference.
  var isReference: Bool {
    guard let (name, arguments) = (optionalWrapped ?? self).nominal else { return false }
    return name == "Ref" && arguments.count == 1
  }

  /// The class of a non-optional reference, or `nil` for any other type.
  var referencedType: String? {
    guard let (name, arguments) = nominal, name == "Ref", arguments.count == 1 else { return nil }
    return arguments[0].trimmedDescription
  }

  /// The type of an array's elements, or `nil` for any other type.
  var arrayElement: TypeSyntax? {
    if let array = self.as(ArrayTypeSyntax.self) { return array.element }
    guard let (name, arguments) = nominal, name == "Array", arguments.count == 1 else {
      return nil
    }
    return arguments[0]
  }

  /// Whether a `var` of the type is initialized to `nil` implicitly.
  var isImplicitlyNil: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }

  /// The type with parentheses if `.self` cannot follow it otherwise.
  var metatypeBase: String {
    let isPlain =
      self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self)
      || self.is(OptionalTypeSyntax.self) || self.is(ArrayTypeSyntax.self)
      || self.is(DictionaryTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    return isPlain ? spelled : "(\(spelled))"
  }

  /// The type as it can be written before `.self`: `T?` for `T!`.
  var spelled: String {
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(optional.wrappedType.trimmedDescription)?"
    }
    return trimmedDescription
  }

  /// The last component of a named type's name, with its generic arguments.
  var nominal: (name: String, arguments: [TypeSyntax])? {
    let name: String
    let clause: GenericArgumentClauseSyntax?
    if let type = self.as(IdentifierTypeSyntax.self) {
      (name, clause) = (type.name.text, type.genericArgumentClause)
    } else if let type = self.as(MemberTypeSyntax.self) {
      (name, clause) = (type.name.text, type.genericArgumentClause)
    } else {
      return nil
    }
    let arguments = clause?.arguments.compactMap { TypeSyntax($0.argument) } ?? []
    return (name, arguments)
  }

  /// The reason why a value of the type cannot be stored in a column, such as "is a function".
  ///
  /// Only the spelling of the type is examined.
  var obstacle: String? {
    if let type = self.as(AttributedTypeSyntax.self) { return type.baseType.obstacle }
    if let wrapped = optionalWrapped { return wrapped.obstacle }
    if let type = self.as(ArrayTypeSyntax.self) { return type.element.obstacle }
    if let type = self.as(DictionaryTypeSyntax.self) {
      return type.key.obstacle ?? type.value.obstacle
    }
    if let type = self.as(TupleTypeSyntax.self) {
      if type.elements.count == 1, let only = type.elements.first { return only.type.obstacle }
      return "is a tuple"
    }
    if self.is(FunctionTypeSyntax.self) { return "is a function" }
    if let type = self.as(SomeOrAnyTypeSyntax.self) {
      return "is '\(type.someOrAnySpecifier.text)', not a concrete type"
    }
    if self.is(CompositionTypeSyntax.self) { return "is a composition of protocols" }
    if self.is(MetatypeTypeSyntax.self) { return "is a type, not a value" }
    if let nominal, ["Any", "AnyObject", "AnyHashable"].contains(nominal.name) {
      return "is '\(nominal.name)', not a concrete type"
    }
    return nominal?.name == "Void" ? "is a tuple" : nil
  }

  /// The names of types that are not `String`.
  static let namesWithoutWords: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Float", "Double", "Character", "Data", "Date", "UUID", "URL", "Decimal", "Array", "Set",
    "Dictionary",
  ]

  /// Whether the type can be stored as bytes, according to its spelling.
  ///
  /// Another name may be an alias; the check of the class description finds out.
  var mayBeBytes: Bool {
    if let arrayElement { return arrayElement.nominal?.name == "UInt8" }
    guard let name = nominal?.name else { return false }
    return name == "Data"
      || !["String", "Substring"].contains(name) && !TypeSyntax.namesWithoutWords.contains(name)
  }

  /// The reason why the type cannot be an object ID, according to its spelling.
  var objectIDObstacle: String? {
    if let arrayElement {
      return arrayElement.nominal?.name == "UInt8" ? nil : "an array"
    }
    if self.is(DictionaryTypeSyntax.self) { return "a dictionary" }
    switch nominal?.name {
    case "Array": return "an array"
    case "Dictionary": return "a dictionary"
    case "Set": return "a set"
    case "Float", "Double", "CGFloat", "TimeInterval": return "a floating-point number"
    default: return nil
    }
  }
}

/// A rewriter that replaces `Self` by the name of a type.
private final class SelfRewriter: SyntaxRewriter {
  private let identifier: String

  init(identifier: String) {
    self.identifier = identifier
    super.init()
  }

  override func visit(_ token: TokenSyntax) -> TokenSyntax {
    token.tokenKind == .keyword(.Self)
      ? token.with(\.tokenKind, .identifier(identifier)) : token
  }
}
