// `import ObjectVaultRecords` exports all of Core in addition to the records.
@_exported public import ObjectVaultCore
