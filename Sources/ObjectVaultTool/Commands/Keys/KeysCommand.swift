internal import ArgumentParser

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Manage the keys that open a vault with a keyring.",
    discussion: """
      The keyring is the file VAULT.keyring. It has named slots, each opened by its own key: a \
      passphrase, a recovery code, a key file, a raw key, an identity or a key provider. Changing \
      them takes a moment, rewrites \
      no page of the vault, and works while the vault is open. 'create --keyring', 'encrypt \
      --keyring' and 'rekey --to keyring' create one.

      The key that unlocks the keyring is read from --key-file, --key-env or --key-fd, or from the \
      terminal, or is that of --identity or --provider; --slot names the slot that it opens. A file given by --key-file is a key file if \
      the keyring has such a slot and the file opens it, and otherwise contains a passphrase. \
      Every byte of a key file counts.
      """,
    subcommands: [
      KeysListCommand.self, KeysTestCommand.self, KeysAddCommand.self, KeysRemoveCommand.self,
      KeysRenameCommand.self, KeysChangeCommand.self, KeysRecoveryCommand.self,
      KeysRotateCommand.self, KeysUpgradeCommand.self, KeysGenerateCommand.self,
      KeysRecipientCommand.self,
    ])
}
