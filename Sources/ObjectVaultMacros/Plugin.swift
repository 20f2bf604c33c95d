import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct ObjectVaultPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    StoredMacro.self, PropertyAttributeMacro.self,
  ]
}
