import SwiftSyntax

extension TypeSyntax {
  /// What an optional type wraps, however it is spelled; `nil` for any other type.
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

  /// Whether the type, or what it wraps, is spelled as a reference.
  var isReference: Bool {
    guard let (name, arguments) = (optionalWrapped ?? self).nominal else { return false }
    return name == "Ref" && arguments.count == 1
  }

  /// The class that a reference spelled without an optional refers to; `nil` for any other type.
  var referencedType: String? {
    guard let (name, arguments) = nominal, name == "Ref", arguments.count == 1 else { return nil }
    return arguments[0].trimmedDescription
  }

  /// The type of an array's elements; `nil` for any other type.
  var arrayElement: TypeSyntax? {
    if let array = self.as(ArrayTypeSyntax.self) { return array.element }
    guard let (name, arguments) = nominal, name == "Array", arguments.count == 1 else {
      return nil
    }
    return arguments[0]
  }

  /// Whether a `var` of the type begins as `nil` without saying so.
  var isImplicitlyNil: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }

  /// The type in parentheses where it is no plain name, so that `.self` may stand behind it.
  var metatypeBase: String {
    let isPlain =
      self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self)
      || self.is(OptionalTypeSyntax.self) || self.is(ArrayTypeSyntax.self)
      || self.is(DictionaryTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    return isPlain ? spelled : "(\(spelled))"
  }

  /// The type as it may stand before `.self`: `T!` becomes `T?`.
  var spelled: String {
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(optional.wrappedType.trimmedDescription)?"
    }
    return trimmedDescription
  }

  /// The last component of a named type's name, and its generic arguments.
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

  /// What makes a value of the type impossible to keep in a column, as far as its spelling tells:
  /// "is a function".
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
      return "is '\(type.someOrAnySpecifier.text)', not one type that can be read back"
    }
    if self.is(CompositionTypeSyntax.self) { return "is a composition of protocols" }
    if self.is(MetatypeTypeSyntax.self) { return "is a type, not a value" }
    if let nominal, ["Any", "AnyObject", "AnyHashable"].contains(nominal.name) {
      return "is '\(nominal.name)', not one type that can be read back"
    }
    return nominal?.name == "Void" ? "is a tuple" : nil
  }

  /// Types that are known to be no `String`.
  static let namesWithoutWords: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Float", "Double", "Character", "Data", "Date", "UUID", "URL", "Decimal", "Array", "Set",
    "Dictionary",
  ]

  /// Whether the type can be stored as bytes, as far as its spelling tells: another name may be an
  /// alias, for which the description's check tells.
  var mayBeBytes: Bool {
    if let arrayElement { return arrayElement.nominal?.name == "UInt8" }
    guard let name = nominal?.name else { return false }
    return name == "Data"
      || !["String", "Substring"].contains(name) && !TypeSyntax.namesWithoutWords.contains(name)
  }

  /// What makes the type unfit for an objectID, as far as its spelling tells.
  var objectIDObstacle: String? {
    if self.is(ArrayTypeSyntax.self) { return "an array" }
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
