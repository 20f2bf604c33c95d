import SwiftSyntax
import SwiftSyntaxMacros

/// Generates the `StoredObject` conformance of a struct or a final class.
///
/// Code that names types becomes members, because there names have the same meaning as in the
/// declaration. Code that must not suppress the memberwise initializer of a struct is put into the
/// extension. Only the member expansion reports errors, so that each error is reported once.
struct StoredMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var reader = TypeReader(attribute: node, lexicalContext: context.lexicalContext)
    let type = reader.read(declaration)
    for diagnostic in reader.diagnostics { context.diagnose(diagnostic) }
    return type.map { $0.members(missing: protocols) } ?? []
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
