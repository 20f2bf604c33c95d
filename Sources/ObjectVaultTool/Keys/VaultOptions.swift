internal import ArgumentParser
import ObjectVaultCore

/// The vault a subcommand works on, and its key.
struct VaultOptions: ParsableArguments {
  @Argument(help: "The path of the vault.")
  var vault: String

  @OptionGroup(title: "Key options (asked for on the terminal where none is given)")
  var keys: KeyOptions

  /// What the subcommand does to the file.
  enum Access {
    case reading, writing
  }

  /// Opens the vault, which must be there.
  func open(for access: Access) throws -> Vault {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    configuration.isReadOnly = access == .reading
    // A path that leads nowhere is told before a key is asked for.
    try ExistingFile.check(vault, isWhat: "vault")
    let opened = try Vault(at: vault, key: try keys.key(for: vault), configuration: configuration)
    try opened.open()
    return opened
  }
}
