import ObjectVaultTerminal
import ObjectVaultCore

/// The encryption of a vault under a new data key of its keyring, with progress output.
struct KeyRotation {
  let options: KeyringOptions
  let work: FileWorkOptions

  /// Encrypts the vault under a new data key.
  ///
  /// `kept` are the slots that a new master key keeps, or `nil` to keep the master key. If `slots`
  /// is given, nothing is done if the keyring has other slots by now.
  func rotate(
    _ present: SlotKey, keeping kept: [SlotKey]?, of slots: [VaultKeyring.Slot]? = nil
  ) throws -> CipherInfo {
    try work.run(on: options.vault, stopped: "'\(options.name)' is unchanged.") { progress in
      try DatabaseFile(
        at: options.vault, key: .keyring(present, at: options.slots.keyring),
        busyTimeout: work.timeout
      ).rotate(keeping: kept, of: slots, progress: progress)
    }
  }

  /// Creates a new master key after confirmation.
  ///
  /// Returns the quoted names of the removed slots, such as "'bob', 'paper'", or "none".
  func revoke(
    _ keyring: VaultKeyring, _ present: SlotKey, removing removed: String?,
    keeping given: KeptSlotOptions, isSilent: Bool
  ) throws -> String {
    let revocation = Revocation(
      keyring: keyring, vault: options.name, present: present, given: given, isSilent: isSilent)
    let plan = try revocation.plan(removing: removed)
    try revocation.confirm(plan)
    _ = try rotate(present, keeping: plan.kept, of: plan.slots)
    let names = plan.dropped.map { "'\(PrintableText.escaped($0))'" }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
