internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Show which slot a key opens.",
    discussion: """
      The exit status is 77 if it opens none. An opened slot also proves that the keyring is as \
      its holder wrote it. The vault itself is not read.
      """)

  @OptionGroup var options: KeyringOptions

  func run() throws {
    let keyring = try options.keyring()
    let slot = try keyring.test(try options.unlockingKey(of: keyring))
    try StandardOutput.shared.write(
      "The slot '\(PrintableText.escaped(slot.name))' (\(slot.kind.name)) opens.\n")
  }
}
