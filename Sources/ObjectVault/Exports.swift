// `import ObjectVault` exports all of Core, and the macros of this module.
@_exported public import ObjectVaultCore
