import SwiftSyntax
import SwiftSyntaxMacros

/// Writes the `StoredObject` conformance of a struct or a final class.
///
/// What names types goes into members, where names mean what they mean in the declaration; what
/// must leave a struct its memberwise initializer goes into the extension. Only the member half
/// reports, so that nothing is said twice.
struct StoredMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var reader = TypeReader(attribute: node, lexicalContext: context.lexicalContext)
    let type = reader.read(declaration)
    for diagnostic in reader.diagnostics { context.diagnose(diagnostic) }
    return type.map { $0.members() } ?? []
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var reader = TypeReader(attribute: node, lexicalContext: context.lexicalContext)
    guard let stored = reader.read(declaration) else { return [] }
    return [try stored.extension(of: TypeSyntax(type), missing: protocols)]
  }
}
