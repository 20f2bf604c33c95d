internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

struct KeysGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Create an identity file and print its recipient.",
    discussion: """
      The file contains a private key and can be read by you only (mode 0600). An existing file is \
      never replaced. The recipient is the public key: send it to the person who manages a \
      keyring, who adds it with 'keys add --recipient'. Then --identity FILE opens the vault. \
      'keys recipient FILE' prints the recipient again.

      Anyone who has the file can open the vault. Without it, no one can open the slot.
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The path of the new file.", valueName: "path"), completion: .file())
  var output = "objectvault.identity"

  func run() throws {
    let name = PrintableText.escaped(output)
    let identity: KeyringIdentity
    do throws(KeyError) {
      identity = try KeyringIdentity.generate()
      try identity.write(to: output)
    } catch {
      guard error.systemError != nil else { throw VaultError(error, path: output) }
      throw ToolError(.cannotCreate, error.message)
    }
    try StandardOutput.shared.write("\(identity.recipient)\n")
    try StandardOutput.shared.flush()
    StandardError.write(
      "The private key is in '\(name)'. Store it safely: it is not stored anywhere else.\n")
  }
}
