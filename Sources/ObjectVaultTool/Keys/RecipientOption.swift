internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

/// The recipient of a new slot.
struct RecipientOption: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Let the owner of this recipient's identity open the slot. The text begins with "
        + "'ovrecipient1'; @PATH reads it from a file.",
      valueName: "text"))
  var recipient: String?

  /// Throws `ValidationError` if another new key is given.
  func check(with keys: NewKeyOptions, _ slot: NewSlotOptions) throws {
    if recipient != nil, keys.isGiven || slot.isGiven {
      throw ValidationError("--recipient cannot be combined with another new key.")
    }
  }

  /// Returns the key of the recipient's slot; `nil` without the option.
  func slotKey(for slot: String?) throws -> SlotKey? {
    guard let recipient else { return nil }
    guard recipient.hasPrefix("@") else { return try key(recipient, for: slot) }
    let path = String(recipient.dropFirst())
    let text = try ByteInput(path: path).rest()
    // A line of a text file, as 'keys generate' prints it.
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
    guard lines.count == 1 else {
      throw ToolError(
        .badData,
        "The file '\(PrintableText.escaped(path))' does not have exactly one line with a recipient. "
          + "Check that it is the right file.")
    }
    return try key(String(lines[0]), for: slot)
  }

  private func key(_ text: String, for slot: String?) throws -> SlotKey {
    do {
      return .recipient(try KeyringRecipient(text), slot: slot)
    } catch {
      throw VaultError(error, path: "")
    }
  }
}
