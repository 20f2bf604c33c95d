internal import ArgumentParser
import ObjectVaultCore

/// The vault a subcommand works on, and its key.
struct VaultOptions: ParsableArguments, Sendable {
  @Argument(help: "The path of the vault.", completion: .file())
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
    do {
      return try keys.opening(vault) { key in
        let opened = try Vault(at: vault, key: key, configuration: configuration)
        try opened.open()
        return opened
      }
    } catch let error as VaultError where error.code == .cannotOpen {
      guard !ExistingFile.isFolderWritable(of: vault) else { throw error }
      throw ToolError(
        .noInput,
        error.message + " The engine keeps two files beside a vault that is open, and its folder "
          + "cannot be written: copy the vault into one of yours.")
    }
  }
}
