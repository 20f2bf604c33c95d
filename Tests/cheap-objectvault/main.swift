import ObjectVaultKeys
import ObjectVaultTool

// The tool, but the slots that it creates have the lowest cost that a file may have. Tests that are
// not about the default cost start it instead of `objectvault`.
ScryptCost.$replacement.withValue(.minimum) { Tool.run() }
