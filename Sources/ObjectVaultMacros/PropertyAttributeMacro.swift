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
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      context.diagnose(
        .misplaced(node, "'@\(name)' can only be attached to a stored property"))
      return []
    }
    // The macro `@Observable` copies the attributes of a property to the storage that it generates.
    if !variable.attributes.named("ObservationIgnored").isEmpty { return [] }
    let attributes = context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)?
      .attributes
    if let attributes, attributes.conditional.contains(where: { $0.baseName == "Stored" }) {
      context.diagnose(
        .stored(
          node,
          "'@\(name)' needs '@Stored' outside of '#if': the table must be the same in every "
            + "build"))
      return []
    }
    guard let attributes, !attributes.named("Stored").isEmpty else {
      context.diagnose(
        .misplaced(node, "'@\(name)' has no effect outside a type marked '@Stored'"))
      return []
    }
    return []
  }
}
