// What `import ObjectVaultRecords` gives an application: all of Core beside the records.
@_exported public import ObjectVaultCore
