internal import ArgumentParser
import ObjectVaultCore

/// The vault of a subcommand and its key.
struct VaultOptions: ParsableArguments, Sendable {
  @Argument(help: "The path of the vault.", completion: .file())
  var vault: String

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: KeyOptions

  @Option(
    help: ArgumentHelp(
      "The oldest cipher format to accept, 1 to 4. Default: 2. Format 1 has no page "
        + "authentication.",
      valueName: "number"))
  var fromFormat: Int?

  func validate() throws {
    if let fromFormat, !(1...4).contains(fromFormat) {
      throw ValidationError("--from-format must be 1, 2, 3 or 4, not \(fromFormat).")
    }
  }

  /// The access of the subcommand to the file.
  enum Access {
    case reading, writing
  }

  /// Opens the vault, which must exist.
  func open(for access: Access) throws -> Vault {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    configuration.isUntrusted = true
    configuration.isReadOnly = access == .reading
    if let fromFormat { configuration.minimumCipherFormat = fromFormat }
    // Report a missing file before asking for a key.
    try ExistingFile.check(vault, isWhat: "vault")
    Warning.writeRights(ofVaultAt: vault)
    if access == .reading { Warning.writeMissingChanges(ofFileAt: vault) }
    return try keys.opening(vault) { key in
      let opened = try Vault(at: vault, key: key, configuration: configuration)
      try opened.open()
      return opened
    }
  }
}
