internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

/// The vault with the keyring of a subcommand.
struct KeyringPlaceOptions: ParsableArguments, Sendable {
  @Argument(help: "The path of the vault.", completion: .file())
  var vault: String

  /// Returns the keyring, which must exist.
  func keyring(at path: String?) throws -> VaultKeyring {
    let keyring = try VaultKeyring(ofVaultAt: vault, at: path)
    guard !keyring.exists else { return keyring }
    try ExistingFile.check(vault, isWhat: "vault")
    throw ToolError(
      .noInput,
      "'\(PrintableText.escaped(vault))' has no keyring at "
        + "'\(PrintableText.escaped(keyring.path))'. If it is elsewhere, use --keyring PATH. To "
        + "create one, use 'rekey --to keyring'.")
  }
}
