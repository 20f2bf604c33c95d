import SwiftSyntax
import SwiftSyntaxMacros

/// `@ObjectID`, `@Column`, `@Indexed`, `@Searchable`, `@SharedBlob`, `@Reference`, `@Owned` and
/// `@Ignored`: read by `@Stored`, they write nothing.
///
/// `@Stored` reports what is wrong with them inside a stored type; here only what it cannot see.
struct PropertyAttributeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let name = node.attributeName.trimmedDescription
    guard declaration.is(VariableDeclSyntax.self) else {
      context.diagnose(
        .misplaced(node, "'@\(name)' can be attached to a stored property only"))
      return []
    }
    guard let enclosing = context.lexicalContext.first, isStored(enclosing) else {
      context.diagnose(
        .misplaced(node, "'@\(name)' has a meaning only inside a type marked '@Stored'"))
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
