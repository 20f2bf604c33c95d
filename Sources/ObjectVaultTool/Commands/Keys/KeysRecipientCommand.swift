internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

struct KeysRecipientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipient",
    abstract: "Print the recipient of an identity file.",
    discussion: """
      The recipient is public. The file must have mode 0600.
      """)

  @Argument(help: "The path of the identity file.", completion: .file())
  var identity: String

  func run() throws {
    let recipient: KeyringRecipient
    do throws(KeyError) {
      recipient = try KeyringIdentity(contentsOf: identity).recipient
    } catch {
      throw VaultError(error, path: identity)
    }
    try StandardOutput.shared.write("\(recipient)\n")
  }
}
