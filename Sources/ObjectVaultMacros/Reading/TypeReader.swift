import SwiftDiagnostics
import SwiftSyntax

/// The reader of a declaration marked `@Stored`, which collects all errors in it.
struct TypeReader {
  let attribute: AttributeSyntax
  let lexicalContext: [Syntax]
  var diagnostics: [Diagnostic] = []

  /// Returns the type, or `nil` if an error was found.
  mutating func read(_ declaration: some DeclGroupSyntax) -> StoredType? {
    let name: TokenSyntax
    let generics: GenericParameterClauseSyntax?
    let finalClass: ClassDeclSyntax?
    if let type = declaration.as(StructDeclSyntax.self) {
      (name, generics, finalClass) = (type.name, type.genericParameterClause, nil)
    } else if let type = declaration.as(ClassDeclSyntax.self) {
      (name, generics, finalClass) = (type.name, type.genericParameterClause, type)
      checkFinal(type)
    } else {
      refuse(declaration)
      return nil
    }
    let plainName = name.plainText
    checkIsolation(of: declaration.attributes, name: plainName)
    checkVisibility(of: declaration.modifiers, name: name)
    checkCopyable(declaration.inheritanceClause, name: plainName)
    let isGeneric = generics != nil || lexicalContext.contains(where: \.isGeneric)
    let arguments = readArguments(typeName: name, isGeneric: isGeneric)

    var reader = PropertyReader(
      typeName: plainName, typeIdentifier: name.text, only: arguments.only?.map(\.name))
    reader.read(declaration.memberBlock.members)
    diagnostics += reader.diagnostics
    checkGeneratedNames(reader, members: declaration.memberBlock.members)
    checkRequirements(declaration.memberBlock.members)
    if let listed = arguments.only { order(&reader, by: listed) }
    let indexes = readIndexes(arguments, properties: reader)
    if let module = arguments.searchModule, reader.searched.isEmpty {
      diagnostics.report(module, "'\(plainName)' has 'search' but no property marked '@Searchable'")
    }

    if reader.idProperties.isEmpty, let isWithout = arguments.literallyWithoutRowID {
      diagnostics.report(
        isWithout, "'\(plainName)' has 'withoutRowID' but no property marked '@ObjectID'")
    }

    guard !diagnostics.contains(where: { $0.diagMessage.severity == .error }) else { return nil }
    let access = access(of: declaration.modifiers)
    return StoredType(
      name: plainName, identifier: name.text, isClass: finalClass != nil, isGeneric: isGeneric,
      access: access,
      availability: availability(of: declaration.attributes), table: arguments.table,
      renamedFrom: arguments.renamedFrom,
      properties: reader.properties, owned: reader.owned, objectID: reader.objectID,
      isIdentifiable: arguments.isIdentifiable
        && reader.objectID.canBeIdentity(
          withTypes: declaration.memberBlock.members, access: access)
        && (reader.objectID.isNamedID
          || !declaration.memberBlock.members.contains(where: \.mayDeclareID)),
      indexes: indexes, searched: reader.searched,
      tokenizer: reader.tokenizers.first??.namingSelf(name.text),
      searchModule: arguments.searchModule?.namingSelf(name.text), options: arguments.options,
      hasImplicitInitializer: finalClass != nil && reader.everythingHasInitialValue
        && !declaration.memberBlock.members.contains(where: \.mayDesignateInitializer),
      hasMemberwiseInitializer: finalClass == nil && arguments.only == nil
        && reader.leftOut.isEmpty && reader.owned.isEmpty
        // Another macro may add an initializer too.
        && declaration.attributes.count == 1
        && !declaration.memberBlock.members.contains {
          $0.mayInitialize || $0.hasInitAccessor || $0.decl.is(MacroExpansionDeclSyntax.self)
        })
  }

  /// Returns the access modifier that makes generated members as visible as their type.
  private func access(of modifiers: DeclModifierListSyntax) -> String {
    let levels: Set<String> = ["open", "public", "package", "internal", "fileprivate", "private"]
    let own = modifiers.first { levels.contains($0.name.text) }?.name.text
    // In `public extension Outer { struct Inner {} }` the extension sets the access of its members.
    let inherited = lexicalContext.first?.as(ExtensionDeclSyntax.self)?
      .modifiers.first { levels.contains($0.name.text) }?.name.text
    switch own ?? inherited {
    case "open", "public": return "public "
    case "package": return "package "
    default: return ""
    }
  }

