internal import ArgumentParser

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Manage the keys that open a vault with a keyring.",
    discussion: """
      The keyring is the file VAULT.keyring. It has slots, each with a name, and each opened by a key \
      of its own: a passphrase, a recovery code, a key file, a raw key. Changing them takes a moment, \
      touches no page of the vault, and may be done while the vault is open. 'create --keyring', \
      'encrypt --keyring' and 'rekey --to keyring' make one.

      The key that unlocks the keyring is read from --key-file, --key-env or --key-fd, or asked for; \
      --slot names the slot that it opens. A file given by --key-file is a key file where the keyring \
      has such a slot and the file opens it, and holds a passphrase otherwise. Of a key file every byte \
      counts.
      """,
    subcommands: [
      KeysListCommand.self, KeysTestCommand.self, KeysAddCommand.self, KeysRemoveCommand.self,
      KeysRenameCommand.self, KeysChangeCommand.self, KeysRecoveryCommand.self,
      KeysRotateCommand.self,
    ])
}
