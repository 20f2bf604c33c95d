import SwiftDiagnostics
import SwiftSyntax

// The expansion consists of members and of an extension outside the type. It compiles only if the
// extension can name the type, and if no other declaration has or hides the names that it uses.

extension TypeReader {
  /// Reports a type that is private to another type, because the extension cannot name it.
  mutating func checkVisibility(of modifiers: DeclModifierListSyntax, name: TokenSyntax) {
    let reason = "so the generated extension cannot name it"
    if let modifier = modifiers.first(where: { $0.name.text == "private" }),
      !lexicalContext.isEmpty
    {
      diagnostics.report(
        modifier.name,
        "'\(name.plainText)' is private to another type, \(reason): make it 'fileprivate'",
        fixIts: [.replacing(modifier.name, by: "fileprivate", "make it 'fileprivate'")])
    }
    for context in lexicalContext.dropLast() {
      guard let type = context.asProtocol((any NamedDeclSyntax).self)?.name.plainText,
        let modifiers = context.asProtocol((any WithModifiersSyntax).self)?.modifiers,
        modifiers.contains(where: { $0.name.text == "private" })
      else { continue }
      diagnostics.report(
        name,
        "'\(name.plainText)' is inside '\(type)', which is private to another type, \(reason): "
          + "make '\(type)' 'fileprivate'")
    }
  }

  /// Reports a type whose values cannot be copied.
  mutating func checkCopyable(_ clause: InheritanceClauseSyntax?, name: String) {
    for inherited in clause?.inheritedTypes ?? [] {
      guard let suppressed = inherited.type.as(SuppressedTypeSyntax.self)?.type.nominal?.name,
        ["Copyable", "Escapable"].contains(suppressed)
      else { continue }
      diagnostics.report(
        inherited.type,
        "'\(name)' cannot be stored: it is '\(inherited.type.trimmedDescription)', and a vault "
          + "copies objects")
    }
  }

  /// Reports declarations with names that the expansion declares, or that hide names that it uses.
  mutating func checkGeneratedNames(
    _ reader: PropertyReader, members: MemberBlockItemListSyntax
  ) {
    let nested = members.compactMap { member -> TokenSyntax? in
      guard let named = member.decl.asProtocol((any NamedDeclSyntax).self),
        named.is(TypeAliasDeclSyntax.self) || named.asProtocol((any DeclGroupSyntax).self) != nil
      else { return nil }
      return named.name
    }
    var generated = ["Properties"]
    switch reader.objectID {
    case .generated: break
    case .property: generated.append("ObjectIDType")
    case .composite: generated += ["ObjectIDType", "CompositeID"]
    }
    for type in nested where generated.contains(type.plainText) {
      report(Syntax(type), "'\(type.plainText)' is the name of a generated type: rename it")
    }
    let types =
      reader.properties.map { ($0.name, $0.type) } + reader.owned.map { ($0.name, $0.type) }
    for (name, type) in types where type.names("Properties") {
      guard let pattern = reader.declarations.last(where: { $0.name == name })?.pattern else {
        continue
      }
      report(
        pattern,
        "the generated type 'Properties' hides the type of '\(name)': write its module before it, "
          + "as in 'MyModule.Properties', or use a type alias")
    }

    let stored = Set(reader.properties.map(\.name) + reader.owned.map(\.name))
    let parts = reader.idProperties.count > 1 ? reader.idProperties.map(\.name) : []
    let used = Set(
      (reader.properties.map(\.type) + reader.owned.map(\.type)).flatMap(\.namesInExpressions)
        + [reader.typeName])
    for (name, node, pattern) in reader.declarations {
      let isStatic = node.modifiers.contains { ["static", "class"].contains($0.name.text) }
      if generated.contains(name) || !isStatic && name == "storedObjectID"
        || isStatic && ["classDescription", "propertyNames"].contains(name)
        || stored.contains(name) && name == "_origin"
        || parts.contains(name) && name == "objectIDParts"
      {
        report(pattern, "'\(name)' is the name of a generated member: rename it")
      } else if used.contains(name)
        || stored.contains(name) && nested.contains(where: { $0.plainText == name })
      {
        report(
          pattern,
          "'\(name)' is also the name of a type, which generated code uses: rename one of them")
      } else if name == "ObjectVault" {
        report(
          pattern, "'ObjectVault' is the name of a module, which generated code uses: rename it")
      } else if stored.contains(name) && ["Type", "Protocol"].contains(name) {
        report(pattern, "'\(name)' cannot be in a key path, which generated code uses: rename it")
      }
    }
  }

  private mutating func report(_ node: Syntax, _ message: String) {
    diagnostics.append(.stored(node, message))
  }
}
