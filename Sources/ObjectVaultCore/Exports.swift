// What an application sees through `import ObjectVault` (or `ObjectVaultCore`): Core's own public
// names, and the few that its parts share with it.
@_exported public import ObjectVaultCondition
@_exported public import ObjectVaultDriver
@_exported public import ObjectVaultKeys
@_exported public import ObjectVaultModel
