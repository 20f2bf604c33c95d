// What `import ObjectVault` gives an application: all of Core, and the macros beside this file.
@_exported public import ObjectVaultCore
