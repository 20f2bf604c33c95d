// The public names of all parts, which an application sees through `import ObjectVaultCore`.
@_exported public import ObjectVaultCondition
@_exported public import ObjectVaultDriver
@_exported public import ObjectVaultFile
@_exported public import ObjectVaultKeys
@_exported public import ObjectVaultMaintenance
@_exported public import ObjectVaultModel
@_exported public import ObjectVaultSchema
@_exported public import ObjectVaultSQL
@_exported public import ObjectVaultStores
