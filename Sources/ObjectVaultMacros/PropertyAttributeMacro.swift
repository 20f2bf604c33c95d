import SwiftSyntax
import SwiftSyntaxMacros

/// The macro behind `@ObjectID`, `@Column`, `@Indexed` and the other attributes of properties.
///
/// The others are `@Searchable`, `@SharedBlob`, `@Sealed`, `@Reference`, `@Owned` and `@Ignored`.
/// The macro generates no code; `@Stored` reads the attributes. `@Stored` also reports errors in
/// them inside a stored type. This macro reports only errors that `@Stored` cannot find.
struct PropertyAttributeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let name = node.attributeName.trimmedDescription
    guard declaration.is(VariableDeclSyntax.self) else {
      context.diagnose(
        .misplaced(node, "'@\(name)' can only be attached to a stored property"))
      return []
    }
    guard let enclosing = context.lexicalContext.first, isStored(enclosing) else {
      context.diagnose(
        .misplaced(node, "'@\(name)' has no effect outside a type marked '@Stored'"))
      return []
    }
    return []
  }

  private static func isStored(_ enclosing: Syntax) -> Bool {
    guard let type = enclosing.asProtocol((any DeclGroupSyntax).self) else { return false }
    return type.attributes.contains { element in
      element.as(AttributeSyntax.self)?.baseName == "Stored"
    }
  }
}