  /// Returns the `@available` attributes of the type and of the types around it.
  ///
  /// The latest version of a platform counts, and no type is available before those around it.
  private func availability(of attributes: AttributeListSyntax) -> [AttributeSyntax] {
    ([attributes]
      + lexicalContext.compactMap { $0.asProtocol((any WithAttributesSyntax).self)?.attributes })
      .flatMap { $0.named("available") }.map(\.trimmed)
  }

  private mutating func refuse(_ declaration: some DeclGroupSyntax) {
    let kind: String
    var remedy = ""
    if declaration.is(EnumDeclSyntax.self) {
      kind = "an enumeration"
      remedy = "; with raw values or 'Codable' it can be the type of a stored property"
    } else if declaration.is(ActorDeclSyntax.self) {
      kind = "an actor"
    } else if declaration.is(ProtocolDeclSyntax.self) {
      kind = "a protocol"
    } else {
      kind = "an extension"
    }
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? "this"
    diagnostics.misplaced(
      attribute,
      "'@Stored' can only be attached to a struct or a final class; '\(name)' is "
        + "\(kind)\(remedy)")
  }

  private mutating func checkFinal(_ type: ClassDeclSyntax) {
    guard !type.modifiers.contains(where: { $0.name.text == "final" }) else { return }
    let fixIts: [FixIt]
    if let open = type.modifiers.first(where: { $0.name.text == "open" }) {
      fixIts = [.replacing(open.name, by: "public final", "make it 'public final'")]
    } else {
      fixIts = FixIt.inserting("final ", before: type.classKeyword, "make it 'final'")
    }
    diagnostics.report(
      type.name,
      "class '\(type.name.text)' must be final to be stored: a subclass's properties would be lost",
      fixIts: fixIts)
  }

  /// Reports a global actor, because rows are read on any thread.
  private mutating func checkIsolation(of attributes: AttributeListSyntax, name: String) {
    for actor in attributes.compactMap({ $0.as(AttributeSyntax.self) })
    where actor.baseName.hasSuffix("Actor") {
      diagnostics.misplaced(
        actor,
        "'\(name)' cannot be stored while it is isolated to '\(actor.baseName)': "
          + "a vault reads and writes it on other threads")
    }
  }
}

extension Syntax {
  /// Whether the syntax node is a type with generic parameters, or a constrained extension of one.
  fileprivate var isGeneric: Bool {
    asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
      || self.as(ExtensionDeclSyntax.self)?.genericWhereClause != nil
  }
}

extension MemberBlockItemSyntax {
  /// Whether the member may declare a property with the name `id`, or a function that excludes it.
  fileprivate var mayDeclareID: Bool {
    if decl.is(IfConfigDeclSyntax.self) || decl.is(MacroExpansionDeclSyntax.self) { return true }
    let modifiers = decl.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
    if modifiers.contains(where: { ["static", "class"].contains($0.name.text) }) { return false }
    if let function = decl.as(FunctionDeclSyntax.self) {
      return function.name.plainText == "id"
        && function.signature.parameterClause.parameters.isEmpty
    }
    guard let variable = decl.as(VariableDeclSyntax.self) else { return false }
    return variable.bindings.contains { binding in
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
      return pattern.map { $0.identifier.plainText == "id" } ?? true
    }
  }

  /// Whether the member declares a designated initializer of a class, or may do so by `#if`.
  fileprivate var mayDesignateInitializer: Bool {
    if let initializer = decl.as(InitializerDeclSyntax.self) {
      return !initializer.modifiers.contains { $0.name.text == "convenience" }
    }
    return decl.as(IfConfigDeclSyntax.self)?.clauses.contains { clause in
      clause.elements?.as(MemberBlockItemListSyntax.self)?
        .contains(where: \.mayDesignateInitializer) ?? false
    } ?? false
  }

  /// Whether the member declares a property with an `init` accessor.
  ///
  /// The memberwise initializer then has a parameter for this property instead of those that the
  /// accessor initializes.
  fileprivate var hasInitAccessor: Bool {
    decl.as(VariableDeclSyntax.self)?.bindings.contains { binding in
      binding.accessorBlock?.accessors.as(AccessorDeclListSyntax.self)?
        .contains { $0.accessorSpecifier.text == "init" } ?? false
    } ?? false
  }

  /// Whether the member may declare an initializer of the type.
  fileprivate var mayInitialize: Bool {
    decl.is(InitializerDeclSyntax.self) || decl.is(IfConfigDeclSyntax.self)
  }
}
