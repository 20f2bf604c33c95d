import ObjectVaultConformanceFormat
import ObjectVaultCore
import ObjectVaultKeys

extension LibraryCase {
  func performOnKeyring(
    _ operation: FixtureOperation, _ arguments: RequestArguments
  ) throws -> FixtureValue? {
    let keyring = try VaultKeyring(
      ofVaultAt: path(arguments.text("path") ?? "main.vault"),
      at: arguments.text("at").map(path))
    func slotKey(_ name: String) throws -> SlotKey {
      try SlotKey(fixture: arguments.required(name))
    }
    switch operation {
    case .testSlot: return .slot(try keyring.test(slotKey("key")))
    case .addSlot:
      try keyring.addSlot(
        arguments.requiredText("name"), slotKey("key"), unlockedBy: slotKey("unlockedBy"))
    case .removeSlot:
      try keyring.removeSlot(arguments.requiredText("name"), unlockedBy: slotKey("unlockedBy"))
    case .renameSlot:
      try keyring.renameSlot(
        arguments.requiredText("name"), to: arguments.requiredText("to"), slotKey("key"))
    case .changeKey:
      try keyring.changeKey(
        ofSlot: arguments.text("name"), to: slotKey("to"), unlockedBy: slotKey("unlockedBy"))
    default: return .list(try keyring.slots().map(FixtureValue.slot))
    }
    return nil
  }
}

extension FixtureValue {
  fileprivate static func slot(_ slot: VaultKeyring.Slot) -> FixtureValue {
    .object([.init("name", .text(slot.name)), .init("kind", .text(word(slot.kind)))])
  }

  private static func word(_ kind: SlotKind) -> String {
    switch kind {
    case .passphrase: "passphrase"
    case .recoveryCode: "recoveryCode"
    case .keyFile: "keyFile"
    case .raw: "raw"
    case .recipient: "recipient"
    case .provider: "provider"
    }
  }
}
